// Starts a dev loop and answers its questions by a rule; a person answers the rest.
//
// node answer.ts /home/me/shop "speed up the search"
import { connect, type Question } from 'ratchet-cycles'

/** The answer to a question, `undefined` if a person must answer. */
function rule({ kind, recommended }: Question): string | undefined {
  switch (kind) {
    case 'menu': // what to do next
    case 'clarification': // a question of a worker
    case 'decision':
      return recommended
    case 'permission': // a tool that the agent may not use on its own
      return 'deny'
    case 'budget': // money
    case 'conflict': // two workers changed the same lines
      return undefined
  }
}

const [project = process.cwd(), task = 'tidy up'] = process.argv.slice(2)
const ratchet = await connect()
const run = await ratchet.startLoop({ project, task })
console.log(`started ${run.id}`)

for await (const progress of run.progress()) {
  if (progress.type === 'question') {
    const { id, kind, text, recommended } = progress.question
    const choice = rule(progress.question)
    if (choice === undefined) {
      console.log(
        `${kind}: ${text}\n  answer with: ratchet answer ${run.id}${recommended === undefined ? '' : ` ${recommended}`}`,
      )
      continue
    }
    await run.answer({ questionId: id, choice })
    console.log(`${kind}: ${text} -> ${choice}`)
  }
  if (progress.type === 'ended' && 'result' in progress.end)
    console.log(`${progress.end.result.outcome} after ${progress.end.result.iterations} iterations`)
}
await ratchet.close()
