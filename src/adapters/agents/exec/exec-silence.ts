// What the silence of a one-shot command means: before its answer it works, after it it hangs.
import path from 'node:path'
import type { ExecAgent as Definition } from '../../../contract/config/agent-config.js'
import type { Ticker } from '../turn/turn-clock.js'

/**
 * Most commands print only at their end: until their first word, or to the end where one document
 * is promised, silence is not idleness. To the clocks that is a tool call that runs.
 */
export class Silence {
  private running: boolean
  private readonly call: { toolCallId: string; title: string; kind: 'execute' }

  constructor(
    { output, command }: Definition,
    private readonly onUpdate: (update: unknown) => void,
  ) {
    this.call = {
      toolCallId: 'exec',
      title: `${path.basename(command)}, which has not answered yet`,
      kind: 'execute',
    }
    this.running = output !== 'stream-json'
    if (this.running)
      this.onUpdate({ sessionUpdate: 'tool_call', ...this.call, status: 'in_progress' })
  }

  over(): void {
    if (this.running)
      this.onUpdate({ sessionUpdate: 'tool_call_update', ...this.call, status: 'completed' })
    this.running = false
  }
}

/**
 * Some commands print their last word and never end: the turn is done and waits no longer.
 * `onOver` is called once, when there was time enough to end.
 */
export class LastWord {
  private wait: { cancel(): void } | undefined

  constructor(
    private readonly ticker: Ticker,
    private readonly lingerMs: number,
    private readonly onOver: () => void,
  ) {}

  /** It was said; another time changes nothing. */
  said(): void {
    if (this.wait !== undefined) return
    const wait = this.ticker.delay(this.lingerMs)
    this.wait = wait
    void wait.over.then(this.onOver)
  }

  /** The command has ended. */
  over(): void {
    this.wait?.cancel()
  }
}
