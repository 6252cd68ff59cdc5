// What `ratchet status` shows about one run.
import type { Kind } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import type { IterationSummary, RunUsage } from '../../contract/result.js'
import type { Times } from './when.js'

/** The server in the JSON document. */
export type ServerLine = {
  address: string
  uiUrl: string | null
  pid: number | null
  version: string
}

/** A run in the JSON document. */
export type RunLine = {
  id: string
  kind: Kind
  status: string
  phase: string
  iteration: number
  passRate: number | null
  waitingFor: string
  /** Of one that has ended, and of an open one that is shown in full. */
  usage?: RunUsage
}

/**
 * `line` belongs to the JSON document, `about` is for a person only, `more` are lines about one run
 * that is shown in full.
 */
export type ShownRun = {
  line: RunLine
  about?: Times & { project?: string }
  history: IterationSummary[]
  recorded?: string[]
  questions?: Question[]
  more?: string[]
}

/** What a run waits for if it waits for nothing. */
export const NOTHING = 'nothing'
