// Whole runs whose agents and tests are in a sandbox. Skipped where bubblewrap is not installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isEngine } from '../../src/contract/sandbox.js'
import { packaged } from '../../src/adapters/package.js'
import { installedComponents } from '../../src/adapters/sandbox/find-component.js'
import { everybody } from '../support/cycle/cycle-play.js'
import { workers } from '../support/loop/loop-play.js'
import { DRAFT, drafts, TASK } from '../support/prep/prep-play.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import type { RunResult } from '../../src/client/index.js'
import { makeProject, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { fixer, whole } from '../support/runs/whole-run.js'

const WORDS = 'Make the calculator right'
/** An image with python3, pytest, nice and setpriv. */
const image = process.env['RATCHET_TEST_IMAGE']
const engine = installedComponents(process.env, image).find(
  (one) => isEngine(one.component) && spawnSync(one.program, ['info']).status === 0,
)
const isHere = installedComponents(process.env).some(({ component }) => component === 'bwrap')
if (!isHere) console.log('bwrap is not installed: runs in a sandbox are skipped')

test.runIf(engine !== undefined)('a fix in containers ends as without them', async () => {
  const user = await inProcessUser()
  onTestFinished(() => user.close())
  const { result } = await whole(
    user,
    'boxed',
    fixer(RIGHT_ADD, RIGHT_MUL, { fork: { setsid: true, 'ignore-term': true } }),
    // What the scripted agent imports.
    { sandbox: { use: engine?.component, image, read: [realpathSync(packaged('node_modules'))] } },
  )
  expect(result).toMatchObject({ outcome: 'success', sandbox: engine?.component, confirmed: true })
})

describe.runIf(isHere)('in a sandbox', () => {
  let user: InProcessUser
  beforeAll(async () => {
    user = await inProcessUser()
  })
  afterAll(() => user.close())

  test('a fix ends as without one, and the processes that its agent leaves are ended', async () => {
    const { result } = await whole(
      user,
      'enclosed',
      fixer(RIGHT_ADD, RIGHT_MUL, { fork: { setsid: true, 'ignore-term': true } }),
      { sandbox: 'bwrap' },
    )
    expect(result).toMatchObject({ outcome: 'success', passRate: 100, confirmed: true })
  })

  test('--sandbox encloses a run that its configuration leaves open, and its result says so', async () => {
    const project = makeProject(user, 'chosen', fixer(RIGHT_ADD, RIGHT_MUL))
    const { document } = await user.json<RunResult>(
      project,
      ...['fix', '--session', 'WFS-test-chosen', '--sandbox', 'bwrap'],
    )
    expect(document).toMatchObject({ outcome: 'success', sandbox: 'bwrap' })
    const { stdout } = await user.run(project, 'report', 'WFS-test-chosen', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      sandbox: 'bwrap around agents, set-up, checks and tests',
    })
  })

  test('--sandbox encloses a cycle, and its continuation where it is named again', async () => {
    const steps = everybody([RIGHT_ADD, RIGHT_MUL])
    const project = makeProject(user, 'cycle', steps)
    const run = async (...argv: string[]) => (await user.json<RunResult>(project, ...argv)).document
    const first = await run('cycle', WORDS, '--sandbox', 'bwrap')
    expect(first).toMatchObject({ outcome: 'completed', passRate: 100, sandbox: 'bwrap' })
    expect(await run('extend', first.id, 'Also multiply', '--sandbox', 'bwrap')).toMatchObject({
      id: first.id,
      passRate: 100,
      sandbox: 'bwrap',
    })
    expect(await run('resume', first.id)).not.toHaveProperty('sandbox')
  })

  test('--sandbox encloses a loop and a preparation', async () => {
    const steps = [drafts({ ...DRAFT, tasks: [TASK] }), ...workers([RIGHT_ADD, RIGHT_MUL])]
    const project = makeProject(user, 'loop', steps)
    const run = async (...argv: string[]) =>
      (await user.json<RunResult>(project, ...argv, '--sandbox', 'bwrap')).document
    expect(await run('prep', 'loop', WORDS, '--auto')).toMatchObject({
      outcome: 'ready',
      sandbox: 'bwrap',
    })
    expect(await run('loop', WORDS, '--mode', 'auto')).toMatchObject({
      outcome: 'completed',
      passRate: 100,
      sandbox: 'bwrap',
    })
  })

  test('init tries the tests inside, and with --yes it writes the sandbox that they run in', async () => {
    const project = makeProject(user, 'begun', [])
    const { stdout } = await user.run(project, 'init', '--force', '--yes')
    expect(stdout).toMatch(
      /^sandbox: the tests say the same inside bwrap as outside: \d of \d pass$/m,
    )
    const file = path.join(project, 'ratchet.config.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ sandbox: 'auto' })

    const unattended = await user.run(project, 'init', '--force')
    expect(unattended.stdout).toContain(
      'to enclose runs, which then allow that, add "sandbox": "auto"',
    )
    expect(readFileSync(file, 'utf8')).not.toContain('sandbox')
  })

  test('code of an agent that runs in the tests writes nothing outside of the workspace', async () => {
    const mark = path.join(os.homedir(), `.ratchet-run-${process.pid}`)
    const { result } = await whole(
      user,
      'reaching',
      fixer({
        write: {
          path: 'calc.py',
          text: `try:\n    open(${JSON.stringify(mark)}, "w").close()\nexcept OSError:\n    pass\n\n\ndef add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n`,
        },
      }),
      { sandbox: 'bwrap' },
    )
    expect(result).toMatchObject({ outcome: 'success' })
    expect(existsSync(mark)).toBe(false)
  })

  test('a baseline that starts only outside names what was blocked, and costs no turn', async () => {
    const file = path.join(os.homedir(), `.ratchet-run-${process.pid}`, 'made')
    mkdirSync(path.dirname(file))
    onTestFinished(() => rmSync(path.dirname(file), { recursive: true }))
    const { result } = await whole(user, 'blocked', fixer(RIGHT_ADD), {
      sandbox: 'bwrap',
      test: {
        command: ['sh', '-c', `touch ${file} && python3 -m pytest --junitxml=report.xml`],
        report: { format: 'junit', path: 'report.xml' },
      },
    })
    expect(result).toMatchObject({ outcome: 'failed', usage: { turns: 0 } })
    expect(result.reason).toMatch(
      /^The tests run outside of the sandbox \(bwrap\) and not inside, where they may not write \S+\/made\. Add "sandbox": \{.*\} to ratchet.config.json, or start without it: --sandbox none/,
    )
  })
})
