import type { WorkflowBundleWithSourceMap } from '@temporalio/worker'

/** The workflows as they are now, with what all runs share. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap>
