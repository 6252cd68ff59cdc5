// Trust in a repository: what it makes this machine run, and what its user has agreed to.
import { z } from 'zod'

/**
 * One thing that a repository makes this machine run. `what`: a key of the configuration, or a
 * tracked file. `value`: the setting, or the id of the file's content.
 */
export const Executable = z.strictObject({ what: z.string(), value: z.string() })
export type Executable = z.infer<typeof Executable>

/** `trust/<projectKey>.json`: what the user has agreed to for a directory. */
export const StoredTrust = z.strictObject({
  path: z.string(),
  items: z.array(Executable),
  trustedAt: z.string(),
})
export type StoredTrust = z.infer<typeof StoredTrust>
