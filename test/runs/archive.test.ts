// Ended runs in the archive, from the command line, with a scripted agent.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Detached, Finished, StatusDocument, type Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'
import { STEPS } from '../support/runs/spending-runs.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const WRITES: Step = {
  when: { role: 'code-developer' },
  do: [
    {
      write: {
        path: 'tests/test_more.py',
        text: 'from calc import add\n\ndef test_more():\n    assert add(1, 2) == 3\n',
      },
    },
  ],
}
const FIX: Step[] = [ANALYSE, WRITES, { do: [RIGHT_ADD, RIGHT_MUL] }]
type Archived = {
  archived: { session_id: string; archive_path: string; lessons: { successes: string[] } }[]
  kept: { name: string }[]
  followUps: { number: number; kind: string; text: string }[]
}

test('archive, what still knows the run, and what later runs learn', async () => {
  const project = repository(user, 'kept', FIX)
  const { document: first } = await user.json(project, 'fix')
  const { id } = Finished.parse(first)
  const { document, exitCode } = await user.json<Archived>(project, 'archive', 'WFS-test-kept')
  expect(exitCode).toBe(0)
  const place = path.join(project, '.workflow/archives/WFS-test-kept')
  expect(document.archived).toMatchObject([
    {
      session_id: 'WFS-test-kept',
      archive_path: '.workflow/archives/WFS-test-kept',
      lessons: { successes: [expect.stringContaining('kept: 33.3 % → 100 %')] },
    },
  ])
  expect(document.followUps.map(({ number, kind }) => `${number} ${kind}`)).toContain('1 test')
  expect(existsSync(path.join(project, '.workflow/WFS-test-kept'))).toBe(false)

  const status = StatusDocument.parse((await user.json(project, 'status', id)).document)
  expect(status.runs[0]?.waitingFor).toBe(`nothing: the record is archived: ${place}`)
  expect((await user.run(project, 'status', id)).stdout).toContain(` record   ${place}\n`)
  const report = await user.run(project, 'report', 'WFS-test-kept', '--format', 'md')
  expect(report.stdout).toContain(`the session is archived: ${place}`)
  for (const [command, message] of [
    ['archive', 'is archived already'],
    ['resume', 'is archived'],
  ] as const) {
    const refused = await user.json<Failed>(project, command, 'WFS-test-kept')
    expect(refused.exitCode).toBe(2)
    expect(refused.document.error.message).toContain(message)
  }
  const listed = await user.run(project, 'archive')
  expect(listed.stdout).toMatch(/^left to do +1 {2}test {2}Add a test for what was wrong/m)

  // The same failures again: the analysis gets what helped.
  const { document: again } = await user.json(project, 'fix', '--session', 'WFS-test-again')
  expect(Finished.parse(again).outcome).toBe('success')
  const prompts = execFileSync('grep', ['-rlF', 'WFS-test-kept: ', user.root, '--include=*'], {
    encoding: 'utf8',
  })
  expect(prompts).not.toBe('')

  const document3 = await user.json<Failed>(project, 'fix', '--follow-up', '99')
  expect(document3.document.error.message).toBe('there is no follow-up "99"')
  const followed = Finished.parse((await user.json(project, 'fix', '--follow-up', '1')).document)
  expect(followed).toMatchObject({ outcome: 'success' })
  expect(followed.id).toMatch(/^WFS-test-follow-up-1\./)
  expect(
    execFileSync('git', ['show', '--stat', '--format=', String(followed.branch)], {
      cwd: project,
      encoding: 'utf8',
    }) +
      execFileSync('git', ['ls-tree', '-r', '--name-only', String(followed.branch)], {
        cwd: project,
        encoding: 'utf8',
      }),
  ).toContain('tests/test_more.py')
})

/** Writes the journal of a move of a session that has begun, in the name of a run. */
function journal(project: string, run: string): string {
  const file = path.join(project, '.workflow/archives/.archiving-WFS-test-open.json')
  const [from, to] = ['.workflow/WFS-test-open', '.workflow/archives/WFS-test-open']
  mkdirSync(path.dirname(file), { recursive: true })
  const entry = {
    session_id: 'WFS-test-open',
    workflow_id: run,
    kind: 'test-fix',
    archive_path: to,
  }
  writeFileSync(file, JSON.stringify({ entry, parts: [{ from, to }] }))
  return file
}

test('an open run is refused by its id, and kept by --all', async () => {
  const project = repository(user, 'open', FIX, { limits: { maxTurns: 1 } })
  const { document } = await user.json(project, 'fix', '--detach')
  const { id } = Detached.parse(document)
  await waitFor(async () => (await user.run(project, 'status', id)).stdout.includes('question'), {
    what: 'the question',
    timeoutMs: 60_000,
  })
  const refused = await user.json<Failed>(project, 'archive', id)
  expect(refused).toMatchObject({
    exitCode: 2,
    document: { error: { message: `the run ${id} is open` } },
  })
  expect((await user.json<Archived>(project, 'archive', '--all')).document.archived).toEqual([])
  // Neither its own journal nor one in the name of another run moves it.
  for (const run of [id, 'WFS-test-open.other']) {
    const file = journal(project, run)
    const finishing = await user.json<Archived>(project, 'archive')
    expect(finishing).toMatchObject({ exitCode: 0, document: { archived: [] } })
    expect(existsSync(path.join(project, '.workflow/WFS-test-open'))).toBe(true)
    rmSync(file)
  }
  await user.run(project, 'stop', id)
  await user.run(project, 'watch', id)
  const older = await user.json<Archived>(project, 'archive', '--older', '30d')
  expect(older.document.archived).toEqual([])
  const all = await user.json<Archived>(project, 'archive', '--all')
  expect(all.document.archived).toMatchObject([{ session_id: 'WFS-test-open' }])
})

const COMMANDS = {
  fix: ['fix'],
  cycle: ['cycle', 'Make the calculator right'],
  loop: ['loop', 'Make the calculator right', '--auto'],
}
/** Writes where the hook of the end sees the record, and whether it is there. */
const TOLD = `const { run } = JSON.parse(require('fs').readFileSync(0, 'utf8'))
require('fs').writeFileSync(process.argv[1], run.recordDir + ' ' + require('fs').existsSync(run.recordDir))`
test.each(['fix', 'cycle', 'loop'] as const)('a %s that archives itself', async (kind) => {
  const told = path.join(os.tmpdir(), `told-${process.pid}-${kind}`)
  const hook = { command: [process.execPath, '-e', TOLD, told] }
  const hooks = { done: hook, failed: hook, stuck: hook }
  const project = repository(user, `self-${kind}`, STEPS[kind], { archive: 'ended', hooks })
  const { document } = await user.json(project, ...COMMANDS[kind])
  const { id, recordDir, warnings } = Finished.parse(document)
  expect(warnings).toEqual([])
  expect(recordDir).toMatch(/\/\.workflow\/archives\/[^/]+$/)
  expect(readFileSync(told, 'utf8')).toBe(`${recordDir} true`)
  const manifest = JSON.parse(
    readFileSync(path.join(project, '.workflow/archives/manifest.json'), 'utf8'),
  ) as unknown[]
  expect(manifest).toMatchObject([{ workflow_id: id }])
  const { stdout } = await user.run(project, 'status', id, '--json')
  expect(stdout).toContain(`archived: ${recordDir}`)
  const report = await user.run(project, 'report', id, '--format', 'md')
  expect(report).toMatchObject({ exitCode: 0 })
  expect(report.stdout).toContain('archived')
})
