// A prep package for a cycle, as a file holds it.

/** @param at when it was made, in epoch milliseconds */
export function packageFor(project: string, at: number): string {
  const gates = { iterations: [1], exit_criteria: {} }
  return JSON.stringify({
    prep_status: 'ready',
    generated_at: new Date(at).toISOString(),
    environment: { project_root: project },
    task: { original: 'add login', refined: 'OBJECTIVE: log in', quality_score: 8 },
    auto_iteration: {
      convergence: { test_pass_rate: 90, coverage: 80 },
      phase_gates: { zero_to_one: gates, one_to_hundred: gates },
      agent_focus: { zero_to_one: {}, one_to_hundred: {} },
    },
  })
}
