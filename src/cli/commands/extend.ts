// ratchet extend: more iterations for a run. An open one takes them while it runs; a closed one is
// started again with them and followed.
import { randomUUID } from 'node:crypto'
import { MAX_ITERATIONS } from '../../contract/input.js'
import type { Context } from '../context.js'
import { badInput } from '../errors.js'
import { checkedId } from '../find-run.js'
import { followToEnd } from '../follow.js'
import { findResumable, startSession } from '../go-on.js'
import { answerStarted, raiseIterations, wholeNumber } from '../options.js'
import { wishWorker } from '../wake.js'

export async function run(context: Context, [typed, ...words]: string[], options: { detach?: boolean; maxIterations?: string }): Promise<number> {
  const id = checkedId(typed)
  const inAll = wholeNumber(options.maxIterations, '--max-iterations')
  const further = words.length === 0 ? undefined : furtherIterations(words.join(' '))
  if ((inAll === undefined) === (further === undefined))
    throw badInput(inAll === undefined ? 'the number of further iterations is missing' : 'further iterations and --max-iterations exclude each other', 'ratchet extend', 'write for example: ratchet extend WFS-test-shop 3')
  const found = await findResumable(context, id)
  if ('session' in found) {
    const started = await startSession(context, found.session, further === undefined ? { maxIterations: inAll } : { extend: further })
    return options.detach === true ? answerStarted(context, started) : followToEnd(context, started)
  }
  const { open } = found
  if (inAll !== undefined) await raiseIterations(open, inAll)
  else await open.handle.extend(further, randomUUID())
  const { maxIterations } = await open.handle.status()
  await wishWorker(context, open)
  context.answer({ id: open.id, uiUrl: open.uiUrl, maxIterations }, [`${open.id} may take ${maxIterations} iterations in all`])
  return 0
}

function furtherIterations(text: string): number {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > MAX_ITERATIONS) throw badInput(`a test-fix run is extended by a number of iterations from 1 to ${MAX_ITERATIONS}, got ${JSON.stringify(text)}`, 'ratchet extend', 'write for example: ratchet extend WFS-test-shop 3')
  return number
}
