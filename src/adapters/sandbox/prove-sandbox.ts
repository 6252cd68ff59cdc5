// Proves on this machine that a sandbox holds: a program inside it tries to leave in every way, and
// to do what it may.
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { SandboxSettings } from '../../contract/sandbox.js'
import { hiddenBelowHome } from '../../core/sandbox/hidden-paths.js'
import { joinNames } from '../../core/text/join-names.js'
import { jsonOf } from '../../core/text/json.js'
import { lastChars } from '../../core/text/test-text.js'
import { packaged } from '../package.js'
import { runLimited } from '../process/limited.js'
import type { Dirs } from '../state-dir.js'
import type { FoundComponent } from './find-component.js'
import { sandboxedSpawn } from './sandboxed-spawn.js'
import { homeOf } from '../home.js'

/** `problem`: the ways out that are open, or what does not work inside. */
export type Proof = { holds: true } | { holds: false; problem: string }

const LIMIT_MS = 20_000
const SHOWN = 400
const Tried = z.record(z.string(), z.boolean())
/** What a program inside must be able to do; everything else that it tries must fail. */
const MUST_WORK = ['writes in the workspace', 'reaches a named port']

/** Tries a component. It writes to the state directory only. */
export async function proveSandbox(
  dirs: Dirs,
  { component, program, image }: FoundComponent,
  env: NodeJS.ProcessEnv,
): Promise<Proof> {
  mkdirSync(dirs.state, { recursive: true, mode: 0o700 })
  const dir = mkdtempSync(path.join(dirs.state, 'sandbox-'))
  const work = path.join(dir, 'work')
  const home = homeOf(env)
  const outside = path.join(home, `.${path.basename(dir)}`)
  const [other, named] = [createServer((one) => one.end()), createServer((one) => one.end())]
  try {
    for (const folder of [work, path.join(dir, 'cache')]) mkdirSync(folder)
    writeFileSync(path.join(dir, 'secret'), 'secret')
    await Promise.all([other, named].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')))
    const portOf = (one: typeof other): number => (one.address() as AddressInfo).port
    const task = {
      secret: path.join(dir, 'secret'),
      hidden: hiddenBelowHome('tests')
        .map((name) => path.join(home, name))
        .filter((file) => existsSync(file)),
      outside,
      inside: path.join(work, 'written'),
      port: portOf(other),
      named: portOf(named),
      pid: process.pid,
    }
    const file = path.join(dir, 'output')
    const ended = await runLimited({
      argv: [process.execPath, packaged('sandbox/escapes.cjs'), JSON.stringify(task)],
      cwd: work,
      env,
      run: path.basename(dir),
      step: 'sandbox',
      file,
      timeoutMs: LIMIT_MS,
      graceMs: 0,
      signal: new AbortController().signal,
      spawn: sandboxedSpawn({
        component,
        program,
        settings: {
          ...SandboxSettings.parse({}),
          image,
          network: [`localhost:${task.named}`],
        },
        dirs,
        kind: 'tests',
        project: work,
        write: [work],
        cache: path.join(dir, 'cache'),
      }),
    })
    return ended === 'not found' || ended.timedOut
      ? judge('', false)
      : judge(readFileSync(file, 'utf8'), existsSync(outside))
  } finally {
    other.close()
    named.close()
    rmSync(outside, { force: true })
    rmSync(dir, { recursive: true, force: true })
  }
}

function judge(output: string, wroteOutside: boolean): Proof {
  // Behind what Node or an engine may have said before.
  const inside = output
    .split('\n')
    .map((line) => Tried.safeParse(jsonOf(line)).data)
    .find((one) => one !== undefined)
  if (inside === undefined)
    return {
      holds: false,
      problem: `a program in it did not run: ${lastChars(output.trim(), SHOWN) || 'it said nothing'}`,
    }
  const tried: Record<string, boolean> = {
    ...inside,
    'writes outside of the workspace': wroteOutside,
  }
  const open = Object.keys(tried).filter((way) => tried[way] === true && !MUST_WORK.includes(way))
  const closed = MUST_WORK.filter((way) => tried[way] !== true)
  if (open.length === 0 && closed.length === 0) return { holds: true }
  return {
    holds: false,
    problem: [
      ...(open.length === 0 ? [] : [`a program in it ${joinNames(open)}`]),
      ...(closed.length === 0 ? [] : [`a program in it never ${joinNames(closed)}`]),
    ].join('; '),
  }
}
