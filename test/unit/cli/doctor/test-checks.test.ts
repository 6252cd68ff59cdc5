// The checks of doctor for the test command.
import path from 'node:path'
import { expect, test } from 'vitest'
import { Config } from '../../../../src/contract/config/config.js'
import { checkTests } from '../../../../src/cli/doctor/test-checks.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

const NPM = { script: '#!/bin/sh\n' }
const packageWith = (script: string): string => JSON.stringify({ scripts: { test: script } })
const VITEST =
  'npm test, run as: npm test -- --run --bail=0 --reporter=default --reporter=junit --outputFile.junit=REPORT'
const MISSING = {
  ok: true,
  warning: true,
  detail: 'npm test: vitest is not installed in this project',
  next: 'install its dependencies, for example with: npm install',
}

test.each(
  // prettier-ignore
  [
  { why: 'its runner is not installed', files: { 'package.json': packageWith('vitest run') }, config: {}, says: MISSING },
  { why: 'its runner is installed', files: { 'package.json': packageWith('vitest run'), 'node_modules/.bin/vitest': '' }, config: {}, says: { ok: true, detail: VITEST } },
  { why: 'its runner is installed above, as in a workspace', files: { 'package.json': packageWith('vitest run'), '../node_modules/.bin/vitest': '' }, config: {}, says: { ok: true, detail: VITEST } },
  { why: 'it is installed into the workspace of the run', files: { 'package.json': packageWith('vitest run') }, config: { workspace: { dependencies: 'install' } }, says: { ok: true, detail: VITEST } },
  { why: 'a setup may install it', files: { 'package.json': packageWith('vitest run') }, config: { workspace: { setup: ['npm ci'] } }, says: { ok: true, detail: VITEST } },
  { why: 'the runner is part of Node', files: { 'package.json': packageWith('node --test') }, config: {}, says: { ok: true, detail: 'npm test' } },
  { why: 'it is fetched where it is missing', files: {}, config: { test: { command: 'npx jest' } }, says: { ok: true, detail: 'npx jest, run as: npx jest --bail=0 --json --outputFile=REPORT' } },
  { why: 'its program is not on PATH', files: {}, config: { test: { command: 'no-such-program-4711 -m pytest', report: { format: 'junit', path: 'r.xml' } } }, says: { ok: true, warning: true, detail: 'no-such-program-4711 -m pytest: no-such-program-4711 is not on PATH', next: 'install it, or correct test.command' } },
  { why: 'its program is a file that is gone', files: {}, config: { test: { command: './run-tests.sh', report: { format: 'junit', path: 'r.xml' } } }, says: { ok: true, warning: true, detail: './run-tests.sh: ./run-tests.sh is not there' } },
  { why: 'there is none', files: {}, config: {}, says: { ok: false, detail: /^no test command is configured/ } },
],
)('issue 8 "doctor", the test command: $why', ({ files, config, says }) => {
  const root = tempDir()
  const project = path.join(root, 'here')
  writeFiles(root, { 'bin/npm': NPM, 'bin/npx': NPM })
  writeFiles(project, { 'README.md': '', ...files })
  const { detail, ...rest } = says
  expect(
    checkTests({ project, env: { PATH: path.join(root, 'bin') } }, Config.parse(config)),
  ).toMatchObject({
    check: 'tests',
    ...rest,
    detail: typeof detail === 'string' ? detail : (expect.stringMatching(detail) as string),
  })
})
