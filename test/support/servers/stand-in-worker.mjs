// A fake worker: prints ready, logs its life to a file, ends on SIGTERM.
// RATCHET_TEST_LIVES names the file; RATCHET_TEST_CRASH=<role> ends it at once with code 7.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    role: { type: 'string' },
    project: { type: 'string' },
    'env-from': { type: 'string' },
    private: { type: 'boolean', default: false },
  },
})
const note = (event) => {
  const file = process.env.RATCHET_TEST_LIVES
  const { RATCHET_ADDRESS: address, RATCHET_TEST_VALUE: value = '' } = process.env
  if (file)
    appendFileSync(
      file,
      `${JSON.stringify({ event, role: values.role, project: values.project, private: values.private, pid: process.pid, address, value })}\n`,
    )
}
if (process.env.RATCHET_TEST_CRASH === values.role) {
  console.error('stand-in: crashes as it was told to')
  process.exit(7)
}
note('start')
process.on('SIGTERM', () => {
  note('end')
  process.exit(0)
})
console.log(`ready ${values.role}`)
setInterval(() => undefined, 60_000)
