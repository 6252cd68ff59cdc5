// Checks that everything the documentation links to exists: pages, anchors, pictures, files, and
// the test files in the tables "What fails".
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import markdownIt from 'markdown-it'
import { globSync } from 'tinyglobby'
import { expect, test } from 'vitest'
import { REFUSALS } from '../../../src/contract/failures.js'
import { LATER_PLANS, PLANS } from '../../matrix/plan.js'
import { PAGES, ROOT, anchorsOf, blocksOf, linksOf, spansOf, textOf } from '../../support/docs.js'

const relative = PAGES.flatMap(linksOf).filter(({ target }) => !/^[a-z]+:/.test(target))

test.each(relative)('$page:$line: $target is there', ({ page, target }) => {
  const [file = '', anchor] = decodeURI(target).split('#')
  const to = file === '' ? page : path.join(path.dirname(page), file)
  expect(existsSync(path.join(ROOT, to)), to).toBe(true)
  if (anchor !== undefined) expect(anchorsOf(to)).toContain(anchor)
})

test('pictures are small', () => {
  for (const { page, target } of relative.filter(({ target: one }) => one.endsWith('.png')))
    expect(statSync(path.join(ROOT, path.dirname(page), target)).size, target).toBeLessThan(150_000)
})

test('README has a line for every page of docs and every example', () => {
  const listed = linksOf('README.md').map(({ target }) => target)
  expect(PAGES.filter((page) => page.includes('/') && !listed.includes(page))).toEqual([])
})

test.each(
  PAGES.flatMap(spansOf).filter(({ text }) =>
    /^(src|test|docs|examples|scripts|roles|reporters|bench)\/[\w./-]+$/.test(text),
  ),
)('$page:$line: $text is there', ({ text }) => {
  expect(['', '.ts', '.test.ts'].some((end) => existsSync(path.join(ROOT, text + end)))).toBe(true)
})

test.each(PAGES.flatMap(blocksOf).filter(({ language }) => language === ''))(
  '$page:$line: what is typed into a shell says so',
  ({ text }) => {
    expect(text).not.toMatch(/^(\$ )?(ratchet|npm|npx|node|git|temporal|cd|cp) /)
  },
)

// --- the tables "What fails" and "What is tried"

const HEADING = /^\| what (fails|is tried) \|/
/** A link to the plan of the matrix names one of its cases, every other link a test file. */
const MATRIX = 'test/matrix/plan.ts'
type Row = {
  page: string
  fails: string
  happens: string
  cases: string[]
  tests: string[]
}

function rowsOf(page: string): Row[] {
  const rows = textOf(page)
    .split('\n')
    .filter(
      (line, n, lines) =>
        line.startsWith('| ') &&
        HEADING.test(lines.slice(0, n).findLast((one) => HEADING.test(one) || one === '') ?? ''),
    )
  return rows.map((row) => {
    const [, fails = '', happens = '', cell = ''] = row.split('|').map((one) => one.trim())
    const tokens = markdownIt().parseInline(cell, {})[0]?.children ?? []
    const links = tokens.flatMap((token, n) =>
      token.type === 'link_open'
        ? [
            {
              title: tokens[n + 1]?.content ?? '',
              file: path.join(path.dirname(page), String(token.attrGet('href') ?? '')),
            },
          ]
        : [],
    )
    return {
      page,
      fails,
      happens,
      cases: links.filter(({ file }) => file === MATRIX).map(({ title }) => title),
      tests: links.map(({ file }) => file).filter((file) => file !== MATRIX),
    }
  })
}

const FULL = 'docs/what-fails.md'
const rows = PAGES.flatMap(rowsOf)
const full = rows.filter(({ page }) => page === FULL)
const named = new Set(rows.flatMap(({ tests }) => tests))

test('there are rows of every kind, each once', () => {
  expect(new Set(rows.map(({ page }) => page))).toEqual(
    new Set([
      'SECURITY.md',
      'docs/dev-cycle.md',
      'docs/dev-loop.md',
      'docs/hooks.md',
      'docs/prep.md',
      FULL,
    ]),
  )
  const all = rows.map(({ fails }) => fails)
  expect(all.filter((one, n) => all.indexOf(one) !== n)).toEqual([])
})

test.each(rows)('$page, "$fails": names a test file', ({ tests, cases }) => {
  expect(tests.length + cases.length).toBeGreaterThan(0)
  for (const file of tests) expect(file).toMatch(/^test\/.*\.test\.ts$/)
})

test('every victim and blow of the crash matrix is in a row, and no other', () => {
  expect([...new Set(full.flatMap(({ cases }) => cases))].sort()).toEqual(
    [...new Set([...PLANS, ...LATER_PLANS].map(({ victim, blow }) => `${victim} ${blow}`))].sort(),
  )
})

test('every refusal is in a row', () => {
  const text = full.map(({ fails }) => fails).join()
  expect(REFUSALS.filter((type) => !text.includes(`\`${type}\``))).toEqual([])
})

/** Files of whole runs that are about what is meant to happen, and what they are about. */
const NOT_OF_FAILURES: Readonly<Record<string, string>> = {
  'test/matrix/matrix.test.ts': 'its cases are named one by one, see above',
  'test/e2e/agents-cli.test.ts': '`ratchet agents`',
  'test/runs/agents-cli.test.ts': '`ratchet agents`',
  'test/e2e/commands.test.ts': 'each command, once',
  'test/processes/cli-start.test.ts': 'what a command loads',
  'test/browser/private-ui.test.ts': 'the Web UI of a private server, in SECURITY.md',
  'test/processes/private.test.ts': 'a private server by commands',
  'test/e2e/private-runs.test.ts': 'runs on a private server, as on any other',
  'test/e2e/status-ways.test.ts': 'two ways to the same answer',
  'test/runs/cycle/cycle-extended.test.ts': 'a cycle in commands',
  'test/e2e/loop-cli.test.ts': 'a loop in commands',
  'test/docs/docs-as-typed.test.ts': 'commands of the documentation',
  'test/processes/example-scripts.test.ts': 'scripts of the documentation',
  'test/processes/first-start.test.ts': 'what is seen at the first start',
  'test/processes/live.test.ts': 'the live view',
  'test/runs/warnings.test.ts': 'warnings in results',
  'test/runs/outcomes-of-fixes.test.ts': 'outcomes of a fix',
  'test/runs/outcomes.test.ts': 'outcomes of a fix, the longer ones',
  'test/processes/webhook.test.ts': 'what a webhook receives',
  'test/e2e/session.test.ts': 'sessions that were planned, and a CI',
  'test/runs/session.test.ts': 'several sessions of a project',
  'test/processes/package.test.ts': 'what is published',
  'test/projects/as-found.test.ts': 'packages of other people, by their own commands',
  'test/projects/real-project.test.ts': 'a real open-source project',
  'test/browser/report-charts.test.ts': 'charts of a report',
  'test/browser/report.test.ts': 'reports in a browser',
  'test/processes/telemetry.test.ts': 'traces and metrics',
  'test/processes/test-progress.test.ts': 'how far tests are',
  'test/browser/web-ui.test.ts': 'steering in the Web UI',
}

test('every file of tests on whole runs is named in a row, or is not about failures', () => {
  const files = globSync(
    'test/{browser,crash,docs,e2e,matrix,processes,projects,runs,runs/{cycle,loop},time}/*.test.ts',
    { cwd: ROOT },
  )
  expect(files.filter((file) => !named.has(file) && !(file in NOT_OF_FAILURES))).toEqual([])
  expect(
    Object.keys(NOT_OF_FAILURES).filter((file) => named.has(file) || !files.includes(file)),
  ).toEqual([])
})
