// Takes a first look at the tests while the server program is downloaded or built. It reports
// minutes before the run why the run would be refused, and whether the tests can be measured.
import { GitError } from '../../adapters/git/git.js'
import { loadConfig } from '../../adapters/config/config.js'
import { deadLooks, firstLook, removeLook } from '../../adapters/preflight-tests.js'
import { userDirs } from '../../adapters/state-dir.js'
import { RefusalError } from '../../contract/failures.js'
import type { TestRun } from '../../contract/test-run.js'

/** Looks at the tests and prints what it saw; nothing here ends the start. */
export async function lookMeanwhile(
  env: NodeJS.ProcessEnv,
  project: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const dirs = userDirs(env)
  try {
    for (const id of deadLooks(dirs)) await removeLook(dirs, id)
    const loaded = loadConfig(project).config
    // The tree is the user's own, and nothing has proven the sandbox yet.
    const config = { ...loaded, sandbox: { ...loaded.sandbox, use: 'none' as const } }
    let isSaid = false
    const run = await firstLook(dirs, {
      project,
      config,
      env,
      signal,
      onProgress: () => {
        if (!isSaid) say('first look: running the tests once, in a copy of your tree')
        isSaid = true
      },
    })
    if (run !== undefined) for (const line of lookLines(run)) say(line)
  } catch (error) {
    if (signal.aborted || error instanceof GitError) return
    if (!(error instanceof RefusalError)) throw error
    if (error.type === 'NoTestCommand') return // a cycle or a loop may start without one
    say(`warning: Ratchet would refuse this run: ${error.message} (${error.where})`)
    say(`         ${error.next}`)
  }
}

/** Returns what a look has seen, as lines for a person. */
export function lookLines(run: TestRun): string[] {
  if (run.kind !== 'measured') return [`warning: the tests cannot be measured: ${run.reason}`]
  return [
    `first look: ${run.passed} of ${run.total} tests pass (${(run.durationMs / 1_000).toFixed(1)} s while the server starts); the run will measure them again`,
  ]
}
