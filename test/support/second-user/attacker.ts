// Starts a program as another user of this machine, where the tests may: as root.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Of an account without rights on most machines; needs no entry in `/etc/passwd`. */
const OTHER = { uid: 65_534, gid: 65_534 }

/** Why this machine has no second user for the tests; `undefined` if it has one. */
export const WITHOUT_SECOND_USER = whyNot()

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, who alone can start a program as another user'
  const { error, status } = spawnSync('ls', ['-d', `${os.tmpdir()}/.`], { ...OTHER, env: {} })
  if (error !== undefined) return `does not start here: ${error.message}`
  return status === 0 ? undefined : 'needs a temporary directory that all users may enter'
}

export type Answer = { code: number; text: string }
export type Touch = 'read' | 'list' | 'follow link' | 'write' | 'create' | 'enter'

export type Attacker = {
  /** Its home, which it may write. */
  home: string
  /** The touches that the system allowed, as `read /a/file`. */
  touch: (names: readonly Touch[], files: readonly string[]) => Promise<string[]>
  /** For each process `done`, or the code of the error. */
  signal: (pids: readonly number[], name: NodeJS.Signals) => Promise<string[]>
  /** Makes symbolic links of these names to a new directory: `done`, or the code of the error. */
  link: (names: readonly string[], dir: string) => Promise<string>
  /** Touches all that appears in a directory from now on. */
  ambush: (dir: string) => Promise<void>
  /** Notes the command lines of all processes from now on. */
  watchCommands: () => Promise<void>
  /** Command lines, names in the ambushed directory, and touches that were allowed there. */
  seen: () => Promise<{ commands: string[]; names: string[]; reached: string[] }>
  /** A port of 127.0.0.1 whose connections this user opens to `port`. */
  relay: (port: number) => Promise<number>
  /** An HTTP request to a port of 127.0.0.1; `code` 0 without an answer. */
  ask: (request: {
    port: number
    path?: string
    method?: string
    headers?: Record<string, string>
    body?: string
  }) => Promise<Answer>
  uid: () => Promise<number>
  end: () => Promise<void>
}

/**
 * Starts the attacker.
 *
 * @param dir that other users may enter; its program is copied to it, and Node if it is in a
 * directory of root
 */
export function attacker(dir: string): Attacker {
  const place = path.join(dir, 'attacker')
  mkdirSync(place, { mode: 0o755 })
  chownSync(place, OTHER.uid, OTHER.gid)
  const copy = (file: string, mode: number): string => {
    const to = path.join(place, path.basename(file))
    copyFileSync(file, to)
    chmodSync(to, mode)
    return to
  }
  const program = copy(fileURLToPath(new URL('attacker.mjs', import.meta.url)), 0o644)
  const runsNode = spawnSync(process.execPath, ['--version'], { ...OTHER, cwd: '/', env: {} })
  const node = runsNode.status === 0 ? process.execPath : copy(process.execPath, 0o755)
  const child = spawn(node, [program], {
    ...OTHER,
    cwd: '/',
    env: { HOME: place, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const act = <T>(deed: string, given: object = {}): Promise<T> => {
    const came = last.then(async () => {
      child.stdin.write(`${JSON.stringify({ deed, ...given })}\n`)
      const answer = await answers.next()
      if (answer.done === true) throw new Error(`the attacker ended at: ${deed}`)
      return JSON.parse(answer.value) as T
    })
    last = came.catch(() => undefined)
    return came
  }
  return {
    home: place,
    touch: (names, files) => act('touch', { names, files }),
    signal: (pids, name) => act('signal', { pids, name }),
    link: (names, trap) => act('link', { names, dir: trap }),
    ambush: (at) => act('ambush', { dir: at }),
    watchCommands: () => act('watchCommands'),
    seen: () => act('seen'),
    relay: (port) => act('relay', { port }),
    ask: (request) => act('ask', request),
    uid: () => act('uid'),
    async end() {
      child.stdin.end()
      await ended
    },
  }
}
