// Which files are tests, and which configure how tests run: tables of globs on paths with forward
// slashes.
//
// Configuration decides what a run measures, so no agent changes it. A helper below a test folder
// is a test, as one cannot be told from the other. Patterns of one runner alone are in its
// file in runners/.
import picomatch from 'picomatch/posix.js'
import { ALL_RUNNERS } from '../runners/known-runners.js'
import { SCRIPTS } from '../runners/runner-words.js'

/** Tests and what they use, in any folder. */
export const TEST_GLOBS: readonly string[] = [
  ...ALL_RUNNERS.flatMap(({ testGlobs }) => testGlobs),
  `**/*.{test,spec,cy}.{${SCRIPTS}}`,
  `**/*{-,_}{test,spec}.{${SCRIPTS}}`,
  '**/{test,tests}/**',
  '**/*_test.{rb,exs,c,cc,cpp}',
  '**/*_spec.rb',
  '**/*{Test,Tests,Spec}.{java,kt,scala,cs,php,swift}',
]

/** Configuration of test runners, in any folder. */
export const CONFIG_GLOBS: readonly string[] = [
  ...ALL_RUNNERS.flatMap(({ guard }) => guard.globs),
  `**/{playwright,cypress,ava,wdio}.config.{${SCRIPTS},json}`,
  '**/tsconfig.{test,spec}.json',
  '**/tox.{ini,toml}',
  '**/{noxfile.py,.coveragerc,.rspec,.taprc,phpunit.xml,phpunit.xml.dist}',
  '**/{.nycrc,.c8rc,.taprc}{,.*}',
  '**/karma.conf.*',
  '**/ratchet.config.*',
  // What is no runner's own and decides all the same what it reports: shells of scripts, transforms
  // that run in the process of the tests, plugins by their metadata, modules that stand before
  // installed ones.
  '**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs}',
  `**/{postcss,babel}.config.{${SCRIPTS},json,yaml,yml}`,
  '**/.{postcss,babel,swc}rc{,.*}',
  '**/*.{dist-info,egg-info}/**',
  '**/{sitecustomize,usercustomize}.py',
  '**/*.pth',
  // What decides how git stages and checks out the others.
  '**/{.gitattributes,.lfsconfig,.gitmodules}',
]

/**
 * Shared files: parts of them configure runs, see `restoreGuardedParts`; and what package managers
 * write next to them.
 */
const MANIFESTS = new Set(['package.json', 'pyproject.toml', 'Cargo.toml', 'setup.cfg'])
const LOCKS = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Cargo.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
])

const isConfiguration = picomatch([...CONFIG_GLOBS], { dot: true })
const isTest = picomatch([...TEST_GLOBS], { dot: true })

export type FileKind = 'configuration' | 'shared' | 'test' | 'other'

/**
 * What a file is to the tests. Configuration in a test folder is configuration.
 *
 * @param path relative to the project, forward slashes
 * @param reportFiles files that a report named as tests, by path: they may be called anything
 */
export function fileKind(path: string, reportFiles: readonly string[] = []): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isConfiguration(path)) return 'configuration'
  if (MANIFESTS.has(name) || LOCKS.has(name)) return 'shared'
  return isTest(path) || reportFiles.includes(path) ? 'test' : 'other'
}

export type FileChange = 'added' | 'changed' | 'deleted'

/**
 * Whether what an agent that writes tests did to a file is undone.
 *
 * It may add and change tests, and add what they need; shared files lose their guarded parts only,
 * as after a fix. What was a test stays one, and the code under test stays as it is.
 */
export function isUndoneForTestWriter(
  path: string,
  change: FileChange,
  reportFiles: readonly string[] = [],
): boolean {
  switch (fileKind(path, reportFiles)) {
    case 'configuration':
      return true
    case 'shared':
    case 'test':
      return change === 'deleted'
    case 'other':
      return change !== 'added'
  }
}

/**
 * Whether what the developer of a dev cycle did to a file is undone.
 *
 * Code and tests are its own to write, but what was a test stays one; the configuration of the
 * tests is the user's as soon as there is a suite, before that the developer sets it up.
 */
export function isUndoneForDeveloper(
  path: string,
  change: FileChange,
  { suite, reportFiles = [] }: { suite: boolean; reportFiles?: readonly string[] },
): boolean {
  switch (fileKind(path, reportFiles)) {
    case 'configuration':
      return suite
    case 'shared':
    case 'test':
      return suite && change === 'deleted'
    case 'other':
      return false
  }
}
