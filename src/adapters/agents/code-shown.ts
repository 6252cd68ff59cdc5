// The code that the prompts of a session have shown, noted with each turn: what did not fit into
// one of them is still new to the session.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { ShownPart } from '../../core/test-fix/code/failing-code.js'
import { replaceFileSync } from '../files/replace-file.js'
import { readableJson } from '../files/stored-json.js'
import { layout, type Dirs } from '../state-dir.js'
import { Ledger } from './turn/usage-ledger.js'

const Parts = z.array(
  z.object({
    file: z.string(),
    from: z.number().int(),
    to: z.number().int(),
    whole: z.boolean(),
  }),
)

/** What the two prompts of a turn show: the whole one, and the one for its earlier session. */
const Note = z.object({ session: z.string().optional(), whole: Parts, continued: Parts })

/** Notes what the prompts of a turn show, before either is sent. */
export function noteCodeShown(
  dirs: Dirs,
  key: string,
  note: { session: string | undefined; whole: ShownPart[]; continued: ShownPart[] },
): void {
  mkdirSync(layout.turn(dirs, key), { recursive: true, mode: 0o700 })
  replaceFileSync(noteFile(dirs, key), JSON.stringify(note), { mode: 0o600 })
}

/** What earlier turns of a run have shown in a session. */
export function codeShownIn(
  dirs: Dirs,
  { run, sessionId, key }: { run: string; sessionId: string; key: string },
): ShownPart[] {
  const turns = new Ledger(dirs).turnsIn(run, sessionId).filter((one) => one.key !== key)
  return turns.flatMap((one) => {
    const note = readableJson(noteFile(dirs, one.key), Note)
    // What cannot be read is shown again.
    if (note === undefined) return []
    return note.session !== undefined && note.session === one.from ? note.continued : note.whole
  })
}

function noteFile(dirs: Dirs, key: string): string {
  return path.join(layout.turn(dirs, key), 'code-shown.json')
}
