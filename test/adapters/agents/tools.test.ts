// The tools of a session: the real relay, started by an agent as its MCP server, and the worker's
// side in the driver. What the tools do is a stand-in here; with real tests: test/runs/agent-tools.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentTestRun } from '../../../src/contract/agent-tools.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { TurnSpec } from '../../../src/contract/turn.js'
import { relayMarker } from '../../../src/adapters/agents/leftovers.js'
import { ToolFolder, toolFolder } from '../../../src/adapters/agents/tools/tool-files.js'
import type { TurnTools } from '../../../src/adapters/agents/tools/tool-server.js'
import { stepMarker } from '../../../src/adapters/agents/turn/turn-store.js'
import { packaged } from '../../../src/adapters/package.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { Bench, ManualClock } from '../../support/agents/bench.js'
import { waitFor } from '../../support/wait.js'

let bench: Bench
let runs: { files: readonly string[]; aborted: boolean }[]
beforeEach(() => {
  bench = new Bench()
  runs = []
})
afterEach(() => bench.end())

const RED: AgentTestRun = {
  kind: 'measured',
  passed: 1,
  failed: 1,
  skipped: 0,
  failures: [{ file: 'a.test.js', test: 'adds', error: 'expected 3, got 2' }],
  restored: [],
}

const tools = (more: Partial<TurnTools> = {}): TurnTools => ({
  mayUse: true,
  runTests: (files, { signal }) => {
    const run = { files, aborted: false }
    runs.push(run)
    signal.addEventListener('abort', () => (run.aborted = true))
    return Promise.resolve(RED)
  },
  failures: () => [{ file: 'b.test.js', test: 'subtracts', error: 'expected 1' }],
  diff: () => Promise.resolve({ files: ['a.js'], patch: 'diff --git a/a.js b/a.js\n-1\n+2\n' }),
  ...more,
})
/** Ends only when it is aborted. */
const endless = (): TurnTools =>
  tools({
    runTests: (files, { signal }) => {
      const run = { files, aborted: false }
      runs.push(run)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          run.aborted = true
          reject(signal.reason as Error)
        }),
      )
    },
  })

type Step = Record<string, unknown>
const agent = (steps: Step[], ...flags: string[]) =>
  bench.foreign('uses-tools.mjs', JSON.stringify(steps), ...flags)
const CALL: Step = { call: 'run_tests' }

/** What the agent said the tools answered. */
function told(answer: { path: string }): { tool: string; text: string; isError: boolean }[] {
  return readFileSync(answer.path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { tool: string; text: string; isError: boolean })
}

async function turn(
  steps: Step[],
  { spec = bench.spec(), limits = {}, given = tools(), roles = {}, flags = [] as string[] } = {},
) {
  const config = bench.config(agent(steps, ...flags), { limits, roles })
  const result = await bench.call(bench.driver(), config, spec, { tools: given }).result
  return { result, told: told(result.answer) }
}

const header = (role: TurnSpec['header']['role']): Partial<TurnSpec> => ({
  header: { ...bench.spec().header, role },
})

describe('an agent uses the tools of its session', () => {
  test('run_tests, failures and diff are answered by the worker, counted and timed', async () => {
    const { result, told } = await turn([
      { call: 'failures' },
      { call: 'run_tests', args: { files: ['a.test.js'] } },
      { call: 'failures' },
      { call: 'diff' },
    ])
    expect(result.outcome).toBe('completed')
    expect(told.map(({ tool, isError }) => [tool, isError])).toEqual([
      ['failures', false],
      ['run_tests', false],
      ['failures', false],
      ['diff', false],
    ])
    expect(told[0]?.text).toContain('b.test.js > subtracts')
    expect(told[1]?.text).toMatch(/1 passed, 1 failed\.[^]*4 test runs left[^]*expected 3, got 2/)
    expect(told[2]?.text).toContain('1 failing test in your last test run')
    expect(told[3]?.text).toContain('Changed: a.js.')
    expect(runs.map(({ files }) => files)).toEqual([['a.test.js']])
    expect(result.tests?.runs).toBe(1)
    // Nothing of it is left for a commit or a measurement
    expect(readdirSync(bench.cwd)).toEqual([])
  })

  test('an agent that refuses a session with the tools works without them, also when resumed', async () => {
    const first = await turn([{ list: true }], { flags: ['no-servers'] })
    expect(first).toMatchObject({ result: { outcome: 'completed' }, told: [{ servers: [] }] })
    const { sessionId } = first.result
    const second = await turn([{ list: true }], {
      spec: bench.spec({ key: `${bench.run}/2/fix`, sessionId, followUp: true }),
      flags: ['no-servers'],
    })
    expect(second).toMatchObject({
      result: { outcome: 'completed', sessionId },
      told: [{ servers: [] }],
    })
  })

  test('runs beyond limits.agentTestRuns are refused', async () => {
    const { result, told } = await turn([CALL, CALL, CALL], { limits: { agentTestRuns: 2 } })
    expect(runs).toHaveLength(2)
    expect(told[2]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/2 test runs.*used/) as string,
    })
    expect(result.tests?.runs).toBe(2)
  })

  test.each([
    ['agentTestRuns is 0', 'test-fix-agent', { agentTestRuns: 0 }, {}, []],
    ['a role that writes no code', 'requirements-analyst', {}, {}, []],
    ['an analysis whose fix has another agent', 'cli-planning-agent', {}, {}, []],
    [
      'an analysis whose fix may continue its session',
      'cli-planning-agent',
      {},
      { 'test-fix-agent': 'a' },
      ['ratchet'],
    ],
    ['a role that writes code', 'loop-develop', {}, {}, ['ratchet']],
  ] as const)('which sessions get the server: %s', async (_, role, limits, roles, servers) => {
    const { told } = await turn([{ list: true }], { spec: bench.spec(header(role)), limits, roles })
    expect(told).toEqual([{ servers }])
  })

  test('a turn that changes no code is refused, although its session has them', async () => {
    const { told } = await turn([CALL, { call: 'diff' }], { given: tools({ mayUse: false }) })
    expect(told.map(({ isError }) => isError)).toEqual([true, true])
    expect(runs).toEqual([])
  })

  test('the next turn of a kept process uses them, also where the server left its group', async () => {
    const driver = bench.driver()
    const config = bench.config(agent([CALL], 'detached'))
    const hooks = { tools: tools() }
    const first = await bench.call(driver, config, bench.spec({ followUp: true }), hooks).result
    const relays = findMarked(MARKERS.step, relayMarker(stepMarker(bench.dirs, bench.spec().key)))
    expect(relays).toHaveLength(1)
    const second = await bench.call(
      driver,
      config,
      bench.spec({ key: `${bench.run}/1/next`, sessionId: first.sessionId as string }),
      hooks,
    ).result
    expect([first, second].map(({ leftovers, tests }) => [leftovers, tests?.runs])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(told(second.answer)).toHaveLength(1)
    // The server ends with its agent
    expect(findMarked(MARKERS.run, bench.run)).toEqual([])
    expect(readdirSync(bench.cwd)).toEqual([])
  })
})

test('a process that passes itself off as the server ends with the agent', async () => {
  const { result } = await turn([{ leaves: true }, CALL])
  expect(result.outcome).toBe('completed')
  expect(findMarked(MARKERS.run, bench.run)).toEqual([])
})

test('what a dead worker left is gone before a workspace is measured', async () => {
  ToolFolder.open(bench.cwd, 'm').close()
  await bench.driver().endWorkspace(bench.spec().workspace)
  expect(readdirSync(bench.cwd)).toEqual([])
})

describe('the clocks and the end of a turn', () => {
  test('a test run is time of neither clock', async () => {
    const clock = new ManualClock()
    let release = (): void => undefined
    const given = tools({
      runTests: async () => {
        runs.push({ files: [], aborted: false })
        await new Promise<void>((resolve) => (release = resolve))
        return RED
      },
    })
    const config = bench.config(agent([CALL]))
    const call = bench.call(
      bench.driver({ clock }),
      config,
      bench.spec({ limitMs: 30_000, idleMs: 20_000 }),
      { tools: given },
    )
    await waitFor(() => runs.length > 0, { what: 'the test run' })
    clock.advance(100_000)
    release()
    const result = await call.result
    expect(result.outcome).toBe('completed')
    expect(result.durationMs).toBeLessThan(30_000)
  })

  test('a stop ends the test run at once, also where the agent does not heed it', async () => {
    const driver = bench.driver({ timing: { cancelGraceMs: 600_000 } })
    const call = bench.call(driver, bench.config(agent([CALL], 'deaf')), bench.spec(), {
      tools: endless(),
    })
    await waitFor(() => runs.length > 0, { what: 'the test run' })
    call.abort()
    await waitFor(() => runs[0]?.aborted, { what: 'the end of the test run' })
    process.kill(bench.claim()?.process?.pid as number, 'SIGKILL')
    expect((await call.result).outcome).toBe('stopped')
  })

  test('the end of the turn ends a test run that its agent does not wait for', async () => {
    const { result } = await turn([{ start: 'run_tests' }, { until: 'go' }], {
      given: {
        ...endless(),
        runTests: (files, run) => {
          writeFileSync(path.join(bench.cwd, 'go'), '')
          return endless().runTests(files, run)
        },
      },
    })
    expect(result.outcome).toBe('completed')
    expect(runs[0]?.aborted).toBe(true)
  })

  test('a turn whose agent died has the tools again, and its runs stay counted', async () => {
    const { result, told } = await turn([CALL, { die: true }, CALL, CALL], {
      limits: { agentTestRuns: 3 },
    })
    expect(result).toMatchObject({ outcome: 'completed', crashes: 1, tests: { runs: 3 } })
    // Of three calls before and after the death that are allowed, one was before it
    expect(told.map(({ isError }) => isError)).toEqual([false, false, false, true])
  })

  test('so does a turn that the next worker continues', async () => {
    const config = bench.config(agent([CALL]), { limits: { agentTestRuns: 1 } })
    const call = bench.call(bench.driver(), config, bench.spec(), { tools: endless() })
    await waitFor(() => runs.length > 0, { what: 'the test run' })
    // A worker that dies here would not give it back
    expect(bench.claim()?.tests?.runs).toBe(1)
    call.abort('shutdown')
    await expect(call.result).rejects.toThrow()
    const next = await bench.call(bench.driver(), config, bench.spec(), { tools: tools() }).result
    expect(told(next.answer)[0]).toMatchObject({ isError: true })
    expect(next.tests?.runs).toBe(1)
  })
})

describe('what an agent puts into the folder', () => {
  const ID = 'a'.repeat(32)
  const request = (more: Step = {}) =>
    JSON.stringify({ id: ID, tool: 'run_tests', arguments: {}, ...more })

  test.each([
    ['text that is no JSON', [{ raw: 'req-1.json', text: 'hello' }]],
    ['an unknown tool', [{ raw: 'req-1.json', text: request({ tool: 'shell' }) }]],
    ['more than a call has', [{ raw: 'req-1.json', text: request({ command: 'ls' }) }]],
    [
      'a huge file',
      [{ raw: 'req-1.json', text: request({ arguments: { files: ['x'.repeat(1e5)] } }) }],
    ],
    [
      'a link to a call',
      [
        { raw: 'call', text: request() },
        { link: 'req-1.json', to: 'call' },
      ],
    ],
    ['a number that is not due', [{ raw: 'req-7.json', text: request() }]],
    ['a folder of another turn', [{ write: '.ratchet/tools/other/req-1.json', text: request() }]],
  ] as const)('%s runs nothing, and the next call is answered', async (_, steps) => {
    const { result, told } = await turn([...steps, CALL])
    expect(result.outcome).toBe('completed')
    expect(told).toMatchObject([{ tool: 'run_tests', isError: false }])
    expect(runs).toHaveLength(1)
  })

  test('a call that is written again is not run again', async () => {
    await turn([CALL, { raw: 'req-1.json', text: request() }, CALL])
    expect(runs).toHaveLength(2)
  })

  test.each([
    ['an option', ['--reporter=x']],
    ['a path out of the project', ['../other/a.test.js']],
    ['an absolute path', ['/etc/passwd']],
  ])('%s is no test file', async (_, files) => {
    const { told, result } = await turn([{ call: 'run_tests', args: { files } }])
    expect(told[0]?.isError).toBe(true)
    expect(runs).toEqual([])
    expect(result.tests).toBeUndefined()
  })

  test('an answer goes through no link', async () => {
    const outside = path.join(bench.root, 'outside')
    mkdirSync(outside)
    writeFileSync(path.join(outside, 'kept.json'), 'kept')
    const { told } = await turn([{ link: 'res-1.json', to: path.join(outside, 'kept.json') }, CALL])
    expect(told).toHaveLength(1)
    expect(readFileSync(path.join(outside, 'kept.json'), 'utf8')).toBe('kept')
  })

  test('links in the place of the folder are removed when a turn begins', () => {
    const outside = path.join(bench.root, 'outside')
    mkdirSync(path.join(outside, 'm'), { recursive: true })
    writeFileSync(path.join(outside, 'm', 'kept'), '')
    mkdirSync(path.join(bench.cwd, '.ratchet'))
    symlinkSync(outside, path.join(bench.cwd, '.ratchet/tools'))
    ToolFolder.open(bench.cwd, 'm').close()
    expect(existsSync(path.join(outside, 'm', 'kept'))).toBe(true)
    expect(readdirSync(toolFolder(bench.cwd, 'm'))).toEqual([])
  })
})

test('the relay speaks MCP and survives what it does not know', async () => {
  const child = spawn(
    process.execPath,
    [packaged('sandbox/agent-tools.cjs'), path.join(bench.cwd, 'none')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  )
  for (const message of [
    { id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05' } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'ping' },
    { id: 3, method: 'resources/list' },
    { id: 4, method: 'tools/call', params: { name: 'shell' } },
    { id: 5, method: 'tools/call', params: null },
    { id: 6, method: 'tools/call', params: { name: 'diff' } },
    { id: 7, method: 'tools/list' },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  child.stdin.write('no json\n7\nnull\n')
  child.stdin.end()
  await once(child, 'close')
  const of = (id: number) => lines.find((line) => line['id'] === id)
  expect(of(1)).toMatchObject({
    result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } },
  })
  expect(of(2)).toMatchObject({ result: {} })
  expect(of(3)).toMatchObject({ error: { code: -32601 } })
  expect(of(4)).toMatchObject({ error: { code: -32602 } })
  expect(of(5)).toMatchObject({ error: { code: -32602 } })
  expect(of(6)).toMatchObject({ result: { isError: true } })
  expect(of(7)).toMatchObject({
    result: { tools: [{ name: 'run_tests' }, { name: 'failures' }, { name: 'diff' }] },
  })
  expect(child.exitCode).toBe(0)
})
