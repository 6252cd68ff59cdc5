// The server on the command line: --address, --profile and the TEMPORAL_* variables.
//
// Only these two flags enable another server. A shell that is configured for a company's cluster
// must not send a prompt there by accident, and a stored API key must not go to another address, so
// the configuration file is used only if --profile or a variable names it.
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NAMESPACE } from '../contract/names.js'
import type { ConnectOptions } from './connection.js'

export type NamedServer = { address?: string; namespace?: string; profile?: string }

/**
 * Returns the options for connecting.
 *
 * @throws if the profile is not in the configuration file, or no address is known
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
    throw new Error(
      'no server address; set --address or TEMPORAL_ADDRESS, or add an address to the profile',
    )
  const { apiKey, tls } = connectionOptions
  return {
    address: found,
    namespace: namespace ?? configured ?? NAMESPACE,
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(tls === undefined || tls === null ? {} : { tls }),
  }
}
