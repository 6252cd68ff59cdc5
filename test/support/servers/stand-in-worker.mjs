// A fake worker: prints ready when it learns its server, logs its life and its projects to a file,
// ends on SIGTERM.
// RATCHET_TEST_LIVES names the file. A file `<it>.fails-<role>` ends it at once with code 7,
// `<it>.fails-<name>` lets it refuse the project of that name.
import { appendFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    role: { type: 'string' },
    supervised: { type: 'boolean', default: false },
  },
})
const { RATCHET_TEST_LIVES: file } = process.env
const fails = (name) => existsSync(`${file}.fails-${name}`)
let server
const note = (event, project) => {
  const { RATCHET_TEST_VALUE: value = '' } = process.env
  const { address, private: isPrivate } = server
  const life = { event, role: values.role, project, private: isPrivate, pid: process.pid }
  if (file) appendFileSync(file, `${JSON.stringify({ ...life, address, value })}\n`)
}
if (fails(values.role)) {
  console.error('stand-in: crashes as it was told to')
  process.exit(7)
}
const follow = (line) => {
  const { open, close } = JSON.parse(line)
  note(open ? 'open' : 'close', (open ?? close).path)
  if (open === undefined) return
  console.log(
    fails(path.basename(open.path))
      ? `failed project-${open.key} as it was told to`
      : `ready project-${open.key}`,
  )
}
createInterface({ input: process.stdin }).on('line', (line) => {
  if (server !== undefined) return follow(line)
  server = JSON.parse(line)
  note('start')
  process.on('SIGTERM', () => {
    note('end')
    process.exit(0)
  })
  console.log(`ready ${values.role}`)
})
setInterval(() => undefined, 60_000)
