// The live view at a real terminal: redrawn in place below the finished lines, at any width; a
// question replaces it until it is answered, and it leaves a clean terminal behind. All tests watch
// one run, one after the other: first it asks, then an agent works until a test releases it, then
// it asks again.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '../../src/client/index.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/servers/local.js'
import { develop, step, workers } from '../support/loop/loop-play.js'
import { KEYS, atTerminal, type Terminal } from '../support/pty.js'
import { RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
let project: string
let id: string
let go: string
/** The terminal that stays open for all tests. */
let main: Terminal
const open: Terminal[] = []

beforeAll(async () => {
  user = cliProcessUser()
  go = path.join(user.root, 'go')
  const waits = [{ tokens: { input: 900, output: 100 } }, { wait: { 'until-file': go } }]
  project = user.project('live', [
    step('develop', { task: 'T1' }, [...waits, ...develop([RIGHT_ADD])]),
    step('develop', { task: 'T2' }, develop([RIGHT_MUL])),
    ...workers([]),
  ])
  id = (await user.json<{ id: string }>(project, 'loop', 'make the calculator right', '--detach'))
    .document.id
  await user.until(project, id, /^person/)
})
afterEach(() => open.splice(0).forEach((terminal) => terminal.close()))
afterAll(() => {
  main.close()
  return user.remove()
})

const COMMAND = [process.execPath, path.join(BUILT, 'cli/main.js')]
type Place = { columns?: number; rows?: number; env?: NodeJS.ProcessEnv }
const start = (argv: readonly string[], { columns = 100, rows = 30, env }: Place = {}): Terminal =>
  atTerminal(argv, { cwd: project, columns, rows, env: { ...user.env, ...env } })
const person = (argv: readonly string[], place?: Place): Terminal => {
  const terminal = start([...COMMAND, ...argv], place)
  open.push(terminal)
  return terminal
}
/** Waits until the screen matches. */
const stands = (
  terminal: Terminal,
  what: string,
  holds: (lines: string[]) => boolean,
): Promise<string[]> => {
  let last: string[] = []
  return waitFor(
    async () => {
      last = await terminal.screen()
      return holds(last) ? last : undefined
    },
    { what, timeoutMs: 120_000, everyMs: 100 },
  ).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; there is:\n${last.join('\n')}`)
  })
}
const rules = (lines: readonly string[]): number =>
  lines.filter((line) => /^(──|--) /.test(line)).length
const isAtWork = (lines: readonly string[]): boolean =>
  lines.some((line) => /^[●*] loop-develop +playbook +(\d+m )?\d+s/.test(line))
const times = (lines: readonly string[], text: string): number =>
  lines.filter((line) => line.startsWith(text)).length
/** What an ended command leaves on the screen. */
const left = async (terminal: Terminal): Promise<object> => {
  const lines = await terminal.screen()
  return {
    ...(await terminal.cursor()),
    ...(await terminal.left),
    rules: rules(lines),
    hint: lines.includes(HINT),
  }
}
const HINT = 'Ctrl-C leaves, the run continues'
const CLEAN = { visible: true, column: 0, echo: true, lines: true, rules: 0, hint: false }
const COLOR = /\u001b\[[\d;]*m/

test('status: a table in a terminal, lines elsewhere, and filters on the server', async () => {
  const listed = async (...argv: string[]): Promise<string[]> =>
    (await user.json<{ runs: { id: string }[] }>(project, 'status', ...argv)).document.runs.map(
      (run) => run.id,
    )
  await waitFor(async () => (await listed('--waiting')).includes(id), {
    what: 'the run in the list of those that wait',
    timeoutMs: 120_000,
  })
  expect(await listed('--kind', 'loop', '--project', project, '--since', '1h')).toEqual([id])
  expect(await listed('--kind', 'cycle')).toEqual([])
  expect(await listed('--closed', '--project', project)).toEqual([])

  const terminal = person(['status'])
  expect(await terminal.ended).toBe(0)
  const lines = await terminal.screen()
  expect(lines.some((line) => /^run +state +iter +tests +since +waits for$/.test(line))).toBe(true)
  expect(times(lines, id)).toBe(1)
  expect((await user.ratchet(project, 'status')).stdout).toContain(`run      ${id}  running  `)
})

test('issue 8 "questions as real prompts": SIGTERM at a prompt removes it and says how to come back', async () => {
  const terminal = person(['watch', id])
  await stands(terminal, 'the prompt', (lines) => lines.some((line) => /^❯ develop/.test(line)))
  terminal.signal('SIGTERM')
  expect(await terminal.ended).toBe(130)
  expect(terminal.shown()).toContain(`ratchet watch ${id}`)
  expect(await left(terminal)).toEqual(CLEAN)
})

test('issue 8 "questions as real prompts": without a keyboard it shows the command that answers', async () => {
  const terminal = start(['sh', '-c', 'exec "$@" < /dev/null', 'sh', ...COMMAND, 'watch', id])
  open.push(terminal)
  const lines = await stands(terminal, 'the view', (seen) => seen.includes(HINT))
  expect({
    rules: rules(lines),
    asked: times(lines, 'question     Select next action'),
    answer: times(lines, `             answer with: ratchet answer ${id} develop`),
    prompt: times(lines, '❯'),
  }).toEqual({ rules: 1, asked: 1, answer: 1, prompt: 0 })
  terminal.signal('SIGINT')
  expect(await terminal.ended).toBe(130)
  expect(await left(terminal)).toEqual(CLEAN)
})

test('issue 8 "questions as real prompts": a prompt replaces the view until it is answered', async () => {
  main = start([...COMMAND, 'watch', id])
  await main.sees('Select next action (completed: 0, pending: 2)')
  const asked = await stands(
    main,
    'the prompt alone',
    (lines) => rules(lines) === 0 && lines.some((line) => /^❯ develop/.test(line)),
  )
  expect(times(asked, 'iteration 1  init: success')).toBe(1)
  main.press(KEYS.enter)

  const drawn = await stands(main, 'an agent at work', isAtWork)
  expect({
    rules: rules(drawn),
    hint: drawn.includes(HINT),
    asked: drawn.some((line) => line.startsWith('❯')),
    cursor: (await main.cursor()).visible,
  }).toEqual({ rules: 1, hint: true, asked: false, cursor: false })
})

test('issue 8 "live view": redrawn in place, below the finished lines', async () => {
  const drawn = await stands(main, 'an agent at work', isAtWork)
  const agent = (lines: readonly string[]): string =>
    lines.find((line) => /^● loop-develop/.test(line)) ?? ''
  const later = await stands(
    main,
    'the running clock',
    (lines) => agent(lines) !== '' && agent(lines) !== agent(drawn),
  )
  const finished = later.findIndex((line) => line.startsWith('iteration 1  init: success'))
  const rule = later.findIndex((line) => line.startsWith('── '))
  expect({
    rules: rules(later),
    agents: times(later, '● loop-develop'),
    finished: times(later, 'iteration 1  init: success'),
    above: finished !== -1 && finished < rule,
  }).toEqual({ rules: 1, agents: 1, finished: 1, above: true })
  expect(main.raw()).toMatch(COLOR)
})

test.each([
  [40, 20],
  [120, 30],
  [40, 12],
  [100, 30],
])(
  'issue 8 "live view": a window of %i columns shows it once, at full width',
  async (columns, rows) => {
    await main.resize(columns, rows)
    const after = await stands(
      main,
      `the view at ${columns} columns`,
      (lines) =>
        lines.some((line) => line.startsWith('── ') && line.length === columns - 1) &&
        lines.includes(HINT),
    )
    expect(
      {
        rules: rules(after),
        agents: times(after, '● loop-develop'),
        hints: times(after, HINT),
        finished: times(after, 'iteration 1  init: success'),
      },
      after.join('\n'),
    ).toEqual({ rules: 1, agents: 1, hints: 1, finished: 1 })
    expect(Math.max(...after.map((line) => line.length))).toBeLessThanOrEqual(columns)
  },
)

test.each<{
  why: string
  argv?: string[]
  env?: NodeJS.ProcessEnv
  has: RegExp
  live: boolean
  colors: boolean
}>(
  // prettier-ignore
  [
  { why: 'NO_COLOR: no colours', env: { NO_COLOR: '1' }, has: /^● loop-develop +playbook/m, live: true, colors: false },
  { why: 'a locale without Unicode: ASCII', env: { LC_ALL: 'C', NO_COLOR: '1' }, has: /^\* loop-develop +playbook/m, live: true, colors: false },
  { why: '--plain: lines', argv: ['--plain'], has: /iteration 1 {2}init: success/, live: false, colors: false },
  { why: 'CI: lines', env: { CI: 'true' }, has: /iteration 1 {2}init: success/, live: false, colors: false },
  { why: 'TERM=dumb: lines', env: { TERM: 'dumb' }, has: /iteration 1 {2}init: success/, live: false, colors: false },
],
)(
  'issue 8 "plain lines when not a TTY": $why',
  async ({ argv = [], env = {}, has, live, colors }) => {
    const terminal = person(['watch', id, ...argv], { env })
    await terminal.sees(has)
    terminal.press(KEYS.ctrlC)
    expect(await terminal.ended).toBe(130)
    expect({
      live: terminal.shown().includes(HINT),
      colors: COLOR.test(terminal.raw()),
      ascii: !live || env['LC_ALL'] !== 'C' || /^[\x00-\x7f]*$/.test(terminal.raw()),
    }).toEqual({ live, colors, ascii: true })
    expect(await left(terminal)).toEqual(CLEAN)
  },
)

test('issue 8 "plain lines when not a TTY": a pipe gets lines without control characters', async () => {
  const watching = user.start(project, 'watch', id)
  await waitFor(() => watching.stdout().includes('iteration 1  init: success'), {
    what: 'lines in the pipe',
    timeoutMs: 60_000,
  })
  watching.interrupt()
  expect((await watching.ended).exitCode).toBe(130)
  expect(`${watching.stdout()}${watching.stderr()}`).not.toMatch(/[\x00-\x09\x0b-\x1f]/)
  expect(watching.stdout()).not.toContain(HINT)
})

test.each<{ why: string; end: (terminal: Terminal) => void }>([
  { why: 'Ctrl-C', end: (terminal) => terminal.press(KEYS.ctrlC) },
  { why: 'SIGTERM', end: (terminal) => terminal.signal('SIGTERM') },
])(
  'issue 8 "Ctrl-C detaches and says how to come back": $why leaves a clean terminal',
  async ({ end }) => {
    const terminal = person(['watch', id])
    await stands(terminal, 'the view', isAtWork)
    expect((await terminal.cursor()).visible).toBe(false)
    end(terminal)
    await terminal.sees(`the run continues; follow it with: ratchet watch ${id}`)
    expect(await terminal.ended).toBe(130)
    expect(await left(terminal)).toEqual(CLEAN)
  },
)

test('an unexpected error restores the cursor and leaves the view', async () => {
  const crash = path.join(user.root, 'crash.cjs')
  writeFileSync(crash, "process.once('SIGUSR2', () => { throw new Error('out of the blue') })\n")
  const terminal = start([process.execPath, '--require', crash, ...COMMAND.slice(1), 'watch', id])
  open.push(terminal)
  await stands(terminal, 'the view', isAtWork)
  terminal.signal('SIGUSR2')
  expect(await terminal.ended).toBeGreaterThan(0)
  expect(terminal.shown()).toContain('out of the blue')
  expect(await left(terminal)).toEqual({ ...CLEAN, rules: 1, hint: true })
})

test('issue 8 "live view": finished lines move above it, and the next question replaces it', async () => {
  await stands(main, 'the view', isAtWork)
  writeFileSync(go, '')
  await main.sees('Select next action (completed: 1, pending: 1)')
  const asked = await stands(
    main,
    'the prompt alone',
    (lines) => rules(lines) === 0 && lines.some((line) => line.startsWith('❯ ')),
  )
  expect([1, 2].map((n) => times(asked, `iteration ${n}  `))).toEqual([1, 1])
  expect(asked.includes(HINT)).toBe(false)
  main.press(KEYS.ctrlC)
  expect(await main.ended).toBe(130)
  expect(main.shown()).toContain(`continue with: ratchet watch ${id}`)
  expect(await left(main)).toEqual(CLEAN)
})

test('a terminated run is an error, below a clean terminal', async () => {
  const terminal = person(['watch', id])
  await stands(terminal, 'the prompt', (lines) => lines.some((line) => line.startsWith('❯ ')))
  const { server } = (await user.json<{ server: { address: string } }>(project, 'status')).document
  const ratchet = await connect({ address: server.address })
  await ratchet.client.workflow.getHandle(id).terminate('by a test')
  await ratchet.close()
  await terminal.sees('error: the run was terminated')
  expect(await terminal.ended).toBe(1)
  expect(await left(terminal)).toEqual(CLEAN)
})
