// Builds dist/: compiles src, then bundles the workflows once, so that a worker starts without webpack.
import { rm, writeFile, chmod } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import path from 'node:path'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const dist = path.join(root, 'dist')

await rm(dist, { recursive: true, force: true })
const tsc = spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', path.join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
const { code } = await bundleWorkflowCode({
  workflowsPath: path.join(dist, 'workflows/index.js'),
  logger: new DefaultLogger('WARN'),
})
await writeFile(path.join(dist, 'workflow-bundle.js'), code)
await chmod(path.join(dist, 'cli/main.js'), 0o755)
