// `fix --ci`: automatic answers to questions, and the reports for the CI.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recommendedAnswers } from '../../../../src/cli/follow/ci.js'
import {
  appendJobSummary,
  recordedRun,
  writeReports,
} from '../../../../src/cli/report/write-reports.js'
import type { Answer, Question } from '../../../../src/contract/question.js'
import type { RunResult } from '../../../../src/contract/result.js'

const question = (rest: Partial<Question>): Question => ({
  id: 'q',
  kind: 'permission',
  text: 'may I?',
  options: ['allow', 'deny'],
  recommended: 'deny',
  askedAt: 0,
  ...rest,
})
const refusal = Object.assign(new Error('x', { cause: new Error('no open question "q"') }), {
  name: 'WorkflowUpdateFailedError',
})

function attended(fail: (call: number) => Error | undefined = () => undefined) {
  const answers: Answer[] = []
  const stops: (string | undefined)[] = []
  const said: string[] = []
  let calls = 0
  const answer = recommendedAnswers(
    { warn: (line) => void said.push(line.trim()) },
    {
      answer: (given) => {
        const error = fail(++calls)
        if (error !== undefined) return Promise.reject(error)
        answers.push(given as Answer)
        return Promise.resolve({ questionId: 'q', answer: '' })
      },
      stop: (reason) => Promise.resolve(void stops.push(reason)),
    },
  )
  return { answer, answers, stops, said }
}

test.each(
  // prettier-ignore
  [
  { why: 'a choice', asked: {}, given: { choice: 'deny' } },
  { why: 'a text', asked: { options: [], recommended: 'keep going' }, given: { text: 'keep going' } },
],
)('answers an open question as recommended and says so: $why', async ({ asked, given }) => {
  const { answer, answers, said } = attended()
  await answer(question(asked))
  expect(answers).toMatchObject([{ questionId: 'q', ...given }])
  expect(said).toEqual([`gave the recommended answer: ${Object.values(given)[0]}`])
})

test('answers a question again when it is asked again', async () => {
  const { answer, answers } = attended()
  await answer(question({}))
  await answer(question({}))
  expect(answers).toHaveLength(2)
})

test('a question without a recommended answer stops the run once, with the reason', async () => {
  const { answer, answers, stops } = attended()
  const { recommended: _, ...open } = question({})
  await answer(open)
  await answer(open)
  expect({ answers, stops }).toEqual({ answers: [], stops: ['no one to answer: may I?'] })
})

test('reports an answer that came too late; a second refusal stops the run', async () => {
  const { answer, stops, said } = attended(() => refusal)
  await answer(question({}))
  expect({ stops, said }).toEqual({ stops: [], said: ['not answered: no open question "q"'] })
  await answer(question({}))
  expect(stops).toEqual(['no one to answer: may I?'])
})

test('retries at the next poll after a short outage of the server', async () => {
  const { answer, answers, said } = attended((call) =>
    call === 1 ? Object.assign(new Error('away'), { code: 14 }) : undefined,
  )
  await answer(question({}))
  expect(said).toEqual([])
  await answer(question({}))
  expect(answers).toHaveLength(1)
})

const RESULT: RunResult = {
  warnings: [],
  id: 'WFS-test-x.012345',
  kind: 'test-fix',
  outcome: 'failed',
  status: 'failed',
  iterations: 0,
  passRate: 50,
  reviewNeeded: false,
  branch: null,
  commits: [],
  failures: [{ test: 'b', file: 'a.test.ts', criticality: 'high', error: 'boom' }],
  failuresTotal: 1,
  reason: 'r',
  recordDir: null,
  usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
  history: [],
}

function tempDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-ci-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('the same result gives the same three files', async () => {
  const dir = tempDir()
  const read = (files: object): string[] =>
    Object.values(files).map((file: string) => readFileSync(file, 'utf8'))
  const first = await writeReports(path.join(dir, 'made/reports'), RESULT, undefined, 7)
  expect(Object.values(first).map((file: string) => path.basename(file))).toEqual([
    'junit.xml',
    'ctrf.json',
    'summary.md',
  ])
  const texts = read(first)
  expect(read(await writeReports(path.join(dir, 'made/reports'), RESULT, undefined, 7))).toEqual(
    texts,
  )
})

test.each([
  { why: 'there is none', text: undefined },
  { why: 'it is no JSON', text: '{' },
  { why: 'it is of another shape', text: '{"schema":2}' },
])('reports the result alone where the record has no final run: $why', ({ text }) => {
  const dir = tempDir()
  mkdirSync(path.join(dir, '.process/results'), { recursive: true })
  if (text !== undefined) writeFileSync(path.join(dir, '.process/results/last-run.json'), text)
  expect(recordedRun(dir)).toBeUndefined()
})

test('adds the summary to the page of the job; a failure there does not fail the run', async () => {
  const page = path.join(tempDir(), 'page.md')
  writeFileSync(page, 'before\n')
  expect(await appendJobSummary({ GITHUB_STEP_SUMMARY: page }, 'ours\n')).toEqual({ file: page })
  expect(readFileSync(page, 'utf8')).toBe('before\nours\n')
  expect(await appendJobSummary({}, 'ours\n')).toBeUndefined()
  expect(
    await appendJobSummary({ GITHUB_STEP_SUMMARY: path.dirname(page) }, 'ours\n'),
  ).toMatchObject({ problem: expect.stringContaining('EISDIR') as string })
})
