// A command with a limit: its output in a file, and nothing that it started outlives it.
import { MARKERS } from '../../contract/names.js'
import { endGroupAndMarked } from './end.js'
import {
  CommandNotFoundError,
  spawnGroup,
  type GroupProcess,
  type SpawnGroup,
} from './spawn-group.js'

export type LimitedCommand = {
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment; the markers are added. */
  env: Readonly<Record<string, string | undefined>>
  run: string
  step: string
  /** What it gets on standard input; one that does not read it may end all the same. */
  input?: string
  /** Gets both output streams, bounded. */
  file: string
  maxBytes?: number
  timeoutMs: number
  /** Asked when the limit is reached the first time: whether the command gets as long again. */
  mayExtend?: (() => boolean) | undefined
  /** Between TERM and KILL; 10 s. */
  graceMs?: number | undefined
  signal: AbortSignal
  /** Called once a second with the lines seen so far. */
  onTick?: (lines: number) => void
  /**
   * Asked once a second: whether all its work is done, so that it is ended while it still runs.
   */
  isDone?: (() => boolean) | undefined
  /** Sees the output as it comes; must not throw. */
  onOutput?: ((chunk: Buffer, from: 'stdout' | 'stderr') => void) | undefined
  /** Starts it: inside a sandbox, where there is one. */
  spawn?: SpawnGroup | undefined
  /** See `GroupOptions.writable`. */
  writable?: readonly string[] | undefined
}

export type Ended = {
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** It ran past its limit, which was given once more. */ extended: boolean
  /** It was ended because `isDone` said so. */ finished: boolean
}

const TICK_MS = 1_000

/**
 * Runs a command to its end or its limit. Rejects with the signal's reason when it is aborted,
 * after everything has ended.
 */
export async function runLimited({
  argv,
  cwd,
  env,
  run,
  step,
  input,
  file,
  maxBytes,
  timeoutMs,
  mayExtend,
  graceMs,
  signal,
  onTick,
  isDone,
  onOutput,
  spawn = spawnGroup,
  writable,
}: LimitedCommand): Promise<Ended | 'not found'> {
  signal.throwIfAborted()
  let command: GroupProcess
  try {
    command = await spawn({
      argv,
      cwd,
      env,
      markers: { run, step },
      stdin: input === undefined ? 'ignore' : 'pipe',
      stdout: { file, ...(maxBytes !== undefined && { maxBytes }) },
      onOutput,
      writable,
    })
  } catch (error) {
    if (error instanceof CommandNotFoundError) return 'not found'
    throw error
  }
  command.child.stdin?.on('error', () => undefined) // it ended before it had read all
  command.child.stdin?.end(input)
  let interrupt: (why: 'timeout' | 'abort' | 'done') => void = () => undefined
  const interrupted = new Promise<'timeout' | 'abort' | 'done'>((resolve) => (interrupt = resolve))
  const ticks = setInterval(() => {
    onTick?.(command.output?.lines ?? 0)
    if (isDone?.() === true) interrupt('done')
  }, TICK_MS)
  let extended = false
  let timer = setTimeout(atLimit, timeoutMs)
  function atLimit(): void {
    if (extended || mayExtend?.() !== true) return interrupt('timeout')
    extended = true
    timer = setTimeout(atLimit, timeoutMs)
  }
  const onAbort = () => interrupt('abort')
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  let why: 'timeout' | 'abort' | 'done' | undefined
  try {
    why = await Promise.race([command.exited.then(() => undefined), interrupted])
  } finally {
    clearInterval(ticks)
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await endGroupAndMarked(
      command.identity,
      { [MARKERS.run]: run, [MARKERS.step]: step },
      graceMs === undefined ? {} : { graceMs },
    )
    await command.closeOutput()
  }
  if (why === 'abort') throw signal.reason
  const exit = await command.exited
  return {
    exitCode: exit.code,
    signal: exit.signal,
    timedOut: why === 'timeout',
    extended,
    finished: why === 'done',
  }
}
