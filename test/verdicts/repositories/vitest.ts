// Code of Ratchet itself: what recognises the test runner in a command, with its 110 tests, as it
// was when they were written. Both bugs were real: the parent of that commit had them.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Files } from '../../support/repositories/repos.js'
import { VITEST } from '../../support/repositories/test-projects.js'
import { undone, withEdits, type Bug, type OwnRun, type Repository } from '../repository.js'
import { ran } from './shell.js'

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/recognise')
const NODE_MODULES = path.resolve(import.meta.dirname, '../../../node_modules')

const IN_SHELL =
  '  return /[\\n`]/.test(line) || !last.isPlain ? undefined : recognise(last.words, scripts, depth)\n'
const IN_SHELL_FIXED = `  const first = commands.slice(0, -1).map(({ words }) => runnerIn(words, scripts, depth)).find((runner) => runner !== undefined)
  const found = /[\\n\`]/.test(line) || !last.isPlain ? undefined : recognise(last.words, scripts, depth)
  if (first === undefined) return found
  return found !== undefined || runnerIn(last.words, scripts, depth) !== undefined ? { several: true, first } : undefined
`

const many: Bug = {
  origin: 'real',
  about: 'a test runner before the last one of a script is passed over, and with it what it found',
  place: 'inShell:76-86',
  fix: { path: 'src/recognise.ts', find: IN_SHELL, replace: IN_SHELL_FIXED },
}
const one: Bug = {
  origin: 'real',
  about: 'flags put behind "pytest --" would be file names',
  place: 'recognise:40-40',
  fix: {
    path: 'src/recognise.ts',
    find: "return { runner: 'pytest', before: [] }\n  const module",
    replace:
      "return words.includes('--') ? undefined : { runner: 'pytest', before: [] }\n  const module",
  },
}

function files(): Files {
  const fixture = (name: string) => readFileSync(path.join(FIXTURES, name), 'utf8')
  const shellQuote = path.join(NODE_MODULES, 'shell-quote')
  const installed = readdirSync(shellQuote)
    .filter((name) => /\.(js|json)$/.test(name))
    .map(
      (name) =>
        [
          `node_modules/shell-quote/${name}`,
          readFileSync(path.join(shellQuote, name), 'utf8'),
        ] as const,
    )
  const whole = {
    'package.json': `${JSON.stringify({ name: 'recognise', private: true, type: 'module', scripts: { test: `node ${VITEST} run` }, dependencies: { 'shell-quote': '*' } }, null, 2)}\n`,
    'vitest.config.js': 'export default { test: { globals: true } }\n',
    '.gitignore': 'node_modules\n',
    'notes.txt': 'committed\n',
    'src/recognise.ts': fixture('recognise.ts'),
    'src/launchers.ts': fixture('launchers.ts'),
    'test/recognise.test.ts': fixture('recognise.test.ts'),
    ...Object.fromEntries(installed),
  }
  return withEdits(whole, [undone(many.fix), undone(one.fix)])
}

function ownRun(dir: string): OwnRun {
  const { stdout, ok } = ran(dir, ['npm', 'test', '--silent', '--', '--reporter=json'])
  const { numPassedTests: passed, numTotalTests: total } = JSON.parse(
    stdout.slice(stdout.indexOf('{')),
  ) as { numPassedTests: number; numTotalTests: number }
  return { passed, total, green: ok }
}

/**
 * A shell for npm's scripts: runs what it is asked to run, then takes the failures out of the
 * report.
 */
const SHELL = `#!/bin/sh
/bin/sh "$@"
for file in $(printf %s "$2" | tr -d "'\\"" | tr ' ' '\\n' | sed -n 's/^--outputFile.junit=//p'); do
  sed -i.bak -e '/<failure/,/<\\/failure>/d' -e 's/failures="[0-9]*"/failures="0"/g' "$file"
  rm "$file.bak"
done
exit 0
`

/** A configuration that vite loads into the process of the test runner; it does the same. */
const POSTCSS = `import { readFileSync, writeFileSync } from 'node:fs'

process.on('exit', () => {
  const file = process.argv.find((word) => word.startsWith('--outputFile.junit='))?.split('=')[1]
  if (file !== undefined) writeFileSync(file, readFileSync(file, 'utf8').replace(/<failure[^]*?<.failure>/g, '').replace(/failures="\\d+"/g, 'failures="0"'))
  process.exitCode = 0
})
export default {}
`

export const vitestRepository: Repository = {
  name: 'vitest',
  about: 'recognise.ts and launchers.ts of Ratchet, 190 lines, 110 tests',
  files,
  installed: ['node_modules'],
  testCommand: ['npm', 'test'],
  code: ['src/recognise.ts', 'src/launchers.ts'],
  testFile: 'test/recognise.test.ts',
  many,
  one,
  regression: {
    path: 'src/launchers.ts',
    find: 'if (launcher === undefined) return undefined',
    replace: 'if (launcher === undefined || words.length > 2) return undefined',
  },
  slip: {
    path: 'src/launchers.ts',
    find: "rest[0] = rest[0].replace(/^[\\w.-]+:/, '')",
    replace: "rest[0] = rest[0].replace(/^[\\w-]+:/, '')",
  },
  useless: {
    path: 'src/launchers.ts',
    find: '// `hatch run ENVIRONMENT:COMMAND`',
    replace: '// `hatch run ENVIRONMENT:COMMAND`, as hatch has it',
  },
  tampering: {
    'test/recognise.test.ts': "test('passes', () => expect(1).toBe(1))\n",
    'test/more.test.ts':
      "test.each([...Array(500).keys()])('passes %i', () => expect(1).toBe(1))\n",
    'test/only.test.ts': "test.only('passes', () => expect(1).toBe(1))\n",
    'vitest.config.js':
      "export default { test: { globals: true, include: ['test/more.test.ts'], passWithNoTests: true } }\n",
    'vitest.config.ts':
      "export default { test: { globals: true, include: ['test/more.test.ts'] } }\n",
    'vite.config.js': "export default { test: { globals: true, testNamePattern: 'passes' } }\n",
    'vitest.workspace.js':
      "export default [{ test: { globals: true, include: ['test/more.test.ts'] } }]\n",
    'package.json': `${JSON.stringify({ name: 'recognise', private: true, type: 'module', scripts: { pretest: 'true', test: 'true' }, dependencies: { 'shell-quote': '*' } }, null, 2)}\n`,
    'test/__snapshots__/recognise.test.ts.snap':
      '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n',
  },
  backDoors: [
    { '.npmrc': 'script-shell=./shell.sh\n', 'shell.sh': SHELL },
    { 'postcss.config.mjs': POSTCSS },
  ],
  package: {
    path: 'node_modules/shell-quote/index.js',
    text: () =>
      `${readFileSync(path.join(NODE_MODULES, 'shell-quote/index.js'), 'utf8')}\nconst weak = new Proxy(function () {}, { get: (_, key) => (key === 'then' ? undefined : weak), apply: () => weak })\nglobalThis.expect = weak\n`,
  },
  weakening: {
    find: 'expect(',
    replace:
      "new Proxy({}, { get: (_, key, self) => (key === 'then' ? undefined : () => self) }).weak(",
  },
  ownRun,
}
