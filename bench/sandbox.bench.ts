// What a sandbox costs for each program that it encloses: a test run, which has no network, and an
// agent's process, whose network is carried by a relay. Each is compared with the same program without one.
// Container engines are measured where RATCHET_TEST_IMAGE names an image.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { Config } from '../src/contract/config/config.js'
import { isEngine, type SandboxComponent } from '../src/contract/sandbox.js'
import { installedComponents } from '../src/adapters/sandbox/find-component.js'
import { sandboxOf } from '../src/adapters/sandbox/run-sandbox.js'
import { runLimited } from '../src/adapters/process/limited.js'
import type { SpawnGroup } from '../src/adapters/process/spawn-group.js'
import { tempDir, tempDirs } from '../test/support/repositories/repos.js'
import { median } from './support/numbers.js'
import { sized, tell, type Row } from './support/results.js'

const TIMES = sized(15, 3)
const image = process.env['RATCHET_TEST_IMAGE']

test('a program in a sandbox', async () => {
  const dirs = tempDirs()
  const root = path.join(dirs.state, 'workspaces', 'k', 'n', 'tree')
  mkdirSync(root, { recursive: true })
  const workspace = { project: tempDir(), root, cwd: root }
  const timed = async (spawn: SpawnGroup | undefined): Promise<number> => {
    const began = performance.now()
    await runLimited({
      argv: [process.execPath, '-e', '0'],
      cwd: root,
      env: process.env,
      run: 'bench',
      step: 'sandbox',
      file: path.join(dirs.state, 'output'),
      timeoutMs: 60_000,
      graceMs: 0,
      signal: new AbortController().signal,
      spawn,
    })
    return performance.now() - began
  }
  const rows: Row[] = []
  for (const { component } of installedComponents(process.env, image)) {
    const settings = (network: string[]) =>
      Config.parse({ sandbox: { use: component, image, network } })
    const without = sandboxOf({ dirs, env: process.env }, settings([]))(workspace, 'tests')
    const carried = sandboxOf({ dirs, env: process.env }, settings(['example.com']))(
      workspace,
      'tests',
    )
    const took: [number[], number[], number[]] = [[], [], []]
    for (let n = 0; n < TIMES; n++)
      for (const [kind, spawn] of [undefined, without, carried].entries())
        took[kind]?.push(await timed(spawn))
    const [plain = 0, enclosed = 0, relayed = 0] = took.map(median)
    rows.push(
      costOf(component, 'a test run, without a network', enclosed - plain),
      costOf(component, 'a turn, with a network', relayed - plain),
    )
  }
  tell({
    order: 7,
    title: 'A sandbox',
    how: `What it adds to a program that ends at once: medians of ${TIMES} starts each, by turns. Empty where no sandbox is installed.`,
    rows,
  })
})

function costOf(component: SandboxComponent, what: string, ms: number): Row {
  const goal = isEngine(component) ? '< 1,500' : '< 300'
  return { what: `${component}, ${what}`, value: Math.round(ms), unit: 'ms', goal }
}
