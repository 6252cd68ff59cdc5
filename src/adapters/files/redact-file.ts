// Takes secrets out of a file that a program wrote by itself. While the program runs they stand in
// it.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Redactor } from '../../core/text/redact.js'

/** Writes the file anew where it holds a secret, and returns what is in it now. */
export function redactFile(file: string, redact: Redactor): Buffer {
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  const safe = redact.text(text)
  if (safe === text) return bytes // it may be no text, which must stay as it is
  writeFileSync(file, safe, { mode: 0o600 })
  return Buffer.from(safe)
}
