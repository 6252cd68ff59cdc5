// The package as npm packs it, installed in another project: its contents, its types, its command,
// and a run.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { ran } from '../support/scripts.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}
const INSTALL_MS = 600_000

let user: CliProcessUser
let dir: string
let packed: { filename: string; files: { path: string }[] }
beforeAll(async () => {
  user = cliProcessUser()
  dir = path.join(user.root, 'consumer')
  mkdirSync(dir)
  const npm = async (cwd: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr, code } = await ran('npm', args, { cwd, env: process.env })
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  packed = (
    JSON.parse(
      await npm(
        ROOT,
        'pack',
        '--json',
        '--ignore-scripts',
        '--loglevel=error',
        '--pack-destination',
        dir,
      ),
    ) as [typeof packed]
  )[0]
  writeFileSync(
    path.join(dir, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  await npm(
    dir,
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${packed.filename}`,
  )
}, INSTALL_MS)
afterAll(() => user.remove())

test('the tarball has all needed files and no others', () => {
  const files = packed.files.map((file) => file.path)
  const kinds = new Set(
    files.map((file) =>
      file.startsWith('dist/')
        ? file.replace(/^(dist\/[^/]+)\/.*?(\.d\.ts|\.[a-z]+)$/, '$1/*$2')
        : file.replace(/^([^/]+)\/.*$/, '$1/'),
    ),
  )
  expect([...kinds].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'agent-settings/',
    'dist/LICENSE.zod',
    'dist/adapters/*.js',
    'dist/chunks/*.js',
    'dist/cli/*.js',
    'dist/client/*.d.ts',
    'dist/client/*.js',
    'dist/contract/*.d.ts',
    'dist/dev-server/*.js',
    'dist/worker/*.js',
    'dist/workflow-bundle.js',
    'package.json',
    'report-page/',
    'reporters/',
    'roles/',
    'sandbox/',
  ])
  // Every referenced declaration is included.
  const wanted = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(
      /(?:from |import\()["'](\.[^"']+)["']/g,
    ))
      wanted(path.join(path.dirname(file), name.replace(/\.js$/, '.d.ts')), seen)
    return seen
  }
  expect([...wanted('dist/client/index.d.ts')].filter((file) => !files.includes(file))).toEqual([])
})

const TYPES = `
import { connect, RefusalError } from 'ratchet-cycles'
import type { Progress, Question, Ratchet, RunHandle, RunResult, StatusReply } from 'ratchet-cycles'
type Any<T> = 0 extends 1 & T ? true : false
export const known: [Any<Ratchet>, Any<RunHandle>, Any<Progress>, Any<Question>, Any<RunResult>, Any<StatusReply>, Any<StatusReply['history'][number]['passRate']>, Any<Ratchet['client']>] = [false, false, false, false, false, false, false, false]
export async function script(): Promise<string | undefined> {
  await using ratchet = await connect()
  const run = await ratchet.startLoop({ project: '/p', task: 't', mode: 'auto' })
  for await (const progress of run.progress({ signal: AbortSignal.timeout(1000) })) {
    if (progress.type === 'question') await run.answer({ questionId: progress.question.id, choice: progress.question.options[0] ?? '' })
    // @ts-expect-error only some events have a question
    progress.question
  }
  // @ts-expect-error an invalid mode
  await ratchet.startLoop({ project: '/p', task: 't', mode: 'turbo' })
  // @ts-expect-error an unknown key
  await ratchet.startTestFix({ project: '/p', projekt: '/p' })
  const end = await run.result()
  if (new RefusalError('BadInput', 'm', 'w', 'n').next !== 'n') return undefined
  return 'result' in end ? end.result.outcome : end.ended.type
}
`

test.each([
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
])(
  'types resolve with strict and moduleResolution $moduleResolution; the examples compile',
  async (options) => {
    const sources = path.join(dir, `src-${options.moduleResolution}`)
    mkdirSync(sources)
    for (const name of readdirSync(path.join(ROOT, 'examples/scripts')).filter((one) =>
      one.endsWith('.ts'),
    ))
      cpSync(path.join(ROOT, 'examples/scripts', name), path.join(sources, name))
    writeFileSync(path.join(sources, 'types.ts'), TYPES)
    const config = path.join(dir, `tsconfig.${options.moduleResolution}.json`)
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          lib: ['es2023', 'esnext.disposable'],
          strict: true,
          exactOptionalPropertyTypes: true,
          verbatimModuleSyntax: true,
          skipLibCheck: true,
          types: ['node'],
          typeRoots: [path.join(ROOT, 'node_modules/@types')],
          rootDir: sources,
          outDir: path.join(dir, `out-${options.moduleResolution}`),
          ...options,
        },
        include: [sources],
      }),
    )
    expect(
      await ran(
        process.execPath,
        [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config],
        { cwd: dir, env: process.env },
      ),
    ).toEqual({ stdout: '', stderr: '', code: 0 })
  },
)

test('npx ratchet works, and a script follows a run of the installed package to its end', async () => {
  expect(
    await ran('npx', ['--no-install', 'ratchet', '--version'], { cwd: dir, env: user.env }),
  ).toMatchObject({ code: 0, stdout: `${version}\n` })
  const project = user.project('shop', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  const fixed = await ran(path.join(dir, 'node_modules/.bin/ratchet'), ['fix', '--json'], {
    cwd: project,
    env: user.env,
  })
  expect(fixed.code, fixed.stderr).toBe(0)
  expect(JSON.parse(fixed.stdout)).toMatchObject({ outcome: 'success', passRate: 100 })
  const script = await ran(process.execPath, [path.join(dir, 'out-nodenext/fix.js'), project], {
    cwd: dir,
    env: user.env,
  })
  expect(script).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/iteration 1: kept, 100 %\n(.*\n)*success, on branch /) as string,
  })
})
