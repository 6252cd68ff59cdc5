import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { qualityCommands } from '../../../src/adapters/checks/check-commands.js'
import { tempDir, writeFiles, type Files } from '../../support/repositories/repos.js'

/** A project at the top of a repository, and a PATH with these programs only. */
function project(
  files: Files,
  programs: readonly string[] = [],
): { dir: string; env: Record<string, string> } {
  const root = tempDir()
  const [dir, bin] = [path.join(root, 'project'), path.join(root, 'bin')]
  for (const one of [path.join(dir, '.git'), bin]) mkdirSync(one, { recursive: true })
  writeFiles(dir, files)
  writeFiles(bin, Object.fromEntries(programs.map((name) => [name, { script: '#!/bin/sh\n' }])))
  return { dir, env: { PATH: bin } }
}

const scripts = (lines: Record<string, string>, more: Record<string, unknown> = {}): Files => ({
  'package.json': JSON.stringify({ scripts: lines, ...more }),
})
const TSC: Files = { 'tsconfig.json': '{}', 'node_modules/.bin/tsc': { script: '#!/bin/sh\n' } }
const VENV = (name: string): Files => ({ [`.venv/bin/${name}`]: { script: '#!/bin/sh\n' } })

test.each<{ why: string; files: Files; programs?: string[]; found: string[] }>(
  // prettier-ignore
  [
  { why: 'nothing', files: {}, found: [] },
  { why: 'scripts', files: scripts({ lint: 'eslint .', typecheck: 'tsc --noEmit', 'test:coverage': 'vitest run --coverage' }), found: ['lint: npm run lint', 'types: npm run typecheck', 'coverage: npm run test:coverage'] },
  { why: 'the other names', files: scripts({ 'check-types': 'tsc', coverage: 'c8 node --test' }), found: ['types: npm run check-types', 'coverage: npm run coverage'] },
  { why: 'the first of several names', files: scripts({ types: 'b', 'type-check': 'a' }), found: ['types: npm run type-check'] },
  { why: 'scripts of pnpm', files: { ...scripts({ lint: 'eslint .' }), 'pnpm-lock.yaml': '' }, programs: ['pnpm'], found: ['lint: pnpm run lint'] },
  { why: 'scripts of yarn by packageManager, before a lock file', files: { ...scripts({ lint: 'eslint .' }, { packageManager: 'yarn@4.1.0' }), 'package-lock.json': '' }, programs: ['yarn'], found: ['lint: yarn run lint'] },
  { why: 'a manager that is not there: npm', files: { ...scripts({ lint: 'eslint .' }), 'bun.lock': '' }, found: ['lint: npm run lint'] },
  { why: 'a package.json that cannot be read', files: { 'package.json': '{' }, found: [] },
  { why: 'a tsconfig.json with typescript', files: TSC, found: ['types: tsc --noEmit'] },
  { why: 'a tsconfig.json without typescript', files: { 'tsconfig.json': '{}' }, found: [] },
  { why: 'a script before the tsconfig.json', files: { ...TSC, ...scripts({ typecheck: 'vue-tsc' }) }, found: ['types: npm run typecheck'] },
  { why: 'a watching script: the tool instead', files: { ...TSC, ...scripts({ typecheck: 'tsc --watch' }) }, found: ['types: tsc --noEmit'] },
  { why: 'a watching script: the next name', files: scripts({ typecheck: 'tsc --noEmit -w', types: 'tsc --noEmit' }), found: ['types: npm run types'] },
  { why: 'a script that calls a watching one', files: scripts({ lint: 'npm run lint:all', 'lint:all': 'eslint . --watch' }), found: [] },
  { why: 'a script that says that it does not watch', files: scripts({ coverage: 'jest --coverage --watchAll=false' }), found: ['coverage: npm run coverage'] },
  { why: 'a script that watches all', files: scripts({ coverage: 'jest --coverage --watchAll' }), found: [] },
  { why: 'a workspace flag that looks like one', files: scripts({ lint: 'npm run lint -w packages/a' }), found: ['lint: npm run lint'] },
  { why: 'a build', files: scripts({ build: 'tsc -p .' }), found: ['build: npm run build'] },
  { why: 'a build that watches', files: scripts({ build: 'vite build --watch' }), found: [] },
  { why: 'a build that the tests run', files: scripts({ build: 'tsc -p .', pretest: 'npm run compile', compile: 'npm run build', test: 'mocha' }), found: [] },
  { why: 'a build that another check runs', files: scripts({ build: 'tsc -p .', lint: 'npm run build && eslint .' }), found: ['lint: npm run lint'] },
  { why: 'ruff by pyproject.toml, in the own environment', files: { 'pyproject.toml': '[tool.ruff.lint]\nselect = ["E"]\n', ...VENV('ruff') }, found: ['lint: ruff check .'] },
  { why: 'ruff by ruff.toml, on PATH', files: { 'ruff.toml': '' }, programs: ['ruff'], found: ['lint: ruff check .'] },
  { why: 'ruff that is not installed', files: { 'ruff.toml': '' }, found: [] },
  { why: 'ruff that nothing configures', files: { 'pyproject.toml': '[tool.ruffian]\n' }, programs: ['ruff'], found: [] },
  { why: 'mypy by mypy.ini', files: { 'mypy.ini': '[mypy]\nstrict = True\n' }, programs: ['mypy'], found: ['types: mypy .'] },
  { why: 'mypy that knows its files', files: { 'pyproject.toml': '[tool.mypy]\nfiles = ["src"]\n[tool.other]\n' }, programs: ['mypy'], found: ['types: mypy'] },
  { why: 'files of another section', files: { 'setup.cfg': '[mypy]\nstrict = True\n[options]\npackages = find:\n' }, programs: ['mypy'], found: ['types: mypy .'] },
  { why: 'go', files: { 'go.mod': 'module x\n' }, programs: ['go'], found: ['lint: go vet ./...'] },
  { why: 'go that is not there', files: { 'go.mod': 'module x\n' }, found: [] },
  { why: 'Rust', files: { 'Cargo.toml': '' }, programs: ['cargo'], found: [] },
  { why: 'both worlds, each name once', files: { ...scripts({ lint: 'eslint .' }), 'ruff.toml': '', 'mypy.ini': '[mypy]\n' }, programs: ['ruff', 'mypy'], found: ['lint: npm run lint', 'types: mypy .'] },
],
)('validate: checks of a project with $why', ({ files, programs, found }) => {
  const { dir, env } = project(files, programs)
  expect(qualityCommands(dir, env).map(({ name, display }) => `${name}: ${display}`)).toEqual(found)
})

test('a package in a subfolder uses the manager and the compiler of the top', () => {
  const { dir, env } = project(
    {
      'pnpm-lock.yaml': '',
      'node_modules/.bin/tsc': { script: '#!/bin/sh\n' },
      'web/package.json': '{"scripts":{"lint":"x"}}',
      'web/tsconfig.json': '{}',
    },
    ['pnpm'],
  )
  expect(qualityCommands(path.join(dir, 'web'), env).map(({ argv }) => argv)).toEqual([
    ['pnpm', 'run', 'lint'],
    [path.join(dir, 'node_modules/.bin/tsc'), '--noEmit'],
  ])
})
