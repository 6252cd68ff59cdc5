// Keeps the history of a run that has ended, every link of its chain, as
// `<kind>.<path>.<link>.json`. Existing files are never overwritten.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkflowHandleWithStartDetails } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Kind } from '../../src/contract/names.js'

export const DIRECTORY = fileURLToPath(new URL('histories', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
/** Elsewhere where it is a link. */
const MODULES = realpathSync(path.join(ROOT, 'node_modules'))

/** Workflow id under which the path of a kind is recorded and replayed. */
export function historyId(kind: Kind, name: string): string {
  return {
    'test-fix': `WFS-test-${name}.abc123`,
    'dev-cycle': `cycle-v1-${name}`,
    'dev-loop': `loop-b-${name}`,
    prep: `prep-${name}`,
  }[kind]
}

export function isKept(kind: Kind, name: string): boolean {
  return existsSync(fileOf(kind, name, 1))
}

export async function keepHistory(
  env: TestWorkflowEnvironment,
  handle: WorkflowHandleWithStartDetails,
  kind: Kind,
  name: string,
): Promise<void> {
  let runId: string | undefined = handle.firstExecutionRunId
  for (let link = 1; runId !== undefined; link++) {
    const history = await env.client.workflow.getHandle(handle.workflowId, runId).fetchHistory()
    // Kept files must not contain names of this machine.
    const json = historyToJSON(history)
      .replaceAll(MODULES, '/ratchet/node_modules')
      .replaceAll(ROOT, '/ratchet')
      .replaceAll(`@${os.hostname()}`, '@host')
    mkdirSync(DIRECTORY, { recursive: true })
    writeFileSync(fileOf(kind, name, link), `${json}\n`, { flag: 'wx' })
    runId =
      history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ??
      undefined
  }
}

function fileOf(kind: Kind, name: string, link: number): string {
  return path.join(DIRECTORY, `${kind}.${name}.${link}.json`)
}
