import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import {
  commitAll,
  filesOf,
  fingerprint,
  makeRepo,
  prepare,
  refs,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
  type Files,
} from '../../support/repositories/repos.js'

function without(act: (dir: string) => void): () => string {
  return () => {
    const dir = path.join(tempDir(), 'project')
    mkdirSync(dir)
    act(dir)
    return dir
  }
}

const withFiles =
  (files: Files, act: (root: string) => void = () => undefined) =>
  () => {
    const root = makeRepo({ ...SAMPLE, ...files })
    act(root)
    return root
  }

const nested = (root: string) => {
  mkdirSync(path.join(root, 'inner'))
  runGit(path.join(root, 'inner'), 'init', '-q')
  commitAll(path.join(root, 'inner'), 'inner')
}

const refusals: { why: string; make: () => string; type: string; says: RegExp; next: RegExp }[] = [
  {
    why: 'no repository',
    make: without(() => undefined),
    type: 'NoRepository',
    says: /not in a git repository/,
    next: /git init/,
  },
  {
    why: 'no directory',
    make: () => path.join(tempDir(), 'nowhere'),
    type: 'NoRepository',
    says: /does not exist/,
    next: /path/,
  },
  {
    why: 'a bare repository',
    make: without((dir) => void runGit(dir, 'init', '-q', '--bare')),
    type: 'NoRepository',
    says: /bare/,
    next: /checked out/,
  },
  {
    why: 'the .git directory',
    make: () => path.join(makeRepo(), '.git'),
    type: 'NoRepository',
    says: /without a work tree/,
    next: /checked out/,
  },
  {
    why: 'no commit yet',
    make: without((dir) => void runGit(dir, 'init', '-q')),
    type: 'NoCommit',
    says: /no commit yet/,
    next: /git commit/,
  },
  {
    why: 'a nested repository',
    make: withFiles({}, nested),
    type: 'UnsupportedRepository',
    says: /another git repository/,
    next: /\.gitignore/,
  },
  {
    why: 'a folder unknown to git',
    type: 'NoRepository',
    says: /no file/,
    next: /\.gitignore/,
    make: () => {
      const root = makeRepo({ '.gitignore': 'build/\n' })
      writeFiles(root, { 'build/x.js': 'x' })
      return path.join(root, 'build')
    },
  },
]

test.each(refusals)(
  'refuses $why, says what to do, and creates nothing',
  async ({ make, type, says, next }) => {
    const project = make()
    await expect(prepare(project, tempDirs())).rejects.toMatchObject({
      name: 'RefusalError',
      type,
      message: expect.stringMatching(says) as string,
      next: expect.stringMatching(next) as string,
      where: expect.stringContaining('/') as string,
    })
    if (type === 'UnsupportedRepository')
      expect(Object.keys(refs(project)).filter((ref) => ref.includes('ratchet'))).toEqual([])
  },
)

test('a submodule is refused in-place, where changes of an agent in it would stay unnoticed', async () => {
  const project = makeRepo()
  runGit(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', makeRepo(), 'sub')
  commitAll(project, 'submodule')
  await expect(
    prepare(project, tempDirs(), { workspaceConfig: { isolation: 'in-place' } }),
  ).rejects.toMatchObject({
    type: 'UnsupportedRepository',
    where: path.join(project, 'sub'),
    next: expect.stringContaining('"clone"') as string,
  })
})

test('files that a partial clone has not fetched are a refusal, not an endless retry', async () => {
  const [origin, project] = [makeRepo(), path.join(tempDir(), 'partial')]
  const first = runGit(origin, 'rev-parse', 'HEAD')
  writeFiles(origin, { 'src/add.js': 'second\n' })
  commitAll(origin, 'second')
  runGit(origin, 'config', 'uploadpack.allowFilter', 'true')
  runGit(tempDir(), 'clone', '-q', '--filter=blob:none', `file://${origin}`, project)
  renameSync(origin, `${origin}-offline`)
  await expect(prepare(project, tempDirs(), { base: first })).rejects.toMatchObject({
    type: 'UnsupportedRepository',
    next: expect.stringContaining('check out the commit once') as string,
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a base that is no commit', input: { base: 'nowhere' }, type: 'BadInput', says: /base: "nowhere"/ },
  { why: 'a name that leads elsewhere', input: { name: '../x' }, type: 'BadInput', says: /must/ },
  { why: 'a set-up command that fails', input: { workspaceConfig: { setup: [['sh', '-c', 'echo the reason; exit 3']] } }, type: 'SetupFailed', says: /ended with 3\nthe reason/ },
  { why: 'a missing set-up command', input: { workspaceConfig: { setup: ['no-such-command --now'] } }, type: 'SetupFailed', says: /command not found: no-such-command/ },
  { why: 'a set-up command that needs a shell', input: { workspaceConfig: { setup: ['npm run build && npm run more'] } }, type: 'BadConfig', says: /needs a shell for "&&"/ },
  { why: 'a set-up command with a variable', input: { workspaceConfig: { setup: ['make $TARGET'] } }, type: 'BadConfig', says: /needs a shell for "\$TARGET"/ },
  { why: 'files to copy from outside', input: { workspaceConfig: { copy: ['../.env'] } }, type: 'BadConfig', says: /inside the project/ },
],
)('refuses $why and leaves the project unchanged', async ({ input, type, says }) => {
  const project = makeRepo()
  const before = fingerprint(project)
  await expect(prepare(project, tempDirs(), input)).rejects.toMatchObject({
    type,
    message: expect.stringMatching(says) as string,
  })
  expect(fingerprint(project)).toEqual(before)
})

// Only root can give files away.
test.skipIf(process.getuid?.() !== 0)(
  'a repository of another user is refused until its work tree is marked safe',
  async () => {
    const [project, home] = [makeRepo(), tempDir()]
    execFileSync('chown', ['-R', '12345', project])
    await expect(prepare(project, tempDirs())).rejects.toMatchObject({
      type: 'NoRepository',
      next: `if you trust it: git config --global --add safe.directory '${project}'`,
    })
    writeFiles(home, { config: `[safe]\n\tdirectory = ${project}\n` })
    vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(home, 'config'))
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(prepare(project, tempDirs())).resolves.toMatchObject({ warnings: [] })
  },
)

test.each([
  { why: 'that fails', end: 'exit 3' },
  { why: 'that succeeds', end: 'exit 0' },
])(
  'the key of an agent that a set-up command $why prints is in no message and no file',
  async ({ end }) => {
    const [project, dirs] = [makeRepo(), tempDirs()]
    const config = Config.parse({
      agents: { mine: { protocol: 'acp', command: 'x', passEnv: ['PLANTED_KEY'] } },
      workspace: { setup: [['sh', '-c', `echo "the key is $PLANTED_KEY" | tee "$SEEN"; ${end}`]] },
    })
    const seen = path.join(tempDir(), 'seen')
    const told = await prepare(project, dirs, {
      config,
      env: { ...process.env, PLANTED_KEY: 'sk-planted-0123', SEEN: seen },
    }).then(JSON.stringify, (error: Error) => error.message)
    expect(readFileSync(seen, 'utf8')).toBe('the key is sk-planted-0123\n') // the command has it
    if (end === 'exit 3') expect(told).toContain('the key is [redacted:PLANTED_KEY]')
    expect(told).not.toContain('sk-planted')
    const kept = filesOf(dirs.state)
    if (end === 'exit 0')
      expect(
        Object.entries(kept)
          .filter(([name]) => name.endsWith('prepare.log'))
          .map(([, text]) => text),
      ).toEqual(['the key is [redacted:PLANTED_KEY]\n'])
    expect(Object.entries(kept).filter(([, text]) => text.includes('sk-planted'))).toEqual([])
  },
)

test('a state directory inside the repository is refused', async () => {
  const project = makeRepo()
  const dirs = { state: path.join(project, 'state'), cache: tempDir() }
  mkdirSync(dirs.state)
  await expect(prepare(project, dirs)).rejects.toMatchObject({
    type: 'UnsupportedRepository',
    next: expect.stringContaining('XDG_STATE_HOME') as string,
  })
})
