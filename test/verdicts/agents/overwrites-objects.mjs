// Writes zeros into every object file below a directory, in place: where an inode is shared, the other file is damaged too.
// Usage: node overwrites-objects.mjs DIRECTORY
import { chmodSync, lstatSync, openSync, closeSync, readdirSync, writeSync } from 'node:fs'
import path from 'node:path'

for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name)
  if (!lstatSync(file).isFile()) continue
  chmodSync(file, 0o644)
  const open = openSync(file, 'r+')
  writeSync(open, Buffer.alloc(lstatSync(file).size), 0, undefined, 0)
  closeSync(open)
}
