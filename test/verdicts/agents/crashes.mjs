// Dies in the middle of a fix, each time: half a file on disk, half a message on the wire.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { honest, play, script } from './script.mjs'

play((turn) => {
  const { header, cwd } = turn
  if (header.role !== 'test-fix-agent') return honest(turn)
  const file = path.join(cwd, script.edits[0][0].path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, text.length / 2))
  process.stdout.write('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":', () =>
    process.kill(process.pid, 'SIGKILL'),
  )
  return new Promise(() => {})
})
