// ratchet report where no server runs: records alone, of every kind and in every state.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cycleFiles } from '../../../src/adapters/records/dev-cycle/cycle-paths.js'
import { loopFiles } from '../../../src/adapters/records/dev-loop/loop-paths.js'
import { recordDir } from '../../../src/adapters/records/test-fix/session-paths.js'
import { writeTestFixRecord } from '../../../src/adapters/records/test-fix/test-fix-record.js'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { exitCodeOf } from '../../../src/cli/output/ending.js'
import { Ctrf } from '../../../src/cli/report/ctrf.js'
import type { RunResult } from '../../../src/contract/result.js'
import { Report } from '../../../src/core/report/model.js'
import { NAME, recordInput, sessionFiles, stateAfterOne } from '../../support/records.js'
import { cycleSource, loopSource, resultOf } from '../../support/report-sources.js'
import { writeFiles } from '../../support/repositories/repos.js'
import { failed, git, repoUser } from './repo-user.js'
import type { CliUser } from './support.js'

/**
 * A user whose project has the record of a session that failed after one iteration: 9 of 10 pass.
 */
async function sessionUser(standing: 'failed' | 'open' = 'failed'): Promise<CliUser> {
  const user = repoUser()
  sessionFiles(user.cwd)
  await writeTestFixRecord(
    recordInput(
      stateAfterOne(user.cwd, path.join(user.root, 'tests')),
      standing === 'open' ? undefined : { outcome: 'failed', reason: 'the iterations are spent' },
    ),
    { offset: '+08:00' },
  )
  return user
}

const json = async (user: CliUser, id: string): Promise<Report> => {
  const { exitCode, stdout, stderr } = await user.run('report', id, '--format', 'json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return Report.parse(JSON.parse(stdout))
}

test('a session by its name: what its record says', async () => {
  const user = await sessionUser()
  expect(await json(user, NAME)).toMatchObject({
    headline: '1 of 10 tests fails after 1 iteration.',
    reason: 'the iterations are spent',
    passRate: 90,
    rateAtStart: 70,
    testCommand: 'npm test',
    title: 'Fix',
    iterations: [
      { iteration: 0 },
      {
        iteration: 1,
        title: 'Add up what is in the cart',
        plan: { rootCauses: ['The last item is left out'], confidence: 0.8, aimedAt: 2 },
        patch: { state: 'gone' },
      },
    ],
    failures: [
      {
        test: 'cart 3',
        criticality: 'medium',
        error: expect.stringContaining('expected 2 to be 3') as string,
      },
    ],
    usage: { turns: 2, inputTokens: 100 },
    turns: [],
    notes: [expect.stringContaining('No transcripts were found') as string],
  })
})

test.each(['--project', 'cwd'])('from elsewhere with %s, and by the id of its run', async (how) => {
  const user = await sessionUser()
  const id = `${NAME}.${projectKey(user.cwd).slice(0, 6)}`
  const ran =
    how === 'cwd'
      ? await user.run('report', id, '--format', 'md')
      : await user.runIn(user.root, 'report', NAME, '--project', user.cwd, '--format', 'md')
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout).toContain('**1 of 10 tests fails after 1 iteration.**')
})

test('reports an open session without a run as not running', async () => {
  const user = await sessionUser('open')
  expect(await json(user, NAME)).toMatchObject({
    outcome: 'unfinished',
    status: 'paused',
    headline: 'The run is unfinished, and nothing is working on it: 1 of 10 tests fails.',
    next: [{ command: expect.stringMatching(/^ratchet resume /) as string }],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'its state is damaged', break: (dir: string) => writeFileSync(path.join(dir, '.process/iteration-state.json'), '{"schema": 2, "sess'), rate: 90 },
  { why: 'its state is gone', break: (dir: string) => rmSync(path.join(dir, '.process/iteration-state.json')), rate: 90 },
  { why: 'all but the session file is gone', break: (dir: string) => { for (const name of ['.process', '.task', '.summaries']) rmSync(path.join(dir, name), { recursive: true, force: true }) }, rate: 90 },
  { why: 'the session file is damaged', break: (dir: string) => writeFileSync(path.join(dir, 'workflow-session.json'), '{"schema'), rate: 90 },
],
)('shows the readable part of a damaged record: $why', async ({ break: damage, rate }) => {
  const user = await sessionUser()
  damage(recordDir(user.cwd, NAME))
  expect((await json(user, NAME)).passRate).toBe(rate)
  expect(await user.run('report', NAME)).toMatchObject({ exitCode: 0 })
})

test('a session that another tool created and never started', async () => {
  const user = repoUser()
  writeFiles(path.join(user.cwd, '.workflow/active/WFS-test-planned'), {
    'workflow-session.json': JSON.stringify({
      session_id: 'WFS-test-planned',
      type: 'test',
      workflow_type: 'test_session',
      status: 'planning',
    }),
    'IMPL_PLAN.md': '# Plan',
  })
  expect(await json(user, 'WFS-test-planned')).toMatchObject({
    outcome: 'unfinished',
    iterations: [],
    passRate: null,
    records: [{ label: 'IMPL_PLAN.md' }, { label: 'workflow-session.json' }],
  })
})

test('a cycle and a loop by their ids, from their state files', async () => {
  const user = repoUser()
  const [cycle, loop] = [cycleSource(), loopSource()]
  if (cycle.facts?.kind !== 'dev-cycle' || loop.facts?.kind !== 'dev-loop')
    throw new Error('not the kinds that were made')
  for (const [file, record] of [
    [cycleFiles(user.cwd, cycle.id).master, cycle.facts.record],
    [loopFiles(user.cwd, loop.id).master, loop.facts.record],
  ] as const) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(record))
  }
  expect(await json(user, cycle.id)).toMatchObject({
    kind: 'dev-cycle',
    outcome: 'completed_with_issues',
    cycle: { openIssues: ['the docs are missing'] },
  })
  expect(await json(user, loop.id)).toMatchObject({
    kind: 'dev-loop',
    loop: { tasks: [{ id: 'T1' }, { id: 'T2' }] },
  })
  for (const { id } of [cycle, loop])
    expect((await user.run('report', id)).stdout).toContain(`${id}.report.html\n`)
})

test('the CI reports of a cycle have all tests while its workspace is there, and say so when it is not', async () => {
  const user = repoUser()
  const cycle = cycleSource()
  if (cycle.facts?.kind !== 'dev-cycle') throw new Error('not the kind that was made')
  const { master } = cycleFiles(user.cwd, cycle.id)
  mkdirSync(path.dirname(master), { recursive: true })
  const results = {
    version: '1.0.0',
    pass_rate: 50,
    coverage: null,
    failed_tests: ['divides'],
    total_tests: 2,
    last_run: '',
  }
  writeFileSync(master, JSON.stringify({ ...cycle.facts.record, test_results: results }))
  await registerProject(userDirs(user.env), user.cwd)
  const runs = path.join(
    layout.workspace(userDirs(user.env), projectKey(user.cwd), cycle.id),
    'tests',
  )
  const stored = (commit: string, first: string): string =>
    JSON.stringify({
      schema: 1,
      commit,
      runner: 'node',
      missing: [],
      tests: [
        { file: 'a.test.js', test: 'adds', status: first, error: 'no' },
        { file: 'a.test.js', test: 'divides', status: 'failed', error: 'no' },
      ],
    })
  const [last = ''] = cycle.facts.record.ratchet?.commits ?? []
  writeFiles(runs, {
    '1/results.json': stored(last, 'passed'),
    '2/results.json': stored(last, 'failed'),
    '3/results.json': stored('c'.repeat(40), 'passed'),
    '4/results.json': '{"schema":',
  })
  const whole = await user.run('report', cycle.id, '--format', 'junit')
  expect(whole).toMatchObject({ exitCode: 0, stderr: '' })
  expect(whole.stdout).toContain('tests="2" failures="1"')
  rmSync(runs, { recursive: true })
  const less = await user.run('report', cycle.id, '--format', 'junit')
  expect(less).toMatchObject({
    exitCode: 0,
    stderr:
      'warning: the list of all tests no longer exists; the report contains only the failed ones\n',
  })
  expect(less.stdout).toContain(
    '<property name="incomplete" value="the list of all tests no longer exists; ',
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'something was committed', says: {}, healthy: true },
  { why: 'nothing was committed for the further task', says: { nothingCommitted: true }, healthy: false },
  { why: 'nothing was committed at all', says: { commits: [] }, healthy: false },
  { why: 'nothing was, and a person agreed', says: { nothingCommitted: true, confirmedByPerson: true }, healthy: true },
] satisfies { why: string; says: Partial<RunResult>; healthy: boolean }[],
)(
  'the CTRF report of a completed cycle is as healthy as its exit code says: $why',
  async ({ says, healthy }) => {
    const user = repoUser()
    const cycle = cycleSource()
    if (cycle.facts?.kind !== 'dev-cycle') throw new Error('not the kind that was made')
    const { record } = cycle.facts
    const { master } = cycleFiles(user.cwd, cycle.id)
    const result = resultOf({
      id: cycle.id,
      kind: 'dev-cycle',
      outcome: 'completed',
      status: 'completed',
      passRate: 100,
      failures: [],
      failuresTotal: 0,
      history: [],
      ...says,
    })
    mkdirSync(path.dirname(master), { recursive: true })
    writeFileSync(
      master,
      JSON.stringify({
        ...record,
        ratchet: { ...record.ratchet, outcome: 'completed', commits: result.commits, result },
      }),
    )
    const { results } = Ctrf.parse(
      JSON.parse((await user.run('report', cycle.id, '--format', 'ctrf')).stdout),
    )
    expect(results.environment?.healthy).toBe(healthy)
    expect(exitCodeOf(result) === 0).toBe(healthy)
  },
)

test('a cycle whose record has only documents says so', async () => {
  const user = repoUser()
  writeFiles(path.join(user.cwd, '.workflow/.cycle/cycle-v1-x.progress'), {
    'ra/requirements.md': '# R',
  })
  expect(await json(user, 'cycle-v1-x')).toMatchObject({
    kind: 'dev-cycle',
    outcome: 'unfinished',
    notes: ['The record: its state file is gone.'],
    records: [{ label: 'ra/requirements.md' }],
  })
  expect(await user.run('report', 'cycle-v1-x')).toMatchObject({ exitCode: 0 })
})

test('writes the page into the record, hidden from git; a second page replaces it', async () => {
  const user = await sessionUser()
  const file = path.join(recordDir(user.cwd, NAME), 'report.html')
  const before = git(user, 'status', '--short')
  for (const _ of [1, 2])
    expect(await user.run('report', NAME)).toMatchObject({
      exitCode: 0,
      stdout: `1 of 10 tests fails after 1 iteration.\n  report   ${file}\n`,
      stderr: '',
    })
  expect(readFileSync(file, 'utf8')).toContain('<h1>1 of 10 tests fails after 1 iteration.</h1>')
  expect(readFileSync(file, 'utf8')).not.toContain('report.html')
  expect(git(user, 'status', '--short').replace('?? .workflow/\n', '')).toBe(
    before.replace('?? .workflow/\n', ''),
  )
})

test('--json names the file, or contains the text for stdout', async () => {
  const user = await sessionUser()
  const file = path.join(user.cwd, 'out/page.html')
  const id = (await json(user, NAME)).id
  expect(
    JSON.parse((await user.run('report', NAME, '--output', 'out/page.html', '--json')).stdout),
  ).toEqual({
    id,
    format: 'html',
    file,
    bytes: readFileSync(file).length,
    headline: '1 of 10 tests fails after 1 iteration.',
  })
  expect(readFileSync(file, 'utf8')).toContain('href="../.workflow/WFS-test-login/IMPL_PLAN.md"')
  expect(
    JSON.parse((await user.run('report', NAME, '--format', 'md', '--json')).stdout),
  ).toMatchObject({ format: 'md', file: null, content: expect.stringContaining('### ') as string })
  expect(
    JSON.parse((await user.run('report', NAME, '--format', 'ctrf', '--json')).stdout),
  ).toMatchObject({ format: 'ctrf', file: null, content: { reportFormat: 'CTRF' } })
})

test('each format is the same on stdout and in a file', async () => {
  const user = await sessionUser()
  for (const format of ['md', 'ctrf', 'junit']) {
    const { stdout } = await user.run('report', NAME, '--format', format)
    expect(
      await user.run('report', NAME, '--format', format, '--output', `r.${format}`),
    ).toMatchObject({ exitCode: 0 })
    expect(readFileSync(path.join(user.cwd, `r.${format}`), 'utf8'), format).toBe(stdout)
    if (format === 'ctrf')
      expect(Ctrf.parse(JSON.parse(stdout)).results.summary).toMatchObject({ tests: 10, failed: 1 })
    if (format === 'junit') expect(stdout).toContain('tests="10" failures="1"')
  }
  expect((await user.run('report', NAME, '--output', '-')).stdout).toMatch(/^<!doctype html>\n/)
})

test.each(
  // prettier-ignore
  [
  { why: 'no id', argv: [], message: 'missing required argument \'id\'' },
  { why: 'an id that is a path', argv: ['../../etc'], message: /^the id must be/ },
  { why: 'an unknown run', argv: ['WFS-test-nobody'], message: 'no record of the run WFS-test-nobody here, and no server is running' },
  { why: 'an unknown format', argv: [NAME, '--format', 'pdf'], message: 'unknown format pdf' },
  { why: 'Markdown in a browser', argv: [NAME, '--format', 'md', '--open'], message: 'only an HTML report in a file can be opened' },
  { why: 'a file below a file', argv: [NAME, '--output', 'ratchet.config.json/x.html'], message: /^the report cannot be written: / },
  { why: 'a file that is a directory', argv: [NAME, '--output', '.'], message: /^the report cannot be written: / },
  { why: 'an empty name', argv: [NAME, '--output', ''], message: '--output names no file' },
],
)('refused with exit 2: $why', async ({ argv, message }) => {
  const user = await sessionUser()
  const { exitCode, stdout } = await user.run('report', ...argv, '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
    next: expect.stringMatching(/./) as string,
  })
  expect(existsSync(path.join(user.state, 'ratchet/supervisor.json'))).toBe(false) // starts nothing
})
