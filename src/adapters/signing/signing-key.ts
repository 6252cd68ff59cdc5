// The key of a private server: who can read the state directory may start runs.
import { RefusalError } from '../../contract/failures.js'
import { madeSecret, secretIn } from '../files/secret-file.js'
import { layout, type Dirs } from '../state-dir.js'

/**
 * The key, made on first use. It is never replaced: open runs and schedules are signed with it.
 *
 * @throws RefusalError `BadConfig` for a damaged file
 */
export function signingKey(dirs: Dirs): string {
  return madeSecret(layout.signingKey(dirs)) ?? damaged(dirs)
}

/** The key that a supervisor has made. */
export function knownSigningKey(dirs: Dirs): string {
  return secretIn(layout.signingKey(dirs)) ?? damaged(dirs)
}

function damaged(dirs: Dirs): never {
  throw new RefusalError(
    'BadConfig',
    'there is no key of the private server',
    layout.signingKey(dirs),
    'end the open runs, remove the file, and start the server again: ratchet dev --private',
  )
}
