// What the movers that speak for themselves share: the script that the table gave them, the prompt's
// header, edits. No code of Ratchet's, and none of the SDK's.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say, serve, textOf } from '../../support/agents/wire.mjs'

/** `{ analysis, edits, pids }`: an answer to the analysis, the edits of each iteration, a file for process ids. */
export const script = JSON.parse(readFileSync(process.argv[2], 'utf8'))

export function edit(cwd, { path: name, find, replace }) {
  const file = path.join(cwd, name)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(find, () => replace),
  )
}

/** Every test that a prompt names. */
export const testsIn = (text) => [
  ...new Set(
    [...text.matchAll(/"test":\s*("(?:[^"\\]|\\.)*")/g)].map((match) => JSON.parse(match[1])),
  ),
]

/**
 * Serves with one function: it gets the turn's header, the whole prompt, the directory, and `answer`.
 * An object that it returns is the result of the prompt; anything else is `end_turn`.
 */
export function play(turn, handlers = {}) {
  const directories = new Map()
  serve({
    'session/new': ({ cwd }) => {
      const sessionId = `s-${process.pid}-${directories.size}`
      directories.set(sessionId, cwd)
      return { sessionId }
    },
    'session/prompt': async (params) => {
      const text = textOf(params)
      const header = JSON.parse(text.slice('ratchet-turn: '.length, text.indexOf('\n')))
      const { sessionId } = params
      const result = await turn({
        header,
        text,
        cwd: directories.get(sessionId),
        sessionId,
        answer: (words) => say(sessionId, words),
      })
      return typeof result === 'object' ? result : { stopReason: 'end_turn' }
    },
    ...handlers,
  })
}

/** The honest part: the analysis as it was scripted, and in each iteration its edits. */
export function honest({ header, cwd, answer }) {
  if (header.role === 'cli-planning-agent') return answer(script.analysis)
  if (header.role === 'test-fix-agent' && header.turn === 'work')
    for (const one of script.edits[header.iteration - 1] ?? []) edit(cwd, one)
  return answer('Done.')
}
