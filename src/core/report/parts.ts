// Builds the parts that only a dev cycle or a dev loop has: documents, issues and feedback; tasks,
// workers, conflicts.
import type { FileLink, Report } from './model.js'
import type { CycleFacts, LoopFacts } from './source.js'

/** Returns the part of a dev cycle. */
export function cyclePart({ record, documents }: CycleFacts): NonNullable<Report['cycle']> {
  const {
    requirements,
    exploration,
    plan,
    iterations,
    coordination,
    task_history: tasks,
    ratchet,
    test_results: tests,
  } = record
  return {
    requirements,
    exploration,
    plan,
    iterations,
    coordination,
    tasks,
    openIssues: ratchet.open_issues,
    coverage: tests?.coverage ?? null,
    documents: documents.map((link) => withVersion(link, record)),
  }
}

/** Returns the part of a dev loop. */
export function loopPart({ record, outputs, links }: LoopFacts): NonNullable<Report['loop']> {
  const { skill_state: skill, ratchet, mode } = record
  const suggestion = ratchet.result?.suggestion
  return {
    mode,
    tasks: [...skill.completed_tasks, ...skill.pending_tasks],
    findings: skill.findings,
    conflicts: skill.parallel_results?.conflicts ?? [],
    workers: outputs.map(
      ({ action, status, summary, iteration, agent, files_changed, clarifications }) => ({
        action,
        status,
        summary,
        iteration,
        agent,
        files_changed,
        clarifications,
        timedOut: ratchet.workers.some((one) => one.action === action && one.timedOut === true),
        links: links.get(action) ?? [],
      }),
    ),
    ...(ratchet.validation === undefined
      ? {}
      : { validation: { passed: ratchet.validation.passed, why: ratchet.validation.why } }),
    ...(suggestion === undefined
      ? {}
      : {
          suggestion: {
            message: suggestion.message,
            command: suggestion.command,
            readyForPr: suggestion.readyForPr,
          },
        }),
  }
}

// The version of an old document is in its name, otherwise in the record.
function withVersion(
  link: FileLink,
  { requirements, exploration, plan }: CycleFacts['record'],
): FileLink & { version?: string } {
  const old = /-v(\d+\.\d+\.\d+)\.[a-z]+$/.exec(link.path)?.[1]
  const current = /\/requirements\.md$/.test(link.path)
    ? requirements?.version
    : /\/plan\.json$/.test(link.path)
      ? plan?.version
      : /\/exploration\.md$/.test(link.path)
        ? exploration?.version
        : undefined
  const version = old ?? current
  return { ...link, version }
}
