// The workflows' bundle for test workers: the one that begin-bundle.ts makes for all files, else
// one of the file's own.
import { existsSync, readFileSync } from 'node:fs'
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker'
import { bundleWorkflows } from '../../../scripts/bundle-workflows.mjs'
import { waitFor } from '../wait.js'

/** Variable that names a file, which is there as soon as the answer is known. */
export const BUNDLE_FILE = 'RATCHET_TEST_BUNDLE'
export type BundleAnswer = WorkflowBundleWithSourceMap | { problem: string }

let bundle: Promise<WorkflowBundleWithSourceMap> | undefined

/** The workflows as they are now. */
export function workflowBundle(): Promise<WorkflowBundleWithSourceMap> {
  const file = process.env[BUNDLE_FILE]
  bundle ??= file === undefined ? bundleWorkflows() : madeForAll(file)
  return bundle
}

async function madeForAll(file: string): Promise<WorkflowBundleWithSourceMap> {
  await waitFor(() => existsSync(file), { what: 'the bundle of the workflows', timeoutMs: 60_000 })
  const answer = JSON.parse(readFileSync(file, 'utf8')) as BundleAnswer
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}
