// Follows what an agent does, line by line, in its transcript, which is already redacted.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { at, readUpdate } from '../../core/agents/agent-events.js'
import { jsonOf } from '../../core/text/json.js'
import { oneLine } from '../../core/text/one-line.js'

const SHOWN_CHARS = 200
const PIECE_BYTES = 64 * 1024

/** Returns a reader that returns what was written since its last call, as lines for a person. */
export function eventLines(file: string): () => string[] {
  const [decoder, piece] = [new StringDecoder('utf8'), Buffer.alloc(PIECE_BYTES)]
  const titles = new Map<string, string>()
  let [offset, rest] = [0, '']
  return () => {
    if (!existsSync(file)) return []
    const fd = openSync(file, 'r')
    try {
      for (
        let read = readSync(fd, piece, 0, PIECE_BYTES, offset);
        read > 0;
        read = readSync(fd, piece, 0, PIECE_BYTES, offset)
      ) {
        offset += read
        rest += decoder.write(piece.subarray(0, read))
      }
    } finally {
      closeSync(fd)
    }
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    // A line that a crash cut short, joined with the next one, is skipped.
    return lines.flatMap((line) => eventLine(jsonOf(line), titles))
  }
}

/**
 * Returns one event as a line, or nothing if it is of no interest. `titles` keeps the titles of
 * tool calls, which later updates leave out.
 */
export function eventLine(event: unknown, titles: Map<string, string>): string[] {
  const text = at(event, 'text')
  if (typeof text === 'string') return shown('says', text)
  const [denied, died] = [at(event, 'permission'), at(event, 'died', 'reason')]
  if (denied !== undefined)
    return shown('asks', `${String(at(denied, 'title'))}: ${String(at(denied, 'verdict'))}`)
  if (typeof died === 'string') return shown('died', died)
  const update = readUpdate(at(event, 'update'))
  if (update.kind !== 'tool') return []
  if (update.title !== update.id || !titles.has(update.id)) titles.set(update.id, update.title)
  const title = titles.get(update.id) ?? update.title
  if (at(event, 'update', 'sessionUpdate') === 'tool_call') return shown('tool', title)
  return update.running ? [] : shown('tool', `${title}: ${String(at(event, 'update', 'status'))}`)
}

function shown(label: string, text: string): string[] {
  const line = oneLine(text, SHOWN_CHARS)
  return line === '' ? [] : [`  ${label.padEnd(5)} ${line}`]
}
