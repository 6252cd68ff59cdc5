// The files of an iteration on disk, and the fixes of earlier sessions.
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fixTask, type FixFacts } from '../../../../src/core/test-fix/fix-task.js'
import {
  removeTaskCopies,
  taskCopy,
  writeTaskCopy,
} from '../../../../src/adapters/agents/turn/task-copy.js'
import {
  analysedBy,
  writeAnalysisFiles,
} from '../../../../src/adapters/records/test-fix/analysis-files.js'
import {
  keepRefused,
  refusedOf,
} from '../../../../src/adapters/records/test-fix/refused-analyses.js'
import { fixesIn, knownFixes } from '../../../../src/adapters/records/test-fix/fix-histories.js'
import { taskContent } from '../../../../src/adapters/records/test-fix/task-content.js'
import { snapshotUncommitted } from '../../../../src/adapters/git/steps.js'
import { measuredRun, stored } from '../../../support/records.js'
import {
  makeWorkspace,
  runGit,
  SAMPLE,
  tempDir,
  writeFiles,
} from '../../../support/repositories/repos.js'

const facts: FixFacts = {
  session: 'WFS-test-a',
  recordPath: '.workflow/WFS-test-a',
  iteration: 1,
  parent: 'IMPL-002',
  dependsOn: [],
  maxIterations: 5,
  strategy: 'conservative',
  quality: 'normal',
  analysis: {
    rootCauses: ['c'],
    approach: 'first',
    points: ['a.ts:f'],
    expectedOutcome: 'o',
    verificationSteps: [],
    confidence: 0.8,
    affectedTests: ['t'],
    criticality: [],
    cause: 'x',
  },
  failures: [{ test: 't', file: 'f', error: 'e', criticality: 'high' }],
  failuresTotal: 1,
  passRate: 50,
  attempts: [],
  agent: 'gemini',
  timestamp: 'now',
  answer: 'RAW',
}
const other = (approach: string, agent: string): FixFacts => ({
  ...facts,
  agent,
  analysis: { ...facts.analysis, approach },
})
const text = (dir: string, name: string) => readFileSync(path.join(dir, name), 'utf8')
const json = (dir: string, name: string) => JSON.parse(text(dir, name)) as Record<string, unknown>
const approach = (dir: string) =>
  (json(dir, '.task/IMPL-fix-1.json') as unknown as ReturnType<typeof fixTask>).context.fix_strategy
    .approach

test('file tree: an analysis leaves its six files, the same ones when it is repeated', async () => {
  const dir = path.join(tempDir(), 'WFS-test-a')
  const snapshot = () =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile())
      .map((e) => path.relative(dir, path.join(e.parentPath, e.name)))
      .sort()
      .map((name) => [name, text(dir, name)])
  expect(await writeAnalysisFiles(dir, facts, { turn: 'r/1/iteration-1/analysis' })).toEqual({
    task: 'IMPL-fix-1',
    file: 'IMPL-fix-1.json',
  })
  const first = snapshot()
  expect(first.map(([name]) => name)).toEqual([
    '.process/iteration-0-failures.json',
    '.process/iteration-1-analysis.md',
    '.process/iteration-1-cli-output.txt',
    '.process/iteration-1-response.json',
    '.process/iteration-1-strategy.md',
    '.task/IMPL-fix-1.json',
  ])
  expect(json(dir, '.task/IMPL-fix-1.json')).toEqual(fixTask(facts))
  expect(text(dir, '.process/iteration-1-cli-output.txt')).toBe('RAW')
  expect(json(dir, '.process/iteration-1-response.json')).toMatchObject({
    status: 'success',
    task_id: 'IMPL-fix-1',
    modification_points_count: 1,
  })
  expect(analysedBy(dir, 1)).toBe('gemini')
  expect(analysedBy(dir, 2)).toBeUndefined()
  await writeAnalysisFiles(dir, facts, { turn: 'r/1/iteration-1/analysis' })
  expect(snapshot()).toEqual(first)
  expect(taskContent(dir, 'IMPL-fix-1', 'IMPL-fix-1.json')).toMatchObject({
    id: 'IMPL-fix-1',
    type: 'test-fix-iteration',
    agent: '@test-fix-agent',
  })
})

test('what another tool wrote of an analysis is kept in a copy, what Ratchet wrote is replaced', async () => {
  const dir = tempDir()
  writeFiles(dir, { '.process/iteration-1-analysis.md': 'What I found' })
  for (const one of [facts, { ...facts, answer: 'another', agent: 'codex' }])
    await writeAnalysisFiles(dir, one, { turn: 'r/1/iteration-1/analysis' })
  expect(text(dir, '.process/iteration-1-analysis.md')).toContain('codex')
  expect(
    readdirSync(path.join(dir, '.process'))
      .filter((name) => name.includes('before-ratchet'))
      .map((name) => [name, text(dir, `.process/${name}`)]),
  ).toEqual([['iteration-1-analysis.md.before-ratchet', 'What I found']])
})

test('load_failure_context: the failures of the analysis replace older ones; the undone run stays', async () => {
  const dir = tempDir()
  const undone = {
    task: 'IMPL-fix-0',
    pass_rate_before: 50,
    rollback_reason: 'worse',
    pass_rate: 20,
    total_failures: 1,
    failures: [{ test: 'u', file: 'f', error: 'x', criticality: 'high' }],
  }
  for (const before of [
    '{"kept":true}',
    JSON.stringify({
      schema: 1,
      iteration: 0,
      pass_rate: 90,
      total_failures: 0,
      failures: [],
      rolled_back_run: undone,
    }),
  ]) {
    writeFiles(dir, { '.process/iteration-0-failures.json': before })
    await writeAnalysisFiles(dir, facts, { turn: 't' })
    expect(json(dir, '.process/iteration-0-failures.json')).toEqual({
      schema: 1,
      iteration: 0,
      pass_rate: 50,
      total_failures: 1,
      failures: facts.failures,
      ...(before.includes('worse') ? { rolled_back_run: undone } : {}),
    })
  }
})

test.each(
  // prettier-ignore
  [
  { why: 'of the run', log: `${'ä'.repeat(100_000)}\n1 failed\n`, ends: '1 failed' },
  { why: 'is left out without a log', log: undefined, ends: 'whole output in .process/test-output.log' },
],
)('failure_analysis: the end of the output $why', async ({ log, ends }) => {
  const dir = tempDir()
  const run = measuredRun(path.join(dir, 'tests'), 'run', [stored('t', { error: 'e' })])
  writeFiles(dir, { 'tests/run.log': log ?? null })
  await writeAnalysisFiles(dir, { ...facts, lastRun: run }, { turn: 't' })
  const { failure_analysis: analysis } = (
    json(dir, '.task/IMPL-fix-1.json') as unknown as ReturnType<typeof fixTask>
  ).context.failure_context
  expect(analysis.endsWith(ends)).toBe(true)
  expect(analysis.length).toBeLessThan(4_300)
})

test('failure_analysis: the end of the output of a suite that did not start', async () => {
  const dir = tempDir()
  await writeAnalysisFiles(
    dir,
    {
      ...facts,
      failures: [],
      notStarted: 'broken',
      lastRun: {
        kind: 'not_started',
        commit: 'c',
        reason: 'broken',
        tail: 'SyntaxError: x',
        durationMs: 1,
      },
    },
    { turn: 't' },
  )
  expect(json(dir, '.task/IMPL-fix-1.json')).toMatchObject({
    context: {
      failure_context: {
        failure_analysis: expect.stringMatching(
          /^The suite did not start; [^]*SyntaxError: x$/,
        ) as string,
      },
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'the first weak one stays where the next is weak too', turns: [{ turn: 'r/1/iteration-1/analysis', weak: 'thin' }, { turn: 'r/1/iteration-1/analysis.2', weak: 'thin' }], kept: 'first' },
  { why: 'a good one replaces a weak one', turns: [{ turn: 'r/1/iteration-1/analysis', weak: 'thin' }, { turn: 'r/1/iteration-1/analysis.2' }], kept: 'second' },
  { why: 'a weak one of a reset run replaces what lies there', turns: [{ turn: 'r/1/iteration-1/analysis', weak: 'thin' }, { turn: 'r/2/iteration-1/analysis', weak: 'thin' }], kept: 'second' },
  { why: 'a more confident weak one replaces a weak one', turns: [{ turn: 'r/1/iteration-1/analysis', weak: 'unsure', confidence: 0.2 }, { turn: 'r/1/iteration-1/analysis.2', weak: 'thin' }], kept: 'second' },
] as { why: string; turns: { turn: string; weak?: string; confidence?: number }[]; kept: string }[],
)('weak analyses: $why', async ({ turns, kept }) => {
  const dir = tempDir()
  for (const [n, turn] of turns.entries()) {
    const one = other(n === 0 ? 'first' : 'second', 'a')
    await writeAnalysisFiles(
      dir,
      { ...one, analysis: { ...one.analysis, confidence: turn.confidence ?? 0.8 } },
      turn,
    )
  }
  expect(approach(dir)).toBe(kept)
})

test('reads fixes of other sessions, the own ones last, and the readable part of files of other tools', () => {
  const project = tempDir()
  const entry = (task: string) => ({
    iteration: 1,
    task,
    modification_points: ['a:b'],
    failures: [],
    result: 'kept',
    pass_rate_before: 1,
    pass_rate_after: 2,
  })
  writeFiles(project, {
    '.workflow/WFS-test-own/.process/fix-history.json': JSON.stringify({
      schema: 1,
      entries: [entry('own')],
    }),
    '.workflow/active/WFS-test-b/.process/fix-history.json': JSON.stringify([entry('b'), 'junk']),
    '.workflow/archives/WFS-test-c/.process/fix-history.json': JSON.stringify({
      fix_history: [entry('c')],
    }),
    '.workflow/WFS-test-d/.process/fix-history.json': '{broken',
    '.workflow/WFS-test-e/.process/fix-history.json': '7',
  })
  const known = knownFixes(project, path.join(project, '.workflow/WFS-test-own'), (file) =>
    file.includes('WFS-test-b') ? 'b.json' : undefined,
  )
  expect(known.map(({ session, task }) => `${session} ${task}`).sort()).toEqual([
    'WFS-test-b b',
    'WFS-test-c c',
    'WFS-test-own own',
  ])
  expect(known.at(-1)?.task).toBe('own')
  expect(known.map(({ session, brought }) => brought && session).filter(Boolean)).toEqual([
    'WFS-test-b',
  ])
  expect(fixesIn(path.join(project, '.workflow/WFS-test-none'))).toEqual([])
})

const TASK = {
  id: 'IMPL-001.3',
  title: 'Check',
  status: 'pending',
  meta: { type: 'code-validation', agent: '@test-fix-agent' },
  context: {},
}

test('a task is found by its file or by its id, with a byte order mark too', () => {
  const dir = tempDir()
  writeFiles(dir, {
    '.task/IMPL-001.3-validation.json': `\uFEFF${JSON.stringify(TASK)}`,
    '.task/IMPL-002.json': '{broken',
  })
  expect(taskContent(dir, 'IMPL-001.3', 'IMPL-001.3-validation.json')).toEqual({
    id: 'IMPL-001.3',
    title: 'Check',
    type: 'code-validation',
    agent: '@test-fix-agent',
    json: TASK,
    file: path.join(dir, '.task/IMPL-001.3-validation.json'),
  })
  expect(taskContent(dir, 'IMPL-001.3', undefined).id).toBe('IMPL-001.3')
})

test.each(
  // prettier-ignore
  [
  { why: 'gone', files: {}, says: 'IMPL-001: the task file is gone' },
  { why: 'not JSON', files: { '.task/IMPL-001.json': '{' }, says: /IMPL-001: it is not JSON/ },
  { why: 'not a task', files: { '.task/IMPL-001.json': '{"id":"IMPL-001"}' }, says: /IMPL-001: title: is missing/ },
],
)('a task file that is $why is refused', ({ files, says }) => {
  const dir = tempDir()
  writeFiles(dir, files)
  expect(() => taskContent(dir, 'IMPL-001', 'IMPL-001.json')).toThrow(says)
})

test('a file name that leads elsewhere never becomes a path', () => {
  expect(() => taskContent(tempDir(), 'IMPL-001', '../../x.json')).toThrow(
    'not the name of a task file',
  )
  expect(() => taskCopy('/w', '../x')).toThrow('not the id of a task')
})

test('the copy of a task is neither in git nor in a snapshot, and is removed without a trace', async () => {
  const { workspace } = await makeWorkspace(SAMPLE)
  writeTaskCopy(workspace.cwd, 'IMPL-fix-1', TASK)
  expect(JSON.parse(readFileSync(taskCopy(workspace.cwd, 'IMPL-fix-1'), 'utf8'))).toEqual(TASK)
  expect(runGit(workspace.root, 'status', '--porcelain', '--ignored=no')).toBe('')
  expect(await snapshotUncommitted(workspace, 'x')).toBeUndefined()
  removeTaskCopies(workspace.cwd)
  expect(readdirSync(workspace.cwd)).not.toContain('.ratchet')
})

test("in the user's own tree the copy hides itself from git", () => {
  const dir = tempDir()
  runGit(dir, 'init', '-q')
  writeTaskCopy(dir, 'IMPL-fix-1', TASK)
  expect(runGit(dir, 'status', '--porcelain')).toBe('')
})

test.each(['.ratchet', '.ratchet/tasks', '.ratchet/tasks/IMPL-fix-1.json', '.ratchet/.gitignore'])(
  'a link that an agent put at %s is not followed',
  (at) => {
    const [dir, outside] = [tempDir(), tempDir()]
    writeFiles(outside, { file: 'untouched' })
    if (at !== '.ratchet')
      writeFiles(dir, {
        '.ratchet/x': '',
        ...(at.includes('tasks/') ? { '.ratchet/tasks/y': '' } : {}),
      })
    symlinkSync(
      at.includes('.json') || at.includes('.git') ? path.join(outside, 'file') : outside,
      path.join(dir, at),
    )
    writeTaskCopy(dir, 'IMPL-fix-1', TASK)
    expect(readdirSync(outside)).toEqual(['file'])
    expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('untouched')
    expect(JSON.parse(readFileSync(taskCopy(dir, 'IMPL-fix-1'), 'utf8'))).toEqual(TASK)
    removeTaskCopies(dir)
    expect(readdirSync(outside)).toEqual(['file'])
  },
)

test('keeps every refused answer next to the used one, numbered; a repeated read keeps the number', async () => {
  const dir = tempDir()
  const turn = (step: string) => `r/1/iteration-1/${step}`
  const first = {
    turn: turn('analysis'),
    agent: 'gemini',
    reason: 'modification_points is empty',
    answer: '---\nagent: "a liar"\n---\nno places',
  }
  expect(await keepRefused(dir, 1, first)).toEqual([
    { agent: 'gemini', reason: first.reason, file: '.process/iteration-1-refused-1.md' },
  ])
  await keepRefused(dir, 1, { ...first, turn: turn('analysis.retry'), reason: 'again' })
  expect(await keepRefused(dir, 1, first)).toHaveLength(2)
  expect(text(dir, '.process/iteration-1-refused-1.md')).toBe(
    `---\nturn: "${first.turn}"\nagent: "gemini"\nreason: "${first.reason}"\n---\n\n${first.answer}`,
  )

  const weak = { ...other('unsure', 'qwen'), answer: 'UNSURE' }
  await writeAnalysisFiles(
    dir,
    { ...weak, analysis: { ...weak.analysis, confidence: 0.2 } },
    { turn: turn('analysis.2'), weak: 'the confidence is 0.2, below 0.4' },
  )
  const used = { ...other('sure', 'codex'), answer: 'SURE' }
  for (let again = 0; again < 2; again++)
    expect(
      (await writeAnalysisFiles(dir, used, { turn: turn('analysis.3') })).refused?.map(
        ({ agent, reason, file }) => [agent, reason, path.basename(file)],
      ),
    ).toEqual([
      ['gemini', first.reason, 'iteration-1-refused-1.md'],
      ['gemini', 'again', 'iteration-1-refused-2.md'],
      ['qwen', 'the confidence is 0.2, below 0.4', 'iteration-1-refused-3.md'],
    ])
  expect(text(dir, '.process/iteration-1-refused-3.md')).toContain('\n\nUNSURE')
  expect(text(dir, '.process/iteration-1-cli-output.txt')).toBe('SURE')

  // Another try of the iteration, as in a resumed session, keeps the files and names its own.
  expect(await keepRefused(dir, 1, { ...first, turn: 'r/2/iteration-1/analysis' })).toEqual([
    { agent: 'gemini', reason: first.reason, file: '.process/iteration-1-refused-4.md' },
  ])
  expect(refusedOf(dir, 1, 'r')).toHaveLength(4)
  expect(refusedOf(dir, 2, 'r')).toEqual([])
})

test('a weak answer that is not better than the one before it is kept as refused', async () => {
  const dir = tempDir()
  await writeAnalysisFiles(dir, other('first', 'gemini'), {
    turn: 'r/1/iteration-1/analysis',
    weak: 'thin',
  })
  const { refused } = await writeAnalysisFiles(
    dir,
    { ...other('second', 'qwen'), answer: 'SECOND' },
    { turn: 'r/1/iteration-1/analysis.2', weak: 'thin too' },
  )
  expect(refused).toEqual([
    { agent: 'qwen', reason: 'thin too', file: '.process/iteration-1-refused-1.md' },
  ])
  expect(approach(dir)).toBe('first')
})
