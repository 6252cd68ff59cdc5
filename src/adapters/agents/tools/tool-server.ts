// Serves an agent's tools while a prompt of its turn runs: reads one request after the other,
// decides by `core/agents/agent-tools` and answers. What a call does is given by the caller of the
// turn.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  TOOL_LIMITS,
  type AgentTestRun,
  type AgentTests,
  type ToolRequest,
  type ToolResponse,
} from '../../../contract/agent-tools.js'
import { diffAnswer, failuresAnswer, refusal, runAnswer } from '../../../core/agents/agent-tools.js'
import { stopwatch } from '../../stopwatch.js'
import { ToolFolder } from './tool-files.js'

export type Failure = { file: string; test: string; error: string }

/** What the tools of a turn do. */
export type TurnTools = {
  /** `false`: the session has them, and the turn may not use them. */
  mayUse: boolean
  /**
   * Runs tests in the agent's tree, all or some files. Rejects with the signal's reason.
   *
   * @param run `noteTree` is given the tree to restore if this process dies, and `undefined` once
   * it is restored
   */
  runTests(
    files: readonly string[],
    run: {
      n: number
      step: string
      folder: string
      signal: AbortSignal
      graceMs: number
      noteTree: (tree: string | undefined) => void
    },
  ): Promise<AgentTestRun>
  /** Failing tests of the last full run; `undefined` if none was measured. */
  failures(): Failure[] | undefined
  diff(): Promise<{ files: string[]; patch: string }>
}

export type ServedTurn = {
  tools: TurnTools
  cwd: string
  /** Of the agent's process, whose relay knows this folder. */
  marker: string
  /** Of the test runs: not the agent's own, as they are ended while the agent lives. */
  step: string
  /** Of the turn: reports and output of the runs go below it. */
  folder: string
  most: number
  counts: () => AgentTests
  save: (counts: AgentTests) => void
  /** Stores the tree to restore, or that there is none. */
  noteTree: (tree: string | undefined) => void
  /** Neither clock of the turn counts until the returned function is called. */
  holdClocks: () => () => void
  redact: (text: string) => string
  /** Notes a call in the log of the turn. */
  note: (fields: Record<string, unknown>) => void
  pollMs: number
  graceMs: number
}

export class ToolServer {
  private readonly over = new AbortController()
  private readonly done: Promise<void>
  private last: Extract<AgentTestRun, { kind: 'measured' }> | undefined

  /** Begins to serve; requests of an earlier turn are gone. */
  constructor(private readonly turn: ServedTurn) {
    const folder = ToolFolder.open(turn.cwd, turn.marker)
    this.done = this.serve(folder).finally(() => folder.close())
  }

  /** Ends a test run that is under way, and returns when all of its processes have ended. */
  stop(): Promise<void> {
    this.over.abort()
    return this.done
  }

  private async serve(folder: ToolFolder): Promise<void> {
    const { signal } = this.over
    for (let n = 1; n <= TOOL_LIMITS.requests && !signal.aborted;) {
      const found = this.trying(() => folder.request(n))
      if (found === undefined) {
        await sleep(this.turn.pollMs, undefined, { signal, ref: false }).catch(() => undefined)
        continue
      }
      const response = 'request' in found ? await this.answer(found.request) : refused(found)
      if (response !== undefined && !signal.aborted) this.trying(() => folder.respond(n, response))
      n++
    }
  }

  private async answer(request: ToolRequest): Promise<ToolResponse | undefined> {
    const { redact, note } = this.turn
    try {
      const { text, isError } = await this.call(request)
      note({ tool: request.tool, arguments: request.arguments, isError })
      return { id: request.id, text: redact(text), isError }
    } catch (error) {
      if (this.over.signal.aborted) return undefined
      const reason = redact((error as Error).message)
      note({ tool: request.tool, arguments: request.arguments, isError: true, reason })
      return { id: request.id, text: `Ratchet could not do this: ${reason}`, isError: true }
    }
  }

  private async call(request: ToolRequest): Promise<{ text: string; isError: boolean }> {
    const { tools, most, counts } = this.turn
    const no = refusal(request, counts(), { most, mayUse: tools.mayUse })
    if (no !== undefined) return { text: no, isError: true }
    switch (request.tool) {
      case 'run_tests':
        return this.run(request.arguments.files ?? [])
      case 'failures': {
        const { from = 1 } = request.arguments
        return {
          text:
            this.last === undefined
              ? failuresAnswer(tools.failures(), from, 'the run before this turn')
              : failuresAnswer(this.last.failures, from, 'your last test run'),
          isError: false,
        }
      }
      case 'diff': {
        const { files, patch } = await tools.diff()
        return { text: diffAnswer(files, patch), isError: false }
      }
    }
  }

  // Counted before it begins: a worker that dies in it does not give it back.
  private async run(files: readonly string[]): Promise<{ text: string; isError: boolean }> {
    const { tools, step, folder, most, counts, save, noteTree, holdClocks, graceMs } = this.turn
    const before = counts()
    const n = before.runs + 1
    save({ ...before, runs: n })
    const took = stopwatch()
    const release = holdClocks()
    try {
      const { signal } = this.over
      const run = await tools.runTests(files, { n, step, folder, signal, graceMs, noteTree })
      if (run.kind === 'measured') this.last = run
      return { text: runAnswer(run, most - n), isError: run.kind === 'problem' }
    } finally {
      // Where it could not be restored, the agent works on from what is there.
      if (!this.over.signal.aborted) noteTree(undefined)
      release()
      save({ runs: n, ms: before.ms + Math.round(took()) })
    }
  }

  // What an agent does to the folder ends no turn.
  private trying<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
      return undefined
    }
  }
}

function refused({ problem, id }: { problem: string; id?: string }): ToolResponse | undefined {
  return id === undefined
    ? undefined
    : {
        id,
        text: `The call ${problem}: run_tests takes "files", a list of paths, failures takes "from", a number, diff takes nothing.`,
        isError: true,
      }
}
