// The third way: `ratchet fix`, with a server, workers and a state directory of its own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { signal, until } from './bench.mjs'
import { MARKERS, findMarked, projectKey } from './parts.mjs'
import { TURNS } from './simple-ways.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A user of Ratchet, for all runs. `remove` ends all started processes. */
export function ratchetUser() {
  const root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-comparison-user-'))
  const env = { XDG_STATE_HOME: path.join(root, 'state') }
  const home = path.join(root, 'home')
  mkdirSync(home)
  return {
    home,
    env,
    remove(base) {
      spawnSync(process.execPath, [CLI, 'dev', '--stop', '--force'], {
        cwd: root,
        env: { ...base, ...env },
        stdio: 'ignore',
      })
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Starts a fix and runs the commands that a person would type next. */
export async function withRatchet(bench, event, user) {
  const ratchet = (...args) => {
    bench.typed.push(['ratchet', ...args.filter((arg) => arg !== '--json')])
    return bench.start(process.execPath, [CLI, ...args], user.env)
  }
  const first = ratchet(
    'fix',
    ...(bench.manner === 'lying' ? ['--max-iterations', String(TURNS)] : []),
    '--json',
  )
  const id = `WFS-test-${path.basename(bench.project)}.${projectKey(bench.project).slice(0, 6)}`
  if (event === undefined || event === 'hangs') {
    const result = resultOf(await first.ended)
    // Its report says what is left; a person who has read it continues the run.
    return result.outcome === 'blocked'
      ? { ...resultOf(await ratchet('resume', id, '--json').ended), blocked: result }
      : result
  }
  await bench.held()
  if (event === 'agent killed') {
    for (const { pid } of findMarked(MARKERS.run, id)) signal(pid, 'SIGKILL')
    return resultOf(await first.ended)
  }
  if (event === 'all killed') {
    await killAll(bench, first, id, user)
    await first.ended
    return resultOf(await ratchet('watch', id, '--json').ended)
  }
  // Overnight: pauses in mid-turn and shuts everything down.
  await done(ratchet('pause', id, '--now', '--json'))
  signal(first.pid, 'SIGINT')
  await first.ended
  await done(ratchet('dev', '--stop', '--force', '--json'))
  return resultOf(await ratchet('resume', id, '--json').ended)
}

/** `kill -9` for the command, the supervisor, the server, the workers and the agent. */
async function killAll(bench, first, id, { env }) {
  const { stdout } = await done(bench.start(process.execPath, [CLI, 'status', '--json'], env))
  const { server, workers } = JSON.parse(stdout)
  const { identity } = JSON.parse(
    readFileSync(path.join(env.XDG_STATE_HOME, 'ratchet/supervisor.json'), 'utf8'),
  )
  const pids = [
    identity.pid,
    first.pid,
    server.pid,
    ...workers.map(({ pid }) => pid),
    ...findMarked(MARKERS.run, id).map(({ pid }) => pid),
  ]
  for (const pid of pids) signal(pid, 'SIGKILL')
  await until(() => findMarked(MARKERS.run, id).length === 0, 'the agent to be gone')
}

function resultOf({ code, stdout, stderr }) {
  if (stdout.trim() === '')
    throw new Error(`ratchet ended with exit code ${code} and no result:\n${stderr}`)
  const { outcome, branch, iterations, failuresTotal, history } = JSON.parse(stdout)
  return { outcome, branch, iterations, failuresTotal, history }
}

async function done(started) {
  const end = await started.ended
  if (end.code !== 0) throw new Error(`ended with exit code ${end.code}:\n${end.stderr}`)
  return end
}
