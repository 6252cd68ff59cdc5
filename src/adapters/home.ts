// The home directory of a user, and paths that begin with it.
import os from 'node:os'

export function homeOf(env: NodeJS.ProcessEnv): string {
  return env['HOME'] ?? os.homedir()
}

/** Returns a path with the home directory in place of `~`. */
export function fromHome(place: string, home: string): string {
  return place.replace(/^~(?=\/)/, home)
}
