// Redacts secrets from a file after the process that wrote it exits.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Redactor } from '../../core/text/redact.js'

/** Rewrites the file if it contains a secret, and returns its content. */
export function redactFile(file: string, redact: Redactor): Buffer {
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  const safe = redact.text(text)
  if (safe === text) return bytes // it may be no text, which must stay as it is
  writeFileSync(file, safe, { mode: 0o600 })
  return Buffer.from(safe)
}
