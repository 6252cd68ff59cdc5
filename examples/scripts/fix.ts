// Starts a test-fix run of a project and follows it to its end.
//
//   node fix.ts /home/me/shop
import { connect } from 'ratchet-cycles'

const [project = process.cwd()] = process.argv.slice(2)
const ratchet = await connect()
const run = await ratchet.startTestFix({ project })
console.log(`started ${run.id}`)

for await (const progress of run.progress()) {
  switch (progress.type) {
    case 'iteration': {
      const { iteration, passRate, result } = progress.iteration
      console.log(
        `iteration ${iteration}: ${result}, ${passRate === null ? 'not measured' : `${passRate} %`}`,
      )
      break
    }
    case 'waiting':
      console.log(`waiting for ${progress.waitingFor}`)
      break
    case 'question':
      console.log(`asks: ${progress.question.text} (${progress.question.options.join(', ')})`)
      break
    case 'away':
      console.log(progress.message)
      break
    case 'ended':
      if ('result' in progress.end)
        console.log(
          `${progress.end.result.outcome}, on branch ${progress.end.result.branch ?? 'none'}`,
        )
      else console.log(`no result: ${progress.end.ended.message}`)
  }
}
await ratchet.close()
