// A project that was not written for these tests: more-itertools, as published, with its own 660
// tests. `ratchet fix` repairs three planted bugs, one per iteration. The package comes from the
// package index, by hash; the test fails with that reason if the index cannot be reached.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/contract/result.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { analysis, type Step } from '../support/runs/real-run.js'
import {
  commitAll,
  runGit,
  writeFiles,
  fingerprint,
  outsideOfRecord,
} from '../support/repositories/repos.js'

const PACKAGE = 'more-itertools'
const PINNED = `${PACKAGE}==10.5.0 --hash=sha256:5482bfef7849c25dc3c6dd53a6173ae4795da2a41a80faea6700d9f5846c5da6\n`
const MORE = 'more_itertools/more.py'
const RECIPES = 'more_itertools/recipes.py'

/** The original code, its replacement, and where an analysis finds it. */
// prettier-ignore
const BROKEN = [
  { file: RECIPES, right: 'return list(islice(iterable, n))', wrong: 'return list(islice(iterable, n + 1))', point: `${RECIPES}:take:98-111` },
  { file: MORE, right: 'return (x for x in i if x is not _marker)', wrong: 'return (x for x in i)', point: `${MORE}:interleave_longest:1153-1154` },
  // Its test has subtests: a case may fail several times in a report.
  { file: MORE, right: 'compare = le if strict else lt', wrong: 'compare = lt if strict else le', point: `${MORE}:is_sorted:3827-3832` },
]

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

/** The published source package, unpacked in a new directory. */
async function published(): Promise<string> {
  const [into, project] = [
    path.join(user.root, 'published'),
    path.join(user.root, 'projects', PACKAGE),
  ]
  for (const dir of [into, project]) mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(into, 'pinned.txt'), PINNED)
  const run = promisify(execFile)
  await run('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--no-binary',
    PACKAGE,
    '--require-hashes',
    '--dest',
    into,
    '--requirement',
    path.join(into, 'pinned.txt'),
  ]).catch((error: unknown) => {
    throw new Error(`${PACKAGE} was not got from the package index, which this test needs`, {
      cause: error,
    })
  })
  const [archive = ''] = readdirSync(into).filter((name) => name.endsWith('.tar.gz'))
  await run('tar', ['-xzf', path.join(into, archive), '-C', project, '--strip-components', '1'])
  return project
}

function replaceOnce(file: string, from: string, to: string): void {
  const [before = '', after, ...more] = readFileSync(file, 'utf8').split(from)
  if (after === undefined || more.length > 0)
    throw new Error(`${file} does not hold "${from}" once`)
  writeFileSync(file, `${before}${to}${after}`)
}

test('a published project with three planted bugs goes green one bug per iteration, and does not change before apply', async () => {
  const project = await published()
  runGit(project, 'init', '-q', '-b', 'main')
  commitAll(project, 'as published')
  for (const { file, right, wrong } of BROKEN) replaceOnce(path.join(project, file), right, wrong)
  const steps = BROKEN.flatMap(({ file, right, wrong, point }, n): Step[] =>
    // prettier-ignore
    [
    { when: { role: 'cli-planning-agent', iteration: n + 1 }, do: [{ say: analysis([point], ['tests/test_more.py']) }] },
    { when: { role: 'test-fix-agent', iteration: n + 1, turn: 'work' }, do: [{ patch: { path: file, find: wrong, replace: right } }] },
  ],
  )
  writeFiles(project, {
    'ratchet.config.json': JSON.stringify({ roles: { default: 'playbook' } }),
    'ratchet.playbook.yaml': JSON.stringify({ steps }),
  })
  const before = fingerprint(project)

  const {
    exitCode,
    document: result,
    stderr,
  } = await user.json<RunResult>(project, 'fix', '--session', 'WFS-test-real')
  expect({ exitCode, stderr, result }).toMatchObject({
    exitCode: 0,
    result: { outcome: 'success', iterations: 3, passRate: 100, reviewNeeded: false, failures: [] },
  })
  expect(stderr).toContain('with: python3 -m pytest') // found, not configured
  // 29 tests use take, directly or not; two interleave; one sorts. How many there are differs by
  // version of Python.
  expect(result.history.map(({ passed = 0, total = 0 }) => total - passed)).toEqual([32, 3, 1, 0])
  expect(new Set(result.history.map(({ total = 0 }) => total > 600 && total)).size).toBe(1)
  expect(outsideOfRecord(project)).toEqual(before)

  expect(await user.json(project, 'apply', 'WFS-test-real')).toMatchObject({
    exitCode: 0,
    document: { applied: [MORE, RECIPES], conflicts: [] },
  })
  expect(runGit(project, 'status', '--porcelain')).toBe(
    '?? ratchet.config.json\n?? ratchet.playbook.yaml',
  ) // as its authors wrote it
})
