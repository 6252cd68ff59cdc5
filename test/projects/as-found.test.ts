// Projects of other people, as they publish them with their tests, each measured by its own
// command. The versions are pinned, and so are the counts. They are those of the runner itself; a
// test of Go with subtests is not counted next to them. The packages come from the registries;
// where one cannot be reached this fails, and says so.
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { apartRuns, measured, project } from '../support/runs/measured-runs.js'

apartRuns()

type Published = {
  name: string
  from: 'npm' | 'pypi' | 'go'
  version: string
  command: string[]
  /** Packages of npm that its tests need, installed in the directory above it. */
  dev?: string[]
  says: { total: number; passed: number; failed: number; skipped: number }
}

const passes = (total: number, skipped = 0): Published['says'] => ({
  total,
  passed: total,
  failed: 0,
  skipped,
})
const UNIT = ['npm', 'run', 'test:unit']
const NPM_TEST = ['npm', 'test']
const PYTEST = ['python3', '-m', 'pytest']
const GO_TEST = ['go', 'test', './...']
const [C8, MOCHA, JEST] = ['c8@10.1.3', 'mocha@10.8.2', 'jest@29.7.0']

// prettier-ignore
const PROJECTS: readonly Published[] = [
  // Node --test, behind c8
  { name: '@fastify/error', from: 'npm', version: '4.2.0', command: UNIT, dev: [C8], says: passes(29) },
  // The same
  { name: 'process-warning', from: 'npm', version: '5.0.0', command: UNIT, dev: [C8], says: passes(23) },
  { name: 'process-warning', from: 'npm', version: '5.0.0', command: ['npm', 'run', 'test:jest'], dev: [JEST], says: passes(1) },
  // With the Babel of 2018
  { name: 'gensync', from: 'npm', version: '1.0.0-beta.2', command: NPM_TEST, dev: ['jest@23.6.0', 'babel-core@6.26.3', 'babel-preset-env@1.7.0'], says: passes(30) },
  { name: 'brorand', from: 'npm', version: '1.1.0', command: NPM_TEST, dev: [MOCHA], says: passes(1) },
  { name: 'minimalistic-crypto-utils', from: 'npm', version: '1.0.1', command: NPM_TEST, dev: [MOCHA], says: passes(4) },
  { name: 'sprintf-js', from: 'npm', version: '1.0.3', command: NPM_TEST, dev: [MOCHA], says: passes(3) },
  { name: 'obuf', from: 'npm', version: '1.1.2', command: NPM_TEST, dev: [MOCHA], says: passes(26) },
  { name: 'more-itertools', from: 'pypi', version: '10.5.0', command: PYTEST, says: passes(663, 1) },
  { name: 'toolz', from: 'pypi', version: '1.0.0', command: PYTEST, says: passes(180) },
  { name: 'github.com/google/uuid', from: 'go', version: 'v1.6.0', command: GO_TEST, says: passes(196, 1) },
  { name: 'github.com/mitchellh/mapstructure', from: 'go', version: 'v1.5.0', command: GO_TEST, says: passes(133) },
]

const run = promisify(execFile)

/** Gets the package, unpacked in a directory below `into`. */
async function published(
  { name, from, version, dev = [] }: Published,
  into: string,
): Promise<string> {
  const dir = path.join(into, 'project')
  mkdirSync(dir)
  if (from === 'go') {
    const { stdout } = await run('go', ['mod', 'download', '-json', `${name}@${version}`], {
      cwd: into,
    })
    cpSync((JSON.parse(stdout) as { Dir: string }).Dir, dir, { recursive: true })
    // The cache of modules is read-only.
    for (const one of ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })])
      chmodSync(path.join(dir, one), 0o755)
    return dir
  }
  if (from === 'pypi')
    await run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--no-binary',
      ':all:',
      '--dest',
      into,
      `${name}==${version}`,
    ])
  else {
    writeFileSync(path.join(into, 'package.json'), '{"private": true}\n')
    await run(
      'npm',
      ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...dev],
      { cwd: into },
    )
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: into })
  }
  const [archive = ''] = readdirSync(into).filter((file) => /\.(tgz|tar\.gz)$/.test(file))
  await run('tar', ['-xzf', path.join(into, archive), '-C', dir, '--strip-components', '1'])
  return dir
}

test.each(PROJECTS)('$name $version is measured as found: $command', async (one) => {
  const dir = await published(one, project()).catch((error: unknown) => {
    throw new Error(
      `${one.name} ${one.version} could not be prepared from the package registry; check the network and run this again`,
      { cause: error },
    )
  })
  const { total, passed, failed, skipped } = await measured(dir, { test: { command: one.command } })
  expect({ total, passed, failed, skipped }).toEqual(one.says)
})
