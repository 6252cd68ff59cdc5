// `ratchet fix --interactive` from the command line: plans are approved at a terminal, or from
// elsewhere, and a scripted agent carries them out.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ask } from '../../src/cli/context.js'
import type { Question } from '../../src/contract/question.js'
import { Finished, type Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { runGit } from '../support/repositories/repos.js'
import { analysis, repository, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

/** A short report would be weak, and a weak analysis is not continued. */
const REPORT = 'The tests call add and mul with small numbers and compare the results. '.repeat(10)
const planned = (approach: string, points: string[], when: Record<string, unknown>): Step => ({
  when: { role: 'cli-planning-agent', ...when },
  do: [
    {
      say: `${REPORT}${analysis(points, ['tests/test_calc.py'], {
        fix_strategy: { approach, modification_points: points, expected_outcome: 'all pass' },
      })}`,
    },
  ],
})
const STEPS: Step[] = [
  planned('repair both operators', ['calc.py:add:1-2', 'calc.py:mul:5-6'], { nth: 2 }),
  planned('repair add', ['calc.py:add:1-2'], {}),
  { do: [RIGHT_ADD, RIGHT_MUL] },
]
const FIRST =
  /^Approve the plan of IMPL-fix-1\? repair add \(conservative\)\. It changes calc\.py\. The plan: \.workflow\/WFS-test-[a-z]+\/\.task\/IMPL-fix-1\.json\. Used so far: 1 agent turn, /
const calc = (project: string): string => readFileSync(path.join(project, 'calc.py'), 'utf8')
const taskFile = (project: string, session: string): string =>
  readFileSync(path.join(project, '.workflow', session, '.task/IMPL-fix-1.json'), 'utf8')

test('at a terminal: a change, an approval, and the branch is applied', async () => {
  const project = repository(user, 'typed', STEPS)
  const asked: Question[] = []
  const answers = [{ text: 'repair mul, too' }, { choice: 'approve' }, { choice: 'approve' }]
  const ask: Ask = (question) => Promise.resolve(answers[asked.push(question) - 1])
  const { exitCode, stdout } = await user.start(project, ['fix', '--interactive'], { ask }).ended
  expect(exitCode).toBe(0)
  expect(asked.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    'approval approve-IMPL-fix-1',
    'approval approve-IMPL-fix-1-change-1',
    'approval apply',
  ])
  expect(asked[0]?.text).toMatch(FIRST)
  expect(asked[1]?.text).toMatch(/repair both operators .* Used so far: 2 agent turns, /)
  expect(asked[2]?.text).toBe('Apply ratchet/WFS-test-typed to the working tree now?')
  expect(stdout).toContain('applied 1 file of ratchet/WFS-test-typed, not committed')
  expect(stdout).toMatch(/a person changed the plan: repair mul, too/)
  expect(calc(project)).toContain('a * b')
  expect(taskFile(project, 'WFS-test-typed')).toContain('repair both operators')
})

test('from elsewhere: status and answer show it, stop ends the run, and the next one asks again', async () => {
  const project = repository(user, 'elsewhere', STEPS)
  const before = calc(project)
  const fix = user.start(project, ['fix', '--interactive', '--json'])
  const SESSION = 'WFS-test-elsewhere'
  await waitFor(() => /answer with: ratchet answer \S+ approve\n/.test(fix.stderr()), {
    what: 'the question',
    timeoutMs: 60_000,
  })
  expect(fix.stderr()).toMatch(/or: +ratchet answer \S+ "<what to change>"\n/)
  expect(fix.stderr()).toContain('options: approve, change, stop\n')
  const { document } = await user.json<{ questions: Question[] }>(project, 'answer', SESSION)
  expect(document.questions).toMatchObject([
    { kind: 'approval', text: expect.stringMatching(FIRST) as string },
  ])
  expect((await user.run(project, 'status', SESSION)).stdout).toMatch(/Approve the plan of IMPL-/)
  expect(await user.json<Failed>(project, 'answer', SESSION, 'change')).toMatchObject({
    exitCode: 2,
    document: { error: { message: expect.stringContaining('say what to change') as string } },
  })
  expect(await user.json(project, 'answer', SESSION, 'stop')).toMatchObject({
    exitCode: 0,
    document: { answer: 'stop' },
  })
  const ended = await fix.ended
  expect(ended.exitCode).toBe(1)
  expect(Finished.parse(JSON.parse(ended.stdout))).toMatchObject({
    outcome: 'stopped',
    reason: 'stopped by request: no approval of the plan of IMPL-fix-1',
  })

  const resumed = user.start(project, ['resume', SESSION, '--json'])
  await user.until(project, SESSION, /Approve the plan of IMPL-fix-1\? repair add/)
  expect(await user.json(project, 'answer', SESSION, 'approve')).toMatchObject({ exitCode: 0 })
  const done = await resumed.ended
  expect(done.exitCode).toBe(0)
  expect(Finished.parse(JSON.parse(done.stdout))).toMatchObject({
    outcome: 'success',
    iterations: 1,
    usage: { turns: 2 },
  })
  expect(calc(project)).toBe(before)
  expect(runGit(project, 'show', `ratchet/${SESSION}:calc.py`)).toContain('a * b')
})

test('--interactive is refused together with --auto and with --ci', async () => {
  const project = repository(user, 'refused', STEPS)
  for (const other of ['--auto', '--ci'])
    expect(await user.json<Failed>(project, 'fix', '--interactive', other)).toMatchObject({
      exitCode: 2,
      document: {
        error: { message: expect.stringContaining(`cannot be used together`) as string },
      },
    })
  expect(existsSync(path.join(project, '.workflow'))).toBe(false)
})
