// Results of the four agents and their state, for the decision tables of a dev cycle.
import type { CycleState, PhaseResult } from '../../../src/contract/dev-cycle/cycle-state.js'
import type { Phase } from '../../../src/contract/dev-cycle/discovery.js'
import { newAgents } from '../../../src/core/dev-cycle/cycle-agents.js'
import { NO_USAGE } from '../../../src/core/run/run-usage.js'
import type { Claimed } from '../../../src/contract/dev-cycle/phase-reading.js'

/** A successful agent, with the given differences. */
export function phaseResult(phase: Phase, rest: Partial<PhaseResult> = {}): PhaseResult {
  return {
    phase,
    status: 'success',
    summary: 'done',
    issues: [],
    blockers: [],
    planIssues: [],
    files: [],
    missing: [],
    invalid: [],
    foreign: [],
    decisions: [],
    agent: 'playbook',
    ...rest,
  }
}

/** All four, the named ones with the given differences. */
export function phaseResults(
  rest: Partial<Record<Phase, Partial<PhaseResult>>> = {},
): CycleState['results'] {
  return {
    ra: phaseResult('ra', rest.ra),
    ep: phaseResult('ep', rest.ep),
    cd: phaseResult('cd', rest.cd),
    vas: phaseResult('vas', rest.vas),
  }
}

export function claimed(rest: Partial<Claimed> = {}): Claimed {
  return {
    passRate: null,
    coverage: null,
    failedTests: [],
    criticalIssues: null,
    ready: null,
    ...rest,
  }
}

/** A cycle in its second iteration. */
export function cycleState(rest: Partial<CycleState> = {}): CycleState {
  return {
    schema: 1,
    input: { project: '/repo', task: 'Add login' },
    startedAt: 0,
    facts: {
      searchAttributes: [],
      queue: 'ratchet-host-key',
      project: '/repo',
      projectKey: '0a1b2c',
    },
    prepared: {
      workspace: {
        project: '/repo',
        root: '/state/ws',
        cwd: '/state/ws',
        branch: 'ratchet/cycle-v1-x',
        base: 'b'.repeat(40),
        isolation: 'clone',
      },
      head: 'b'.repeat(40),
      name: 'cycle-v1-x',
      recordDir: '/repo/.workflow/.cycle/cycle-v1-x.progress',
      configHash: 'h',
      testCommand: 'npm test',
      agents: {
        'requirements-analyst': ['playbook'],
        'exploration-planner': ['playbook'],
        'code-developer': ['playbook'],
        'validation-archivist': ['playbook'],
      },
      limits: { maxIterations: 5, agentTurnMs: 1, convergeMs: 1, feedbackTurnMs: 1, idleMs: 1 },
      testTimeoutMs: 1,
      requireGreen: false,
      timezone: '+08:00',
      warnings: [],
    },
    tasks: [{ text: 'Add login', iteration: 1 }],
    scheduling: 'parallel',
    parallel: 4,
    interactive: false,
    iteration: 2,
    maxIterations: 5,
    head: 'c'.repeat(40),
    currentPhase: 'aggregation',
    completedPhases: [],
    phaseErrors: [],
    agents: newAgents(),
    results: {},
    iterations: [],
    feedbackLog: [],
    decisions: [],
    blockers: [],
    oneToHundred: false,
    openIssues: [],
    pendingExtensions: [],
    history: [],
    commits: [],
    changedFiles: 0,
    usage: NO_USAGE,
    warnings: [],
    requestIds: [],
    ...rest,
  }
}
