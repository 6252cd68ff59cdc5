// A worker dies in a test run of its agent: what the tests left in the tree is gone before the
// agent's session continues, and before anything else is done with the tree.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TurnSpec } from '../../../../src/contract/turn.js'
import type { AgentDriver } from '../../../../src/adapters/agents/driver.js'
import type { TurnTools } from '../../../../src/adapters/agents/tools/tool-server.js'
import {
  createClaim,
  saveClaim,
  type Claim,
} from '../../../../src/adapters/agents/turn/turn-store.js'
import { writeFence } from '../../../../src/adapters/agents/turn/workspace-lease.js'
import { withoutTraces } from '../../../../src/adapters/git/agent-tree.js'
import { changedFiles } from '../../../../src/adapters/git/steps.js'
import { Bench } from '../../../support/agents/bench.js'
import { makeWorkspace } from '../../../support/repositories/repos.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

const DEAD = { pid: 2 ** 30, startTime: 'gone', bootId: 'gone' }

/** A turn whose worker died in a test run, and its tree with what the tests left. */
async function diedInTests() {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const at = (name: string) => path.join(workspace.cwd, name)
  const spec = bench.spec({ workspace })
  writeFileSync(at('a.txt'), 'changed by the agent\n')
  let tree = ''
  await withoutTraces(
    workspace,
    () => Promise.resolve(),
    (noted) => (tree = noted ?? tree),
  )
  writeFileSync(at('a.txt'), 'changed by the tests\n')
  writeFileSync(at('left.txt'), '')
  rmSync(at('b.txt'))
  const { key, agent } = spec
  const claim = createClaim(bench.dirs, { key, run: bench.run, cwd: workspace.cwd, agent }) as Claim
  saveClaim(bench.dirs, {
    ...claim,
    driver: DEAD,
    process: DEAD,
    sessionId: 's-1',
    attempts: [{ attempt: 1, at: new Date().toISOString(), sessionId: 's-1' }],
    testing: { workspace, tree },
  })
  writeFence(bench.dirs, workspace.cwd, { keys: [key] })
  const isRestored = async (): Promise<boolean> =>
    readFileSync(at('a.txt'), 'utf8') === 'changed by the agent\n' &&
    existsSync(at('b.txt')) &&
    String(await changedFiles(workspace)) === 'a.txt'
  return { spec, isRestored }
}

const config = () => bench.config(bench.foreign('uses-tools.mjs', '[{"call":"diff"}]'))

/** Its `diff` says whether the tree is restored. */
const asked = (isRestored: () => Promise<boolean>): TurnTools => ({
  mayUse: true,
  runTests: () => Promise.reject(new Error('no test is run')),
  failures: () => undefined,
  diff: async () => ({ files: [`restored: ${await isRestored()}`], patch: '' }),
})

async function turn(driver: AgentDriver, spec: TurnSpec, isRestored: () => Promise<boolean>) {
  const result = await bench.call(driver, config(), spec, { tools: asked(isRestored) }).result
  expect(result.outcome).toBe('completed')
  expect(readFileSync(result.answer.path, 'utf8')).toContain('restored: true')
  return result
}

describe('what the tests of a worker that died left is undone before', () => {
  test('the session of the agent continues', async () => {
    const { spec, isRestored } = await diedInTests()
    expect(await turn(bench.driver(), spec, isRestored)).toMatchObject({ attempts: 2, crashes: 1 })
    expect(bench.claim()?.testing).toBeUndefined()
  })

  test('a turn is settled', async () => {
    const { spec, isRestored } = await diedInTests()
    await bench.driver().settleTurn(spec.key)
    expect(await isRestored()).toBe(true)
    expect(bench.claim()).toMatchObject({ released: true })
    expect(bench.claim()?.testing).toBeUndefined()
  })

  test('the next worker begins', async () => {
    const { isRestored } = await diedInTests()
    await bench.driver().sweep()
    expect(await isRestored()).toBe(true)
    expect(bench.claim()?.testing).toBeUndefined()
  })

  test('another turn begins in the workspace', async () => {
    const { spec, isRestored } = await diedInTests()
    await turn(bench.driver(), { ...spec, key: `${bench.run}/1/next` }, isRestored)
    expect(bench.claim()?.testing).toBeUndefined()
  })

  test('the workspace is measured', async () => {
    const { spec, isRestored } = await diedInTests()
    await bench.driver().endWorkspace(spec.workspace)
    expect(await isRestored()).toBe(true)
  })
})

test('while the tests run, the claim has the tree to restore, and not after it', async () => {
  const { workspace } = await makeWorkspace()
  const noted: unknown[] = []
  const tools: TurnTools = {
    ...asked(() => Promise.resolve(true)),
    runTests: (_, { noteTree }) => {
      noteTree('t'.repeat(40))
      noted.push(bench.claim()?.testing)
      return Promise.resolve({ kind: 'problem', reason: 'r', tail: '', restored: [] })
    },
  }
  const agent = bench.foreign('uses-tools.mjs', '[{"call":"run_tests"},{"call":"diff"}]')
  const given = {
    ...tools,
    diff: () => {
      noted.push(bench.claim()?.testing)
      return tools.diff()
    },
  }
  const spec = bench.spec({ workspace })
  await bench.call(bench.driver(), bench.config(agent), spec, { tools: given }).result
  expect(noted).toEqual([{ workspace, tree: 't'.repeat(40) }, undefined])
})

test('a run that could not be undone as the turn ended is undone before its result', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  const at = (name: string) => path.join(workspace.cwd, name)
  const tools: TurnTools = {
    ...asked(() => Promise.resolve(true)),
    runTests: async (_, { noteTree, signal }) => {
      let tree = ''
      await withoutTraces(
        workspace,
        () => Promise.resolve(),
        (noted) => (tree = noted ?? tree),
      )
      noteTree(tree)
      writeFileSync(at('a.txt'), 'changed by the tests\n')
      writeFileSync(at('go'), '')
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('no restore'))),
      )
    },
  }
  const agent = bench.foreign('uses-tools.mjs', '[{"start":"run_tests"},{"until":"go"}]')
  const spec = bench.spec({ workspace })
  const { outcome } = await bench.call(bench.driver(), bench.config(agent), spec, { tools }).result
  expect(outcome).toBe('completed')
  expect(await changedFiles(workspace)).toEqual([])
  expect(bench.claim()?.testing).toBeUndefined()
})
