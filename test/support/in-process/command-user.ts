// The interface of `cliProcessUser` in this process: commands, workers and scripted agents without
// separate processes.
import type { CliProcessUser } from '../cli-process.js'
import { repository } from '../runs/real-run.js'
import { inProcessUser, type InProcessUser } from './user.js'

export type CommandUser = CliProcessUser & { namespace: string; dirs: InProcessUser['dirs'] }

/** Makes such a user. `remove` it. */
export async function commandUser(): Promise<CommandUser> {
  const user = await inProcessUser()
  return {
    root: user.root,
    env: user.env,
    namespace: user.namespace,
    dirs: user.dirs,
    start: (cwd, ...argv) => user.start(cwd, argv),
    ratchet: user.run,
    json: user.json,
    until: user.until,
    remove: user.close,
    project: (name, steps, config, files) => repository(user, name, steps, config, files),
  }
}
