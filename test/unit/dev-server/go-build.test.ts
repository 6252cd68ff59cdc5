import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { goBuild, type Measure } from '../../../src/dev-server/go-build.js'
import { runProgram } from '../../../src/dev-server/temporal-binary.js'
import type { Run } from '../../../src/dev-server/temporal-download.js'

const MODULES = 'building the Temporal server with go: getting its modules'
const COMPILING = 'building the Temporal server with go: compiling'
const LINKING = 'building the Temporal server with go: linking'

let root: string
let told: { text: string; measure: Measure | undefined }[]
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-go-'))
  told = []
  mkdirSync(path.join(root, 'bin'))
  writeFileSync(path.join(root, 'bin', 'go'), '#!/bin/sh\n')
  chmodSync(path.join(root, 'bin', 'go'), 0o755)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

type Said = { code?: number; stdout?: string; stderr?: string }
type Go = { download?: Said; edit?: Said; list?: Said; install?: Said }

const asked: { args: string[]; env: NodeJS.ProcessEnv; cwd: string | undefined }[] = []

/** A fake go that prints these lines. */
function go({ download, edit, list, install }: Go): Run {
  return (_file, args, options) => {
    asked.push({ args, env: options?.env ?? {}, cwd: options?.cwd })
    const said =
      { 'mod download': download, 'mod edit': edit }[args.slice(0, 2).join(' ')] ??
      (args[0] === 'list' ? list : args[0] === 'install' ? install : undefined) ??
      {}
    for (const line of (said.stderr ?? '').split('\n')) options?.onLine?.(line)
    return Promise.resolve({
      code: said.code ?? 0,
      stdout: said.stdout ?? '',
      stderr: said.stderr ?? '',
    })
  }
}

const DOWNLOAD = { stdout: JSON.stringify({ Dir: '/modcache/cli', GoMod: '/modcache/cli.mod' }) }
const EDIT = {
  stdout: JSON.stringify({
    Require: [{ Path: 'a.example/x' }, { Path: 'a.example/y' }, { Path: 'a.example/test-only' }],
  }),
}
const LIST = {
  stderr: 'go: downloading a.example/x v1.0.0\ngo: downloading a.example/y v1.2.0',
  stdout: 'internal/abi\na.example/x\nexample/cmd\n',
}

function build(run: Run, env: NodeJS.ProcessEnv = {}): Promise<string> {
  asked.length = 0
  return goBuild({
    module: 'example',
    command: 'cmd',
    version: '1.0.0',
    scratch: root,
    run,
    env: { PATH: path.join(root, 'bin'), ...env },
    onProgress: (text, measure) => told.push({ text, measure }),
  })
}

test('the progress counts are those of go: modules of go.mod, and stale packages', async () => {
  const install = {
    stderr:
      'internal/abi\ngo: warning: something\na.example/x\na.example/x\nnot/stale\nexample/cmd',
  }
  expect(await build(go({ download: DOWNLOAD, edit: EDIT, list: LIST, install }))).toBe(
    path.join(root, 'gobin', 'cmd'),
  )
  expect(told).toEqual([
    { text: MODULES, measure: undefined },
    { text: MODULES, measure: { done: 0, total: 3, unit: 'modules', doing: 'a.example/x' } },
    { text: MODULES, measure: { done: 1, total: 3, unit: 'modules', doing: 'a.example/y' } },
    { text: COMPILING, measure: { done: 0, total: 3, unit: 'packages' } },
    { text: COMPILING, measure: { done: 1, total: 3, unit: 'packages', doing: 'internal/abi' } },
    { text: COMPILING, measure: { done: 2, total: 3, unit: 'packages', doing: 'a.example/x' } },
    { text: LINKING, measure: { done: 3, total: 3, unit: 'packages', doing: 'example/cmd' } },
  ])
  expect(asked.map(({ args, cwd }) => ({ args: args.slice(0, 2), cwd }))).toEqual([
    { args: ['mod', 'download'], cwd: root },
    { args: ['mod', 'edit'], cwd: root },
    { args: ['list', '-deps'], cwd: '/modcache/cli' },
    { args: ['install', '-v'], cwd: root },
  ])
})

test.each<{ why: string; says: Go }>(
  // prettier-ignore
  [
  { why: 'go mod download fails', says: { download: { code: 1 } } },
  { why: 'go mod download says something else', says: { download: { stdout: 'no JSON' } } },
  { why: 'go list fails', says: { download: DOWNLOAD, edit: EDIT, list: { code: 1, stderr: 'go: no such flag' } } },
],
)('builds without numbers: $why', async ({ says }) => {
  await build(go({ ...says, install: { stderr: 'internal/abi' } }))
  expect(told.at(-1)).toEqual({ text: COMPILING, measure: undefined })
  expect(asked.at(-1)?.args).toEqual(['install', '-v', 'example/cmd@v1.0.0'])
})

test('an unreadable go.mod only removes the count of modules', async () => {
  await build(
    go({ download: DOWNLOAD, edit: { code: 1 }, list: LIST, install: { stderr: 'internal/abi' } }),
  )
  expect(
    told
      .filter(({ measure }) => measure !== undefined)
      .map(({ measure }) => `${measure?.done} of ${measure?.total} ${measure?.unit}`),
  ).toEqual(['0 of 3 packages', '1 of 3 packages'])
})

test('keeps flags of the user, and does not write to the module cache', async () => {
  await build(go({ download: DOWNLOAD, edit: EDIT, list: LIST }), { GOFLAGS: '-buildvcs=false' })
  expect(asked.map(({ env }) => `${env['GOFLAGS'] ?? ''} ${env['GOWORK'] ?? ''}`)).toEqual([
    '-buildvcs=false -mod=mod off',
    '-buildvcs=false -mod=mod off',
    '-buildvcs=false -mod=readonly off',
    '-buildvcs=false -mod=mod off',
  ])
})

test('a failed build has its reason in one sentence', async () => {
  await expect(
    build(go({ install: { code: 1, stderr: 'internal/abi\nno space left on device' } })),
  ).rejects.toThrow(/^no space left on device$/)
})

test('lines reach the listener as they come, and the end has them all', async () => {
  const seen: string[] = []
  const { code, stderr } = await runProgram(
    process.execPath,
    ['-e', 'console.error("one"); console.error("two"); process.exitCode = 3'],
    { onLine: (line) => seen.push(line) },
  )
  expect({ code, stderr, seen }).toEqual({ code: 3, stderr: 'one\ntwo', seen: ['one', 'two'] })
})
