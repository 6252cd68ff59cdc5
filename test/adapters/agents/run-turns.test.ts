import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Ledger } from '../../../src/adapters/agents/turn/usage-ledger.js'
import { turnsOfRun } from '../../../src/adapters/agents/run-turns.js'
import {
  createClaim,
  readClaim,
  saveClaim,
  saveResult,
  turnFiles,
} from '../../../src/adapters/agents/turn/turn-store.js'
import { layout, type Dirs } from '../../../src/adapters/state-dir.js'
import type { TurnResult } from '../../../src/contract/turn.js'
import { withHeader } from '../../../src/core/prompts/prompt-header.js'
import { tempDirs } from '../../support/repositories/repos.js'

const RUN = 'WFS-test-shop.0a1b2c'
const USAGE = { inputTokens: 10, outputTokens: 5, costUsd: 0.5, estimated: false }

type Given = {
  step: string
  run?: string
  at?: string
  ended?: string
  result?: Partial<TurnResult>
  prompt?: string
  transcript?: string
}

function turn(
  dirs: Dirs,
  { step, run = RUN, at = '2026-11-20T12:00:00.000Z', ended, result, prompt, transcript }: Given,
): void {
  const key = `${run}/e1/${step}`
  const claim = createClaim(dirs, { key, run, cwd: '/w', agent: 'codex', model: 'large' })
  if (claim === undefined) throw new Error('claimed already')
  saveClaim(dirs, { ...claim, startedAt: at, attempts: [{ attempt: 1, at, sessionId: 's' }] })
  const files = turnFiles(layout.turn(dirs, key))
  const header = withHeader(
    {
      run,
      kind: 'test-fix',
      role: 'test-fix-agent',
      task: 'IMPL-fix-2',
      iteration: 2,
      turn: 'work',
      attempt: 1,
      paths: { project: '/p "q" \\ü', workspace: '/w' },
    },
    'Fix it.\n',
  )
  writeFileSync(
    files.transcript,
    transcript ??
      `${JSON.stringify({ at, prompt: { attempt: 1, prompt: prompt ?? header } })}\n${JSON.stringify({ at, text: 'x'.repeat(200_000) })}\n${ended === undefined ? '' : `${JSON.stringify({ at: ended, ended: { outcome: 'completed' } })}\n`}`,
  )
  if (ended !== undefined)
    saveResult(dirs, key, {
      outcome: 'completed',
      agent: 'codex',
      usage: USAGE,
      answer: { path: files.answer, sha256: '', bytes: 0 },
      tail: '',
      transcript: files.transcript,
      changedFiles: [],
      attempts: 2,
      crashes: 1,
      leftovers: 0,
      durationMs: 0,
      ...result,
    })
}

test('a turn has its role, time and outcome; long transcripts are not read completely', () => {
  const dirs = tempDirs()
  turn(dirs, {
    step: 'iteration-2/fix',
    ended: '2026-11-20T12:01:30.000Z',
    result: { outcome: 'timed_out', reason: 'its time was over', durationMs: 20_000 },
  })
  const [one] = turnsOfRun(dirs, RUN)
  expect(one).toEqual({
    step: 'iteration-2/fix',
    role: 'test-fix-agent',
    agent: 'codex',
    model: 'large',
    turn: 'work',
    iteration: 2,
    task: 'IMPL-fix-2',
    startedAt: Date.parse('2026-11-20T12:00:00Z'),
    endedAt: Date.parse('2026-11-20T12:01:30Z'),
    outcome: 'timed_out',
    reason: 'its time was over',
    attempts: 2,
    crashes: 1,
    workedMs: 20_000,
    ...USAGE,
    files: [
      {
        label: 'transcript',
        path: turnFiles(layout.turn(dirs, `${RUN}/e1/iteration-2/fix`)).transcript,
      },
    ],
  })
})

test('a turn without an end is open, and has what the ledger has of it', () => {
  const dirs = tempDirs()
  turn(dirs, { step: 'iteration-2/fix' })
  new Ledger(dirs).write(RUN, {
    key: `${RUN}/e1/iteration-2/fix`,
    agent: 'codex',
    attempts: 1,
    live: USAGE,
    usage: USAGE,
    ms: 4_000,
    open: true,
  })
  const [one] = turnsOfRun(dirs, RUN)
  expect(one).toMatchObject({ outcome: 'open', workedMs: 4_000, ...USAGE })
  expect(one?.endedAt).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'a prompt without a header', given: { prompt: 'hello\n' } },
  { why: 'a transcript that was cut off', given: { transcript: '{"at":"2026-11-20T12:00:00.000Z","prompt":{"attempt":1,"prompt":"ratchet-turn: {\\"run' } },
  { why: 'a header that is damaged', given: { transcript: '{"prompt":"ratchet-turn: {\\"ru\\n' } },
  { why: 'an empty transcript', given: { transcript: '' } },
],
)('an unreadable turn is named by its step: $why', ({ given }) => {
  const dirs = tempDirs()
  turn(dirs, { step: 'iteration-7/fix', ...given })
  expect(turnsOfRun(dirs, RUN)).toMatchObject([
    { role: 'agent', iteration: 7, step: 'iteration-7/fix' },
  ])
})

const ms = (time: string): number => Date.parse(`2026-11-20T${time}.000Z`)
test.each(
  // prettier-ignore
  [
  { why: 'answered', file: ['12:00:10', '12:00:10 12:01:10'], waits: [{ from: ms('12:00:10'), to: ms('12:01:10') }] },
  { why: 'two side by side', file: ['12:00:10', '12:00:11', '12:00:11 12:00:20', '12:00:10 12:00:30'], waits: [{ from: ms('12:00:10'), to: ms('12:00:30') }, { from: ms('12:00:11'), to: ms('12:00:20') }] },
  { why: 'its worker died meanwhile: until it resumed', file: ['12:00:10', '12:02:05', '12:02:05 12:02:30'], again: '12:02:00', waits: [{ from: ms('12:00:10'), to: ms('12:02:00') }, { from: ms('12:02:05'), to: ms('12:02:30') }] },
  { why: 'it is open', file: ['12:00:10'], open: true, waits: [{ from: ms('12:00:10') }] },
  { why: 'it ended, and the end of the wait is unknown', file: ['12:00:10'], unknown: true },
  { why: 'a truncated line', file: ['12:00:10', '12:00:10 12:01:10'], cut: true, unknown: true },
  { why: 'an answer recorded by an earlier version', file: [], heard: true, unknown: true },
  { why: 'no question was asked', file: [] },
],
)(
  'the recorded wait of a turn for a person: $why',
  ({ file, waits, again, open, cut, heard, unknown }) => {
    const dirs = tempDirs()
    turn(dirs, {
      step: 'iteration-2/fix',
      ...(open === true ? {} : { ended: '2026-11-20T12:03:00.000Z' }),
    })
    const dir = layout.turn(dirs, `${RUN}/e1/iteration-2/fix`)
    const claim = readClaim(dir)
    if (claim === undefined) throw new Error('it has no claim')
    if (again !== undefined)
      saveClaim(dirs, {
        ...claim,
        attempts: [
          ...claim.attempts,
          { attempt: 2, at: new Date(ms(again)).toISOString(), sessionId: 's' },
        ],
      })
    const text = file.map((line) => `${line.split(' ').map(ms).join(' ')}\n`).join('')
    if (text !== '') writeFileSync(turnFiles(dir).waits, cut === true ? text.slice(0, -3) : text)
    if (heard === true) writeFileSync(turnFiles(dir).heard, 'permission-a 1\n')
    const [one] = turnsOfRun(dirs, RUN)
    expect([one?.waits, one?.waitUnknown]).toEqual([waits, unknown])
  },
)

test('only its own turns, in their order, and none of an earlier run with the id', () => {
  const dirs = tempDirs()
  expect(turnsOfRun(dirs, RUN)).toEqual([])
  turn(dirs, { step: 'iteration-1/b', at: '2026-11-20T12:02:00.000Z' })
  turn(dirs, { step: 'iteration-1/a', at: '2026-11-20T12:01:00.000Z' })
  turn(dirs, { step: 'iteration-1/old', at: '2026-11-19T12:00:00.000Z' })
  turn(dirs, { step: 'iteration-1/other', run: `${RUN}x` })
  writeFileSync(turnFiles(layout.turn(dirs, `${RUN}x/e1/iteration-1/other`)).claim, '{"broken')
  expect(turnsOfRun(dirs, RUN, Date.parse('2026-11-20T00:00:00Z')).map(({ step }) => step)).toEqual(
    ['iteration-1/a', 'iteration-1/b'],
  )
})
