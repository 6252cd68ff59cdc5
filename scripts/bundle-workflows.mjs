// Bundles the workflows for workers, of the package and of the tests alike.
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const inWorkflows = (name) => fileURLToPath(new URL(`../src/workflows/${name}`, import.meta.url))

export function bundleWorkflows() {
  return bundleWorkflowCode({
    workflowsPath: inWorkflows('index.ts'),
    workflowInterceptorModules: [inWorkflows('run/stale-query-guard.ts')],
    preloadModules: [inWorkflows('preloaded.ts')],
    logger: new DefaultLogger('WARN'),
  })
}
