// ratchet agents try: runs two small turns of one agent through the driver that runs use, without a
// server.
// The workspace is a fresh repository below the state directory, and so is the record of the turns;
// both are removed afterwards. The second turn uses a fresh driver and process, and asks for a word
// from the first prompt, which detects a session that is resumed in name only.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { TurnResult, TurnSpec, Usage } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { createAgentDriver } from '../../adapters/agents/driver.js'
import { turnFiles } from '../../adapters/agents/turn/turn-store.js'
import { git, WorkspaceMissingError } from '../../adapters/git/git.js'
import { findRepo } from '../../adapters/git/repo.js'
import { changedFiles } from '../../adapters/git/steps.js'
import { layout, type Dirs } from '../../adapters/state-dir.js'
import { makeClone } from '../../adapters/workspace/clone.js'
import { eventLines } from './agents-events.js'
import { CommandError, EXIT } from '../output/errors.js'

export const TRY_PROMPT =
  'Write a file named hello.txt that holds the one word "hello". Then say in one sentence what you did.'
const ASK_BACK =
  'Which word were you asked to keep in mind? Answer with that word alone, and change no file.'
/** Grace for an agent that is asked to stop; short, as a person waits. */
const CANCEL_GRACE_MS = 2_000
/** Limit of a shown answer. */
const ANSWER_CHARS = 2_000

export type TriedTurn = Pick<TurnResult, 'outcome' | 'changedFiles' | 'durationMs'> & {
  sessionId: string | null
  answer: string
  usage: Usage
  reason: string | null
  limitedUntil: string | null
}
export type Tried = {
  agent: string
  turns: TriedTurn[]
  /** Whether the second turn resumed the session of the first, in another process. */
  resumed: boolean
  /** Whether it remembered the word of the first turn; `null` without a second turn. */
  remembered: boolean | null
}

export type TryInput = {
  agent: string
  config: Config
  project: string
  prompt: string
  /** For both turns together, in milliseconds. */
  timeoutMs: number
  env: NodeJS.ProcessEnv
  dirs: Dirs
  signal: AbortSignal
  say: (line: string) => void
}

/** Runs the two turns, the second only if the first was completed. Leaves nothing behind. */
export async function tryAgent(input: TryInput): Promise<Tried> {
  const place = makePlace(input.dirs)
  try {
    const workspace = await makeWorkspace(place, input.project)
    const word = `ratchet-${randomBytes(3).toString('hex')}`
    const deadline = Date.now() + input.timeoutMs
    const told = `${input.prompt}\n\nKeep this word in mind, you will be asked for it later: ${word}`
    const first = await turn(input, { place, workspace, deadline }, 1, told)
    const one = { agent: input.agent, resumed: false, remembered: null }
    if (first.outcome !== 'completed' || input.signal.aborted)
      return { ...one, turns: [tried(first)] }
    const second = await turn(input, { place, workspace, deadline }, 2, ASK_BACK, first.sessionId)
    const answer = tried(second)
    return {
      ...one,
      turns: [tried(first), answer],
      resumed:
        second.outcome === 'completed' &&
        first.sessionId !== undefined &&
        second.sessionId === first.sessionId,
      remembered: answer.answer.includes(word),
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

type Where = { place: string; workspace: Workspace; deadline: number }

// A driver of its own for each turn: the memory and the process of the first are gone.
async function turn(
  { agent, config, env, signal, say }: TryInput,
  { place, workspace, deadline }: Where,
  n: number,
  prompt: string,
  sessionId?: string,
): Promise<TurnResult> {
  const dirs = { state: path.join(place, 'state'), cache: path.join(place, 'cache') }
  const run = path.basename(place)
  const limitMs = Math.max(deadline - Date.now(), 1)
  const driver = createAgentDriver({
    dirs,
    changedFiles: (one) => changedFiles(one),
    timing: { startMs: limitMs, cancelGraceMs: CANCEL_GRACE_MS },
  })
  const spec: TurnSpec = {
    key: `${run}/${n}`,
    agent,
    workspace,
    prompt,
    limitMs,
    idleMs: limitMs,
    followUp: false,
    sessionId,
    header: {
      run,
      kind: 'test-fix',
      role: 'test-fix-agent',
      iteration: n,
      turn: 'work',
      paths: { project: workspace.project, workspace: workspace.cwd },
    },
  }
  say(`turn ${n}: ${prompt.split('\n', 1)[0] ?? ''}`)
  const lines = eventLines(turnFiles(layout.turn(dirs, spec.key)).transcript)
  const show = (): void => lines().forEach(say)
  const begun = performance.now()
  try {
    const result = await driver.runTurn(spec, {
      config,
      env,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      onProgress: show,
    })
    // The driver's duration has a resolution of a second
    return { ...result, durationMs: Math.round(performance.now() - begun) }
  } catch (error) {
    if (!(error instanceof WorkspaceMissingError)) throw error
    throw new CommandError(EXIT.otherwise, {
      type: 'WorkspaceGone',
      message: `${agent} removed or broke the repository of the trial`,
      where: error.place,
      next: `see above what it did; a run with ${agent} would end as blocked`,
    })
  } finally {
    show()
    await driver.shutdown()
    await driver.endRun(run)
  }
}

function tried(result: TurnResult): TriedTurn {
  const {
    outcome,
    changedFiles: files,
    durationMs,
    sessionId = null,
    usage,
    reason = null,
    limitedUntil,
  } = result
  return {
    outcome,
    reason,
    sessionId,
    answer: readFileSync(result.answer.path, 'utf8').trim().slice(0, ANSWER_CHARS),
    usage,
    changedFiles: files,
    durationMs,
    limitedUntil: limitedUntil === undefined ? null : new Date(limitedUntil).toISOString(),
  }
}

// Named after this process, so that the remains of a killed one are found.
function makePlace({ state }: Dirs): string {
  const above = path.join(state, 'tries')
  mkdirSync(above, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(above))
    if (!isAlive(Number(name.split('-')[1])))
      rmSync(path.join(above, name), { recursive: true, force: true })
  const place = path.join(above, `try-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(path.join(place, 'state'), { recursive: true, mode: 0o700 })
  return place
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function makeWorkspace(place: string, project: string): Promise<Workspace> {
  const [origin, root] = [path.join(place, 'origin'), path.join(place, 'workspace')]
  mkdirSync(origin)
  await git(origin, ['init', '-q', '-b', 'main'])
  await git(origin, [
    '-c',
    'user.name=Ratchet',
    '-c',
    'user.email=ratchet@localhost',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'empty',
  ])
  const { stdout: base } = await git(origin, ['rev-parse', 'HEAD'])
  await makeClone(await findRepo(origin), root, { branch: 'main', base })
  return { project, root, cwd: root, branch: 'main', base, isolation: 'clone' }
}
