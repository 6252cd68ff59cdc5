// Whole preparations on the command line, with a scripted agent, and the commands that read their
// packages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { RunResult } from '../../src/contract/result.js'
import { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { DRAFT, drafts, QUESTION, says, TASK } from '../support/prep/prep-play.js'
import { develop, complete, validate, step } from '../support/loop/loop-play.js'
import { repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { commitAll, filesOf, refs } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const WORDS = 'Make the calculator right'
const OWN = ['.workflow', '.git', '__pycache__', '.pytest_cache']
const fileOf = (project: string, command: 'cycle' | 'loop') =>
  path.join(project, `.workflow/.${command}/prep-package.json`)
const packageOf = (project: string, command: 'cycle' | 'loop') =>
  JSON.parse(readFileSync(fileOf(project, command), 'utf8')) as Record<string, unknown>
const prepared = async (project: string, ...argv: string[]) => {
  const { exitCode, document } = await user.json(project, 'prep', ...argv)
  return { exitCode, result: RunResult.loose().parse(document) }
}
const record = (project: string, { id }: { id: string }) =>
  path.join(project, '.workflow/.prep', id)

test('the package of a cycle, in auto mode: an incomplete draft is asked for again, what the agent changes is discarded', async () => {
  const { scope: _, ...incomplete } = DRAFT.dimensions
  const project = repository(user, 'auto', [
    drafts({ ...DRAFT, dimensions: incomplete }, { turn: 'work' }, [
      { write: { path: 'calc.py', text: 'broken\n' } },
    ]),
    drafts({ ...DRAFT, questions: [QUESTION] }, { turn: 'retry' }),
  ])
  const before = filesOf(project, OWN)
  const { exitCode, result } = await prepared(project, 'cycle', WORDS, '--auto')
  const file = fileOf(project, 'cycle')
  expect({ exitCode, result }).toMatchObject({
    exitCode: 0,
    result: {
      kind: 'prep',
      outcome: 'ready',
      status: 'completed',
      branch: null,
      commits: [],
      reason: null,
      recordDir: record(project, result),
      package: { for: 'cycle', file, prep_status: 'ready', quality_score: 8 },
      usage: { turns: 2 },
    },
  })
  expect(filesOf(project, OWN)).toEqual(before)
  expect(Object.keys(refs(project)).filter((ref) => ref.includes('ratchet'))).toEqual([])
  expect(packageOf(project, 'cycle')).toMatchObject({
    prep_status: 'ready',
    environment: {
      project_root: project,
      test_framework: 'pytest',
      prerequisites: {
        required_passed: true,
        recommended_passed: false,
        warnings: ['the working tree has uncommitted changes, which a run starts from'],
      },
    },
    task: {
      original: WORDS,
      refined: expect.stringMatching(
        /^OBJECTIVE: add adds and mul multiplies \| SUCCESS_CRITERIA: .* \| CONTEXT: /,
      ) as string,
      quality_score: 8,
      // The question that no one answered is an assumption about the scope.
      dimensions: { scope: { score: 1 }, objective: { score: 2 } },
      source_refs: [
        { path: 'tests/test_calc.py', type: 'auto_detected', status: 'verified' },
        { path: 'https://example.org/sums', type: 'url', status: 'linked' },
        { path: 'docs/none.md', status: 'not_found' },
        { path: '../outside', status: 'not_found' },
      ],
    },
    assumptions: [{ about: 'scope', text: 'May the tests change? no' }],
    answers: [],
  })
  expect(readFileSync(path.join(record(project, result), 'package.json'), 'utf8')).toBe(
    readFileSync(file, 'utf8'),
  )

  const { id } = result
  for (const name of ['watch', 'logs'])
    expect(await user.run(project, name, id), name).toMatchObject({ exitCode: 0 })
  for (const name of ['report', 'resume', 'extend', 'rebuild', 'stop', 'apply', 'archive'])
    expect(await user.run(project, name, id), name).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/prep(aration| <cycle\|loop> "<task>")/) as string,
    })
  expect((await user.run(project, 'status', '--all', '--kind', 'prep')).stdout).toMatch(
    new RegExp(`${id} +completed +ready +ended`),
  )
  expect(await user.run(project, 'clean', id)).toMatchObject({ exitCode: 0 })

  // A second one replaces the first, which is kept.
  const first = readFileSync(file, 'utf8')
  const again = await user.run(project, 'prep', 'cycle', WORDS, '--auto')
  expect(again.stdout).toContain('ready, quality 8 of 10\n')
  expect(again.stdout).toContain('  objective        2  add adds and mul multiplies\n')
  expect(again.stdout).toContain('  assumed          scope: May the tests change? no\n')
  expect(again.stdout).toContain(`  next             ratchet cycle --prep ${file} '${WORDS}'\n`)
  const [, earlier = ''] = /before it +(\S+)/.exec(again.stdout) ?? []
  expect(readFileSync(earlier, 'utf8')).toBe(first)
})

test('a person answers, and the answers are worked in; the loop works on the tasks of its package', async () => {
  const tasks = [TASK, { ...TASK, description: 'mul multiplies', priority: 'medium' }]
  const project = repository(user, 'asks', [
    drafts({ ...DRAFT, tasks, questions: [QUESTION] }, { turn: 'work' }),
    drafts(
      {
        ...DRAFT,
        tasks,
        dimensions: { ...DRAFT.dimensions, scope: { score: 2, value: 'calc.py and its tests' } },
      },
      { turn: 'clarify' },
    ),
    step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
    step('develop', { task: 'T2' }, develop([RIGHT_MUL])),
    step('validate', {}, validate()),
    step('complete', {}, complete()),
  ])
  const running = user.start(project, ['prep', 'loop', WORDS])
  const asked = await waitFor(() => /ratchet answer (\S+) no/.exec(running.stdout())?.[1], {
    what: 'the question',
    timeoutMs: 60_000,
  })
  expect(running.stdout()).toContain('question     May the tests change?\n')
  expect((await user.run(project, 'extend', asked, 'more')).exitCode).toBe(2)
  expect(await user.run(project, 'answer', asked, 'yes')).toMatchObject({ exitCode: 0 })
  const { exitCode, stdout } = await running.ended
  expect(exitCode, stdout).toBe(0)
  expect(stdout).toContain('  answered         May the tests change? yes\n')
  expect(packageOf(project, 'loop')).toMatchObject({
    task: { dimensions: { scope: { score: 2, value: 'calc.py and its tests' } } },
    answers: [{ question: 'May the tests change?', answer: 'yes' }],
    tasks: [{ id: 'T1', ...TASK }, { id: 'T2' }],
  })

  const loop = await user.run(project, 'loop', WORDS, '--mode', 'auto')
  expect(loop.exitCode, loop.stdout + loop.stderr).toBe(0)
  expect(loop.stdout).toContain(
    '.workflow/.loop/prep-package.json refines the task and breaks it down\n',
  )
  const [name = ''] = readdirSync(path.join(project, '.workflow/.loop')).filter((one) =>
    /^loop-b-.*\.json$/.test(one),
  )
  const done = LoopRecord.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.loop', name), 'utf8')),
  )
  expect(done.skill_state).toMatchObject({
    workers_completed: expect.not.arrayContaining(['init']) as string[],
    completed_tasks: [
      { id: 'T1', description: expect.stringContaining('Done: test_add passes') as string },
      { id: 'T2' },
    ],
  })
  expect(done.description).toContain('OBJECTIVE: add adds')
  expect(await user.run(project, 'resume', asked)).toMatchObject({ exitCode: 2 })
})

test('an unclear task: exit 1, and a package that no cycle uses until a person corrects it', async () => {
  const vague = Object.fromEntries(
    Object.entries(DRAFT.dimensions).map(([name, { value }]) => [name, { score: 1, value }]),
  )
  const project = repository(user, 'vague', [drafts({ ...DRAFT, dimensions: vague })], {
    workspace: { isolation: 'in-place' }, // of a dirty tree
  })
  const { exitCode, result } = await prepared(project, 'cycle', WORDS, '--auto')
  expect({ exitCode, result }).toMatchObject({
    exitCode: 1,
    result: {
      outcome: 'needs_refinement',
      reason:
        'the quality is 5 of 10, at least 6 are needed; not clear: objective, success_criteria, scope, constraints, context',
      package: { prep_status: 'needs_refinement', quality_score: 5 },
    },
  })
  const edits = path.join(user.root, 'edits.mjs')
  writeFileSync(
    edits,
    `import fs from 'node:fs'
const [, , change, file] = process.argv
const made = JSON.parse(fs.readFileSync(file, 'utf8'))
made.prep_status = 'ready'
made.task.quality_score = change === 'whole' ? 7 : 3
fs.writeFileSync(file, JSON.stringify(made))
`,
  )
  const editing = (change: string) => {
    user.env['EDITOR'] = `${process.execPath} ${edits} ${change}`
    return user.start(project, ['prep', 'cycle', WORDS, '--auto', '--edit'], {
      ask: () => Promise.resolve(undefined),
    }).ended
  }
  const half = await editing('half')
  expect(half).toMatchObject({ exitCode: 1 })
  expect(half.stderr).toContain('task.quality_score must be at least 6 of 10, it is 3')
  const whole = await editing('whole')
  delete user.env['EDITOR']
  expect(whole).toMatchObject({ exitCode: 0 })
  expect(whole.stdout).toContain('ready, quality 7 of 10\n')
})

test('nothing runs in a repository that is not trusted, not even a preparation that a script starts', async () => {
  const stranger = await inProcessUser({ RATCHET_TRUST: '' })
  onTestFinished(() => stranger.close())
  const project = repository(stranger, 'untrusted', [drafts(DRAFT)])
  commitAll(project, 'with a playbook')
  const { exitCode, document } = await stranger.json(project, 'prep', 'cycle', WORDS, '--auto')
  expect({ exitCode, document }).toMatchObject({
    exitCode: 2,
    document: { error: { type: 'NotTrusted' } },
  })
  const handle = await stranger.prep(project, 'prep-untrusted')
  expect(await handle.result()).toMatchObject({ ended: { type: 'NotTrusted' } })
  expect(existsSync(path.join(project, '.workflow'))).toBe(false)
})

test('a draft that never fits, and a stop: no package', async () => {
  const project = repository(user, 'none', [
    { when: { kind: 'prep', role: 'loop-init' }, do: [{ wait: 'forever' }] },
    { when: { kind: 'prep' }, do: [says({ dimensions: {} })] },
  ])
  const { exitCode, result } = await prepared(project, 'cycle', WORDS, '--auto')
  expect({ exitCode, result }).toMatchObject({
    exitCode: 1,
    result: {
      outcome: 'failed',
      recordDir: null,
      reason: expect.stringContaining('dimensions.objective') as string,
    },
  })
  expect(result).not.toHaveProperty('package')
  const { stdout } = await user.run(project, 'watch', String(result.id))
  expect(stdout).toContain(
    '  reason           no draft could be used: playbook: dimensions.objective',
  )
  expect(stdout).toContain(
    `  next             read what the agent said: ratchet logs ${result.id}\n`,
  )
  const { document } = await user.json<{ id: string }>(project, 'prep', 'loop', WORDS, '--detach')
  await waitFor(
    async () => (await user.ratchet.attach(document.id).status()).phase === 'exploring',
    { what: 'the turn', timeoutMs: 60_000 },
  )
  expect(await user.run(project, 'stop', document.id)).toMatchObject({ exitCode: 0 })
  const end = await user.ratchet.attach(document.id).result()
  expect(end).toMatchObject({ result: { outcome: 'stopped', status: 'failed' } })
  expect(existsSync(path.join(project, '.workflow'))).toBe(false)
})
