// Hooks that are told of a question, beside the run: nothing waits for them but the end of the
// iteration and of the run, where nothing may be open. An answer withdraws what has not been told
// yet.
import { ActivityFailure, CancellationScope, isCancellation } from '@temporalio/workflow'
import type { AskedEvent } from '../../contract/hooks.js'
import type { Question } from '../../contract/question.js'
import type { NotifyInput } from '../../contract/step.js'
import { askedEvent } from '../../core/run/hook-events.js'
import { beside } from './activity-options.js'

/** What a notice needs of its run. */
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

  /** Whether none is under way. */
  get idle(): boolean {
    return this.#open === 0
  }

  /**
   * Has the hook told of a question, where the project has one for it; answers how to withdraw
   * that.
   */
  begin(question: Question): (() => void) | undefined {
    const { state } = this.run
    const event = askedEvent(question)
    // A run that was prepared before there were hooks has none.
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
      const { warnings } = await beside(
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
      if (!isCancellation(error)) run.warn(`no hook was told of "${event}": ${reasonOf(error)}`)
    }
  }
}

function reasonOf(error: unknown): string {
  return (
    (error instanceof ActivityFailure ? error.cause : undefined)?.message ??
    (error as Error).message
  )
}
