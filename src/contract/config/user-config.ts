// The user's own configuration, for all projects: $XDG_CONFIG_HOME/ratchet/config.json.
import { z } from 'zod'

export const UserConfig = z.strictObject({
  $schema: z.string().optional(),
  local: z
    .strictObject({
      /** The local server takes only what this user has signed. */
      private: z.boolean().default(false),
      /** The variables of open runs are kept in files, so that a reboot loses none. */
      keepEnvironment: z.boolean().default(false),
    })
    .prefault({}),
})
export type UserConfig = z.infer<typeof UserConfig>
