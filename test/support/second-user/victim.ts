// A user of this machine with a run that waits for an answer, in the processes of the built
// `ratchet`. The home, the project and the temporary directory are open to other users, as on a
// machine with a lax umask: what they cannot reach, Ratchet itself has closed.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findMarked } from '../../../src/adapters/process/find.js'
import { isAlive } from '../../../src/adapters/process/identity.js'
import { knownSigningKey } from '../../../src/adapters/signing/signing-key.js'
import { dirsOf, hostId, projectKey, type Dirs } from '../../../src/adapters/state-dir.js'
import {
  recordedSupervisor,
  type SupervisorRecord,
} from '../../../src/adapters/supervisor/supervisor-call.js'
import { MARKERS, projectQueue } from '../../../src/contract/names.js'
import type { ProcessIdentity } from '../../../src/contract/registry.js'
import { livingChildren } from '../../../src/dev-server/children.js'
import { recordedServer, type ServerRecord } from '../../../src/dev-server/server-record.js'
import { cliProcessUser, type CliProcessUser, type Ran, type Started } from '../cli-process.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../runs/real-run.js'
import { waitFor } from '../wait.js'

const PATIENCE_MS = 120_000
const SESSION = 'WFS-test-mine'
/** In the environment of the user's shell; the agent gets it. */
const KEY = 'sk-planted-0123456789abcdef'
/** Content of a file that only the user may read. */
export const PRIVATE = 'private words of the user'

/** All that Ratchet has made of a kind, as paths. */
export type Made = { files: string[]; dirs: string[] }

export type Victim = {
  user: CliProcessUser
  dirs: Dirs
  project: string
  /** The shared temporary directory. */
  temporary: string
  /** Workflow id of the run. */
  run: string
  /** Queue of the project's worker. */
  queue: string
  server: ServerRecord
  supervisor: SupervisorRecord
  /** Supervisor, server, workers and agent. */
  processes: ProcessIdentity[]
  /** What stands in files or memory and must be seen by no one else. */
  secrets: string[]
  made: () => Made
  alive: () => boolean
  /** Answers the question, if no one has, and waits for the end of the run. */
  finish: () => Promise<Ran>
}

/** Opens what a person may have opened: all above and around the state of Ratchet. */
export function openUser(): { user: CliProcessUser; dirs: Dirs; temporary: string } {
  const user = cliProcessUser()
  const temporary = path.join(user.root, 'tmp')
  Object.assign(user.env, { TMPDIR: temporary, PLANTED_KEY: KEY })
  const dirs = dirsOf(user.env)
  mkdirSync(temporary)
  mkdirSync(dirs.state, { recursive: true })
  for (const dir of [user.root, path.join(user.root, 'home'), dirs.state]) chmodSync(dir, 0o755)
  chmodSync(temporary, 0o1777)
  return { user, dirs, temporary }
}

/** Starts a server and a run, and returns when the run asks. */
export async function victim(
  { user, dirs, temporary }: ReturnType<typeof openUser>,
  isPrivate: boolean,
): Promise<Victim> {
  const project = user.project(
    'mine',
    [ANALYSE, { do: [{ ask: 'May I write outside?' }, RIGHT_ADD, RIGHT_MUL] }],
    {
      permissions: 'ask',
      agents: { playbook: { protocol: 'playbook', passEnv: ['PLANTED_KEY'] } },
    },
  )
  // Not committed
  writeFileSync(path.join(project, 'private.txt'), PRIVATE, { mode: 0o600 })
  const dev = user.start(project, 'dev', ...(isPrivate ? ['--private'] : []))
  await says(dev, () => dev.stdout(), 'Ctrl-C')
  const fix = user.start(project, 'fix', '--json')
  await says(fix, () => fix.stderr(), 'ratchet answer')
  const [server, supervisor] = [recordedServer(dirs), recordedSupervisor(dirs)]
  if (server === undefined || supervisor === undefined) throw new Error('nothing runs')
  const key = projectKey(project)
  const run = `${SESSION}.${key.slice(0, 6)}`
  const processes = [
    supervisor.identity,
    server.identity,
    ...livingChildren(dirs).map((child) => child.identity),
    ...findMarked(MARKERS.run, run),
  ]
  let ended: Promise<Ran> | undefined
  const answered = async (): Promise<Ran> => {
    await user.ratchet(project, 'answer', SESSION, 'allow')
    return fix.ended
  }
  return {
    user,
    dirs,
    project,
    temporary,
    run,
    queue: projectQueue(hostId(dirs), key),
    server,
    supervisor,
    processes,
    secrets: [KEY, supervisor.token, ...(isPrivate ? [knownSigningKey(dirs)] : [])],
    made: () => {
      const [state, cache] = [allBelow(dirs.state), allBelow(dirs.cache)]
      const record = allBelow(path.join(project, '.workflow'))
      return {
        files: [...state.files, ...cache.files, ...record.files],
        dirs: [...state.dirs, ...cache.dirs, ...record.dirs],
      }
    },
    alive: () => processes.every(isAlive),
    finish: () => (ended ??= answered()),
  }
}

async function says(started: Started, text: () => string, words: string): Promise<void> {
  const ended = started.ended.then(({ stderr }) => {
    throw new Error(`it ended before it said ${JSON.stringify(words)}: ${stderr}`)
  })
  const heard = waitFor(() => text().includes(words), { what: words, timeoutMs: PATIENCE_MS })
  await Promise.race([heard, ended])
}

function allBelow(dir: string): Made {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  const at = (kind: boolean): string[] =>
    entries
      .filter((entry) => entry.isDirectory() === kind)
      .map((entry) => path.join(entry.parentPath, entry.name))
  return { files: at(false), dirs: [dir, ...at(true)] }
}
