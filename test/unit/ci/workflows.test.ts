// The workflows of .github, and whether a tag may be published.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'

type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = { needs?: string; permissions?: Record<string, string>; steps: Step[] }
type Workflow = {
  permissions: Record<string, string>
  on: Record<string, unknown>
  jobs: Record<string, Job>
}

const read = (name: string): Workflow =>
  parse(
    readFileSync(new URL(`../../../.github/workflows/${name}.yml`, import.meta.url), 'utf8'),
  ) as Workflow
const steps = (workflow: Workflow): Step[] =>
  Object.values(workflow.jobs).flatMap((job) => job.steps)

test.each(['ci', 'release'])(
  '%s: every action is pinned to a commit, no checkout keeps its token',
  (name) => {
    const used = steps(read(name)).filter(({ uses }) => uses !== undefined)
    expect(used.length).toBeGreaterThan(0)
    for (const step of used) {
      expect(step.uses).toMatch(/@[0-9a-f]{40}$/)
      if (step.uses?.startsWith('actions/checkout@') === true)
        expect(step.with).toMatchObject({ 'persist-credentials': false })
    }
  },
)

test('ci: has read access, and runs the steps of npm run check', () => {
  const ci = read('ci')
  expect(ci.permissions).toEqual({ contents: 'read' })
  expect(steps(ci).some(({ run }) => run === 'bash .ci/run')).toBe(true)
})

test('release: a tag is checked as a whole, and only then published with its provenance', () => {
  const { on, permissions, jobs } = read('release')
  expect(on).toEqual({ push: { tags: ['v*.*.*'] } })
  expect(permissions).toEqual({})
  const { check, publish } = jobs
  expect(check?.permissions).toEqual({ contents: 'read' })
  expect(check?.steps.map(({ run }) => run)).toEqual(
    expect.arrayContaining(['node scripts/release-check.mjs "$GITHUB_REF_NAME"', 'bash .ci/run']),
  )
  expect(publish).toMatchObject({
    needs: 'check',
    permissions: { contents: 'read', 'id-token': 'write' },
  })
  expect(publish?.steps.at(-1)?.run).toBe('npm publish --provenance --access public')
  // What a stranger may name never becomes part of a command.
  expect(JSON.stringify(jobs)).not.toContain('${{ github.')
})

const root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-release-'))
afterAll(() => rmSync(root, { recursive: true }))

test.each(
  // prettier-ignore
  [
  { why: 'the version, with its section', tag: 'v1.2.0', log: '# Changelog\n\n## 1.2.0\n\n- new\n\n## 1.1.0\n\n- old\n', says: 'v1.2.0 may be published' },
  { why: 'a section with its date', tag: 'v1.2.0', log: '## 1.2.0 (2026-11-22)\n\n- new\n', says: 'v1.2.0 may be published' },
  { why: 'another version', tag: 'v1.3.0', log: '## 1.2.0\n\n- new\n', says: 'error: the tag is "v1.3.0", package.json has 1.2.0' },
  { why: 'no section', tag: 'v1.2.0', log: '## Unreleased\n\n- new\n', says: 'error: CHANGELOG.md has no section "## 1.2.0"' },
  { why: 'an empty section', tag: 'v1.2.0', log: '## 1.2.0\n\n## 1.1.0\n\n- old\n', says: 'error: CHANGELOG.md says nothing of 1.2.0' },
],
)('release: a tag with $why', ({ tag, log, says }) => {
  mkdirSync(path.join(root, 'scripts'), { recursive: true })
  cpSync(
    new URL('../../../scripts/release-check.mjs', import.meta.url),
    path.join(root, 'scripts/release-check.mjs'),
  )
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ version: '1.2.0' }))
  writeFileSync(path.join(root, 'CHANGELOG.md'), log)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [path.join(root, 'scripts/release-check.mjs'), tag],
    { encoding: 'utf8' },
  )
  expect(`${stdout}${stderr}`).toContain(says)
  expect(status).toBe(says.startsWith('error') ? 1 : 0)
})
