import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Files } from '../../../support/repos.js'
import { commitAll, fingerprint, makeRepo, prepare, refs, runGit, SAMPLE, tempDir, tempDirs, writeFiles } from '../../../support/repos.js'

function without(act: (dir: string) => void): () => string {
  return () => {
    const dir = path.join(tempDir(), 'project')
    mkdirSync(dir)
    act(dir)
    return dir
  }
}

const withFiles = (files: Files, act: (root: string) => void = () => undefined) => () => {
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
  { why: 'no repository', make: without(() => undefined), type: 'NoRepository', says: /not in a git repository/, next: /git init/ },
  { why: 'no directory', make: () => path.join(tempDir(), 'nowhere'), type: 'NoRepository', says: /does not exist/, next: /path/ },
  { why: 'a bare repository', make: without((dir) => void runGit(dir, 'init', '-q', '--bare')), type: 'NoRepository', says: /bare/, next: /checked out/ },
  { why: 'the .git directory', make: () => path.join(makeRepo(), '.git'), type: 'NoRepository', says: /without a work tree/, next: /checked out/ },
  { why: 'no commit yet', make: without((dir) => void runGit(dir, 'init', '-q')), type: 'NoCommit', says: /no commit yet/, next: /git commit/ },
  { why: 'a submodule', type: 'UnsupportedRepository', says: /submodules/, next: /submodule/, make: withFiles({}, (root) => {
    runGit(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', makeRepo(), 'sub')
    commitAll(root, 'submodule')
  }) },
  { why: 'a nested repository', make: withFiles({}, nested), type: 'UnsupportedRepository', says: /another git repository/, next: /\.gitignore/ },
  { why: 'a nested repository that was added', type: 'UnsupportedRepository', says: /submodules/, next: /submodule/, make: withFiles({}, (root) => {
    nested(root)
    commitAll(root, 'gitlink')
  }) },
  { why: 'Git LFS', make: withFiles({ '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n', 'art/logo.psd': 'pointer\n' }), type: 'UnsupportedRepository', says: /LFS/, next: /git lfs migrate/ },
  { why: 'npm workspaces', make: withFiles({ 'package.json': '{ "workspaces": ["packages/*"] }' }), type: 'UnsupportedRepository', says: /package manager/, next: /in-place/ },
  { why: 'yarn workspaces', make: withFiles({ 'package.json': '{ "workspaces": { "packages": ["packages/*"] } }' }), type: 'UnsupportedRepository', says: /package manager/, next: /in-place/ },
  { why: 'pnpm workspaces', make: withFiles({ 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }), type: 'UnsupportedRepository', says: /package manager/, next: /in-place/ },
  { why: 'npm workspaces above a subfolder', make: () => path.join(withFiles({ 'package.json': '{ "workspaces": ["a"] }', 'a/x.js': 'x' })(), 'a'), type: 'UnsupportedRepository', says: /package manager/, next: /in-place/ },
  { why: 'a folder git knows nothing of', type: 'NoRepository', says: /no file/, next: /\.gitignore/, make: () => {
    const root = makeRepo({ '.gitignore': 'build/\n' })
    writeFiles(root, { 'build/x.js': 'x' })
    return path.join(root, 'build')
  } },
]

test.each(refusals)('$why is refused with what to do, and nothing is made', async ({ make, type, says, next }) => {
  const project = make()
  await expect(prepare(project, tempDirs())).rejects.toMatchObject({ name: 'RefusalError', type, message: expect.stringMatching(says) as string, next: expect.stringMatching(next) as string, where: expect.stringContaining('/') as string })
  if (type === 'UnsupportedRepository') expect(Object.keys(refs(project)).filter((ref) => ref.includes('ratchet'))).toEqual([])
})

test.each([
  { why: 'LFS attributes that match no file', files: { '.gitattributes': '# *.js filter=lfs\n*.psd filter=lfs\n' } },
  { why: 'a pnpm-workspace.yaml that only holds settings', files: { 'pnpm-workspace.yaml': 'onlyBuiltDependencies: [esbuild]\n' } },
  { why: 'workspaces in a test fixture', files: { 'test/fixture/package.json': '{ "workspaces": ["a"] }' } },
  { why: 'a package.json that cannot be read', files: { 'package.json': '{ "workspaces": [' } },
  { why: 'an empty list of workspaces', files: { 'package.json': '{ "workspaces": [] }' } },
])('$why is no reason to refuse', async ({ files }) => {
  await expect(prepare(makeRepo({ ...SAMPLE, ...files }), tempDirs())).resolves.toMatchObject({ warnings: [] })
})

test.each([
  { why: 'a base that is no commit', input: { base: 'nowhere' }, type: 'BadInput', says: /base: "nowhere"/ },
  { why: 'a name that leads elsewhere', input: { name: '../x' }, type: 'BadInput', says: /must/ },
  { why: 'a set-up command that fails', input: { workspaceConfig: { setup: [['sh', '-c', 'echo the reason; exit 3']] } }, type: 'SetupFailed', says: /ended with 3\nthe reason/ },
  { why: 'a set-up command that is not there', input: { workspaceConfig: { setup: ['no-such-command --now'] } }, type: 'SetupFailed', says: /command not found: no-such-command/ },
  { why: 'a set-up command that needs a shell', input: { workspaceConfig: { setup: ['npm run build && npm run more'] } }, type: 'BadConfig', says: /needs a shell for "&&"/ },
  { why: 'a set-up command with a variable', input: { workspaceConfig: { setup: ['make $TARGET'] } }, type: 'BadConfig', says: /needs a shell for "\$TARGET"/ },
  { why: 'files to copy from outside', input: { workspaceConfig: { copy: ['../.env'] } }, type: 'BadConfig', says: /inside the project/ },
])('$why is refused, and the project is untouched', async ({ input, type, says }) => {
  const project = makeRepo()
  const before = fingerprint(project)
  await expect(prepare(project, tempDirs(), input)).rejects.toMatchObject({ type, message: expect.stringMatching(says) as string })
  expect(fingerprint(project)).toEqual(before)
})

test('a state directory inside the repository is refused', async () => {
  const project = makeRepo()
  const dirs = { state: path.join(project, 'state'), cache: tempDir() }
  mkdirSync(dirs.state)
  await expect(prepare(project, dirs)).rejects.toMatchObject({ type: 'UnsupportedRepository', next: expect.stringContaining('XDG_STATE_HOME') as string })
})
