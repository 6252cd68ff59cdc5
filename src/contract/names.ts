// Names that people and scripts type. Public API: never renamed (ARCHITECTURE.md "Names").

/** Name, version and namespace of Ratchet on a Temporal server. */
export const NAMESPACE = 'ratchet'

/** Task queue of workflows and of activities that need no project. */
export const MAIN_QUEUE = 'ratchet'

/**
 * Retention of closed runs on the local server in days; the default of 24 hours would lose a run
 * overnight.
 */
export const RETENTION_DAYS = 365

/** Workflow types by kind of run. */
export const WORKFLOW_TYPES = {
  'test-fix': 'testFixCycle',
  'dev-cycle': 'devCycle',
  'dev-loop': 'devLoop',
  prep: 'prepare',
} as const
export type Kind = keyof typeof WORKFLOW_TYPES
export const KINDS = Object.keys(WORKFLOW_TYPES) as [Kind, ...Kind[]]

/** Returns the kind of run of a workflow type, `undefined` for a type that is not Ratchet's. */
export function kindOfType(workflowType: string): Kind | undefined {
  return KINDS.find((kind) => WORKFLOW_TYPES[kind] === workflowType)
}

export const SIGNALS = { pause: 'pause', resume: 'resume', stop: 'stop' } as const
export const UPDATES = { extend: 'extend', answer: 'answer', ask: 'ratchetAsk' } as const
export const QUERIES = { status: 'status', state: 'state', questions: 'questions' } as const

/** Activities that run in parallel with a run: the run does not wait for them. */
export const SIDE_ACTIVITIES: readonly string[] = ['notify']

/** Search attributes with their Temporal types. Only registered ones are upserted. */
export const SEARCH_ATTRIBUTES = {
  RatchetProject: 'KEYWORD',
  RatchetKind: 'KEYWORD',
  RatchetPhase: 'KEYWORD',
  RatchetIteration: 'INT',
  RatchetPassRate: 'DOUBLE',
  RatchetNeedsHuman: 'BOOL',
} as const
export type SearchAttribute = keyof typeof SEARCH_ATTRIBUTES

/** Environment markers that identify the processes of a run. */
export const MARKERS = { run: 'RATCHET_RUN', step: 'RATCHET_STEP' } as const

/**
 * Environment marker of the server and the workers of a supervisor; its values are made in
 * src/dev-server/orphans.ts.
 */
export const LOCAL_MARK = 'RATCHET_LOCAL'

/** Returns the task queue of one project on one host: agents, tests, git and records. */
export function projectQueue(hostId: string, projectKey: string): string {
  return `ratchet-${hostId}-${projectKey}`
}
