// Sends questions to hooks, in parallel with the run: only the end of an iteration and of the run
// wait for them. An answer withdraws events that are not yet sent.
import { ActivityFailure, CancellationScope, isCancellation } from '@temporalio/workflow'
import type { AskedEvent } from '../../contract/hooks.js'
import type { Question } from '../../contract/question.js'
import type { NotifyInput } from '../../contract/step.js'
import { askedEvent } from '../../core/run/hook-events.js'
import { hookCall } from './activity-options.js'

/** What a notice needs from its run. */
export type NoticeRun = {
  readonly id: string
  readonly state:
    | {
        facts: { queue: string }
        prepared: {
          hooks?: AskedEvent[] | undefined
          configHash: string
          recordDir: string
          workspace: { project: string }
        }
      }
    | undefined
  status: () => NotifyInput['status']
  warn: (text: string) => void
}

export class Notices {
  #open = 0

  constructor(private readonly run: NoticeRun) {}

  /** Whether no notice is being sent. */
  get idle(): boolean {
    return this.#open === 0
  }

  /**
   * Sends a question to the hook, if the project has one for it; returns a function that withdraws
   * it.
   */
  begin(question: Question): (() => void) | undefined {
    const { state } = this.run
    const event = askedEvent(question)
    // A run prepared by a version without hooks has none.
    if (state?.prepared.hooks?.includes(event) !== true) return undefined
    const scope = new CancellationScope()
    this.#open++
    let isOpen = true
    void scope
      .run(() => this.#tell(state, event, question))
      .finally(() => {
        isOpen = false
        this.#open--
      })
    return () => {
      if (isOpen) scope.cancel()
    }
  }

  async #tell(
    { facts, prepared }: NonNullable<NoticeRun['state']>,
    event: AskedEvent,
    question: Question,
  ): Promise<void> {
    const { run } = this
    const { id, kind, iteration, maxIterations, passRate, branch } = run.status()
    try {
      const { warnings } = await hookCall(
        facts.queue,
        `tell the hook: ${event} ${question.id}`,
      ).notify({
        run: run.id,
        project: prepared.workspace.project,
        configHash: prepared.configHash,
        recordDir: prepared.recordDir,
        status: { id, kind, iteration, maxIterations, passRate, branch },
        question,
      })
      for (const warning of warnings) run.warn(warning)
    } catch (error) {
      if (!isCancellation(error)) run.warn(`no hook received "${event}": ${reasonOf(error)}`)
    }
  }
}

function reasonOf(error: unknown): string {
  return (
    (error instanceof ActivityFailure ? error.cause : undefined)?.message ??
    (error as Error).message
  )
}
