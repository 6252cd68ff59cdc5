// Names that people and scripts type. Public API: never renamed (ARCHITECTURE.md "Names").

/** Name, version and namespace under which Ratchet runs on a Temporal server. */
export const NAMESPACE = 'ratchet'

/** Task queue of the workflows and of activities that need no project. */
export const MAIN_QUEUE = 'ratchet'

/** Days for which the local server keeps closed runs; the stock 24 hours forget a run overnight. */
export const RETENTION_DAYS = 365

/** Workflow types by kind of run. */
export const WORKFLOW_TYPES = {
  'test-fix': 'testFixCycle',
  'dev-cycle': 'devCycle',
  'dev-loop': 'devLoop',
} as const
export type Kind = keyof typeof WORKFLOW_TYPES

export const SIGNALS = { pause: 'pause', resume: 'resume', stop: 'stop' } as const
export const UPDATES = { extend: 'extend', answer: 'answer', ask: 'ratchetAsk' } as const
export const QUERIES = { status: 'status', state: 'state', questions: 'questions' } as const

/** Activities beside a run, which nothing in it waits for: they are no reason why it waits. */
export const BESIDE: readonly string[] = ['notify']

/** Search attributes with their Temporal types. Only registered ones are ever upserted. */
export const SEARCH_ATTRIBUTES = {
  RatchetProject: 'KEYWORD',
  RatchetKind: 'KEYWORD',
  RatchetPhase: 'KEYWORD',
  RatchetIteration: 'INT',
  RatchetPassRate: 'DOUBLE',
  RatchetNeedsHuman: 'BOOL',
} as const
export type SearchAttribute = keyof typeof SEARCH_ATTRIBUTES

/** Environment markers by which Ratchet finds the processes that a run started. */
export const MARKERS = { run: 'RATCHET_RUN', step: 'RATCHET_STEP' } as const

/**
 * Environment marker of the server and the workers that a supervisor started; its values are made
 * in src/dev-server/orphans.ts.
 */
export const LOCAL_MARK = 'RATCHET_LOCAL'

/** Queue of one project on one host: agents, tests, git and records. */
export function projectQueue(hostId: string, projectKey: string): string {
  return `ratchet-${hostId}-${projectKey}`
}
