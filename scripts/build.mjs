// Builds dist/: types from tsc, one file for each program that is started, and the workflows bundled once,
// so that a worker starts without webpack. What we depend on stays a dependency; only our own modules are
// merged, as reading three hundred files took a quarter of a worker's start, and zod, of whose 95 files
// most are texts in other languages.
import { chmod, copyFile, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { bundleWorkflows } from './bundle-workflows.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const dist = path.join(root, 'dist')
const PROGRAMS = [
  'cli/main',
  'client/index',
  'worker/main',
  'dev-server/index',
  'dev-server/supervisor-main',
  'adapters/agents/scripted/main',
]

await rm(dist, { recursive: true, force: true })
const tsc = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    path.join(root, 'tsconfig.build.json'),
  ],
  { stdio: 'inherit' },
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

const programs = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((name) => [name, path.join(root, `src/${name}.ts`)])),
  platform: 'node',
  external: (id) => id !== 'zod' && !id.startsWith('.') && !path.isAbsolute(id),
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  transform: { target: 'node20' },
})
await programs.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemap: true,
})
await programs.close()
await copyFile(path.join(root, 'node_modules/zod/LICENSE'), path.join(dist, 'LICENSE.zod'))

const { code } = await bundleWorkflows()
await writeFile(path.join(dist, 'workflow-bundle.js'), code)
await chmod(path.join(dist, 'cli/main.js'), 0o755)
