// Signs what a client asks of a private server of this user: starts, answers and extensions.
import { randomUUID } from 'node:crypto'
import { RawValue } from '@temporalio/common'
import type { WorkflowClientInterceptor } from '@temporalio/client'
import { knownSigningKey } from '../adapters/signing/signing-key.js'
import { signedPayload } from '../adapters/signing/payload-signature.js'
import { dirsOf } from '../adapters/state-dir.js'
import { SCHEDULED, startPurpose, updatePurpose } from '../core/signing/signed-purpose.js'
import { runningServer } from './local-address.js'

/** The key for a server at an address; `undefined` for one that is not private. */
export type KeyFor = () => string | undefined

/**
 * Returns the key if the server at that address is this user's own and private. It is read at each
 * call: another server may have started there.
 */
export function keyFor(address: string, env: NodeJS.ProcessEnv): string | undefined {
  const server = runningServer(env)
  return server?.address === address && server.private === true
    ? knownSigningKey(dirsOf(env))
    : undefined
}

/** Signs the starts and updates of Temporal's client, also those that a script makes by itself. */
export function signingInterceptor(key: KeyFor): WorkflowClientInterceptor {
  return {
    startWithDetails(input, next) {
      const { workflowId, args } = input.options
      const options = {
        ...input.options,
        args: signed(key(), workflowId, startPurpose(Date.now()), args),
      }
      return next({ ...input, options })
    },
    startUpdate(input, next) {
      const id = input.options.updateId ?? randomUUID()
      const purpose = updatePurpose(input.updateName, id, Date.now())
      const args = signed(key(), input.workflowExecution.workflowId ?? '', purpose, input.args)
      return next({ ...input, args, options: { ...input.options, updateId: id } })
    },
  }
}

/** Signs the input of every run of a schedule. */
export const signedPlan = (
  key: string | undefined,
  id: string,
  args: readonly unknown[],
): unknown[] => signed(key, id, SCHEDULED, [...args])

function signed<T extends unknown[]>(
  key: string | undefined,
  workflowId: string,
  purpose: string,
  args: T,
): T {
  const [value] = args
  return key === undefined || args.length !== 1
    ? args
    : ([RawValue.fromPayload(signedPayload(key, workflowId, purpose, value))] as T)
}
