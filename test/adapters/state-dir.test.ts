// The directories of Ratchet and their permissions.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { dirsOf, hostId, userDirs } from '../../src/adapters/state-dir.js'
import { registerProject } from '../../src/adapters/config/registry.js'
import { tempDir } from '../support/repositories/repos.js'

const modeOf = (file: string): number => statSync(file).mode & 0o777

test.each(
  // prettier-ignore
  [
  { why: 'as XDG says', env: (home: string) => ({ HOME: home, XDG_STATE_HOME: path.join(home, 's'), XDG_CACHE_HOME: path.join(home, 'c') }), state: 's/ratchet', cache: 'c/ratchet' },
  { why: 'below the home without it', env: (home: string) => ({ HOME: home }), state: '.local/state/ratchet', cache: '.cache/ratchet' },
  { why: 'below the home where XDG is relative, which is invalid', env: (home: string) => ({ HOME: home, XDG_STATE_HOME: '../s', XDG_CACHE_HOME: 'c' }), state: '.local/state/ratchet', cache: '.cache/ratchet' },
],
)('directories are $why', ({ env, state, cache }) => {
  const home = tempDir()
  expect(dirsOf(env(home))).toEqual({
    state: path.join(home, state),
    cache: path.join(home, cache),
  })
})

test('directories of the state are private to their user', async () => {
  const before = process.umask(0) // independent of the umask of the shell
  onTestFinished(() => void process.umask(before))
  const home = tempDir()
  const dirs = userDirs({ HOME: home })
  const project = path.join(home, 'project')
  mkdirSync(project)
  const { key } = await registerProject(dirs, project)
  hostId(dirs)
  expect([dirs.state, dirs.cache, path.join(dirs.state, 'projects')].map(modeOf)).toEqual([
    0o700, 0o700, 0o700,
  ])
  expect(
    [path.join(dirs.state, 'host-id'), path.join(dirs.state, 'projects', `${key}.json`)].map(
      modeOf,
    ),
  ).toEqual([0o600, 0o600])
})

test('a state directory that others may read becomes private', () => {
  const env = { HOME: tempDir() }
  const { state } = userDirs(env)
  chmodSync(state, 0o755)
  userDirs(env)
  expect(modeOf(state)).toBe(0o700)
})

test.each([
  { why: 'is not there yet', text: undefined },
  { why: 'is empty, as a full disk leaves it', text: '' },
  { why: 'is cut', text: '12ab' },
])('many processes create one host id where the file $why', async ({ text }) => {
  const dirs = userDirs({ HOME: tempDir() })
  if (text !== undefined) writeFileSync(path.join(dirs.state, 'host-id'), text)
  const lib = tempDir()
  writeFileSync(path.join(lib, 'package.json'), '{"type":"module"}')
  for (const name of ['state-dir', 'home', 'files/replace-file']) {
    const compiled = path.join(lib, `${name}.js`)
    const source = readFileSync(
      path.resolve(import.meta.dirname, `../../src/adapters/${name}.ts`),
      'utf8',
    )
    mkdirSync(path.dirname(compiled), { recursive: true })
    writeFileSync(
      compiled,
      ts.transpileModule(source, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      }).outputText,
    )
  }
  const module = path.join(lib, 'state-dir.js')
  const script = `const { hostId } = await import(process.argv[1]); process.stdout.write(hostId({ state: process.argv[2], cache: '' }))`
  const ask = async () =>
    (
      await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '-e',
        script,
        module,
        dirs.state,
      ])
    ).stdout
  const ids = await Promise.all(Array.from({ length: 6 }, ask))
  expect(ids[0]).toMatch(/^[0-9a-f]{8}$/)
  expect(new Set(ids).size).toBe(1)
  expect(hostId(dirs)).toBe(ids[0])
  expect(readFileSync(path.join(dirs.state, 'host-id'), 'utf8')).toBe(ids[0])
  expect(
    readdirSync(dirs.state).filter((name) => !['host-id', 'host-id.next'].includes(name)),
  ).toEqual([])
})
