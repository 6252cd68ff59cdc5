import type { FileRef } from '../../contract/files.js'
import { digest } from '../state-dir.js'

/** Reference to a file that holds this content. */
export function refTo(path: string, content: string | Buffer): FileRef {
  return { path, sha256: digest(content), bytes: Buffer.byteLength(content) }
}
