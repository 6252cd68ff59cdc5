// Repairs the tests of several projects, one after the other. Ctrl-C stops waiting; the run
// continues.
//
// node in-turn.ts /home/me/shop /home/me/mail /home/me/search
import { connect, RefusalError } from 'ratchet-cycles'

const left = new AbortController()
process.once('SIGINT', () =>
  left.abort(new Error('interrupted; see what runs with: ratchet status')),
)

const ratchet = await connect()
let failed = 0
for (const project of process.argv.slice(2)) {
  try {
    const run = await ratchet.startTestFix({ project })
    const end = await run.result({ signal: left.signal })
    const outcome = 'result' in end ? end.result.outcome : end.ended.message
    console.log(`${project}: ${outcome}`)
    if (outcome !== 'success') failed += 1
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    console.log(`${project}: ${error.message}; ${error.next}`) // the next project may work
    failed += 1
  }
}
await ratchet.close()
process.exitCode = failed === 0 ? 0 : 1
