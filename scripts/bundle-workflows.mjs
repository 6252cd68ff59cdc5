// Bundles the workflows for workers, of the package and of the tests alike.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
const WORKFLOWS = path.join(SRC, 'workflows/index.ts')

export function bundleWorkflows() {
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [path.join(SRC, 'workflows/run/stale-query-guard.ts')],
    preloadModules: [path.join(SRC, 'workflows/preloaded.ts'), ...decisions()],
    logger: new DefaultLogger('WARN'),
    // Stack traces need the lines of the modules, not their texts, of which a worker holds several
    // copies: 45 MB.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  })
}

/**
 * Returns the modules of core that workflows import. They are pure, so all runs share them:
 * evaluating them took 3 ms of CPU at the start of every iteration.
 */
function decisions() {
  const found = new Set()
  const visit = (file) => {
    if (found.has(file)) return
    found.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, to] of text.matchAll(
      /^(?:import|export) (?!type\b)[^'"]* from '(\.[^']+)\.js'$/gm,
    ))
      visit(path.resolve(path.dirname(file), `${to}.ts`))
  }
  visit(WORKFLOWS)
  return [...found].filter((file) => file.startsWith(path.join(SRC, 'core/'))).sort()
}
