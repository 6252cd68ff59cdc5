import { expect, test } from 'vitest'
import { filesOfCommand } from '../../../../src/core/guard/command-files.js'

const MAKE = ['Makefile', 'makefile', 'GNUmakefile']

test.each<{
  why: string
  command: string | string[]
  scripts?: Record<string, string>
  files: string[]
}>(
  // prettier-ignore
  [
  { why: 'a target of make',                    command: 'make -s test',                      files: MAKE },
  { why: 'as a list',                           command: ['make', 'test'],                    files: MAKE },
  { why: 'just and task',                       command: 'just test && task check',           files: ['justfile', 'Justfile', '.justfile', 'Taskfile.yml', 'Taskfile.yaml'] },
  { why: 'a script',                            command: ['scripts/test.sh', '--all'],        files: ['scripts/test.sh'] },
  { why: 'a script of a shell',                 command: 'bash ./ci/run',                     files: ['ci/run'] },
  { why: 'in a line of a shell',                command: ['sh', '-c', 'cd a; ./run-tests.sh'], files: ['run-tests.sh'] },
  { why: 'a program of the project',            command: './gradlew test',                    files: ['gradlew'] },
  { why: 'a test script of another language',   command: 'python tools/run_tests.py -v',      files: ['tools/run_tests.py'] },
  { why: 'code that may be under test',         command: 'python manage.py test',             files: [] },
  { why: 'an absolute path and one that leads out', command: 'sh /opt/test.sh ../test.sh',    files: [] },
  { why: 'a runner of its own',                 command: 'pytest -q tests',                   files: [] },
  { why: 'scripts of a package',                command: 'npm run -s test:all',               scripts: { 'test:all': 'npm test && make lint', pretest: 'sh scripts/pre.sh', test: 'node scripts/test.mjs' }, files: [...MAKE, 'scripts/pre.sh', 'scripts/test.mjs'] },
  { why: 'scripts that call each other for ever', command: 'npm test',                        scripts: { test: 'npm run a', a: 'npm test' }, files: [] },
],
)('files of a command: $why', ({ command, scripts = {}, files }) => {
  expect(filesOfCommand(command, scripts).sort()).toEqual([...files].sort())
})
