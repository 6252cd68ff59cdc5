// Does its work, and leaves three children that are to spoil it once it is committed: one in its own
// group, one in a session of its own that is deaf to TERM, one without the environment it came from.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { honest, play, script } from './script.mjs'

const writer = fileURLToPath(new URL('late-writer.mjs', import.meta.url))

play((turn) => {
  honest(turn)
  if (turn.header.role !== 'test-fix-agent') return
  const file = path.join(turn.cwd, script.edits[0][0].path)
  for (const options of [
    {},
    { detached: true },
    { detached: true, env: { PATH: process.env.PATH } },
  ]) {
    const child = spawn(process.execPath, [writer, turn.cwd, file], {
      stdio: 'ignore',
      cwd: turn.cwd,
      ...options,
    })
    appendFileSync(script.pids, `${child.pid}\n`)
    child.unref()
  }
})
