// A server named on the command line: --address, --profile and the TEMPORAL_* variables.
//
// Only these two flags open the door. A shell that is set up for a company's cluster must not send
// it a prompt by accident, and a stored API key must not go to an address it does not belong to:
// the configuration file counts only where --profile or a variable names it.
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NAMESPACE } from '../contract/names.js'
import type { ConnectOptions } from './connection.js'

export type NamedServer = { address?: string; namespace?: string; profile?: string }

/**
 * Options to connect with.
 *
 * @throws where the profile is not in the configuration file, or no address is known
 */
export function profileOptions(
  { address, namespace, profile }: NamedServer,
  env: NodeJS.ProcessEnv,
): ConnectOptions & { address: string; namespace: string } {
  const variables = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const fileNamed =
    profile !== undefined ||
    variables['TEMPORAL_PROFILE'] !== undefined ||
    variables['TEMPORAL_CONFIG_FILE'] !== undefined
  const { connectionOptions, namespace: configured } = loadClientConnectConfig({
    overrideEnvVars: variables,
    disableFile: !fileNamed,
    profile,
  })
  const found = address ?? connectionOptions.address
  if (found === undefined || found === '')
    throw new Error('no address: neither --address nor TEMPORAL_ADDRESS nor the profile has one')
  const { apiKey, tls } = connectionOptions
  return {
    address: found,
    namespace: namespace ?? configured ?? NAMESPACE,
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(tls === undefined || tls === null ? {} : { tls }),
  }
}
