// Which answers of a person have reached a turn: one that was given while the turn's worker was
// dead is handed to the next attempt, and one that was heard is not used for another question of
// the same words.
import { appendFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { layout, type Dirs } from '../../state-dir.js'
import { textOf } from '../../files/read-text.js'
import { turnFiles } from './turn-store.js'

/** How many answers to this question a turn has heard, over all its attempts. */
export async function answersHeard(dirs: Dirs, key: string, question: string): Promise<number> {
  const lines = ((await textOf(heardFile(dirs, key))) ?? '')
    .split('\n')
    .map((line) => line.split(' '))
  return Math.max(0, ...lines.filter(([id]) => id === question).map(([, nth]) => Number(nth) || 0))
}

/**
 * Notes that the nth answer, from 1, is delivered. Called before the agent gets it: after a death
 * in between, the question is asked again.
 */
export async function noteHeard(
  dirs: Dirs,
  key: string,
  question: string,
  nth: number,
): Promise<void> {
  const file = heardFile(dirs, key)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await appendFile(file, `${question} ${nth}\n`, { mode: 0o600 })
}

function heardFile(dirs: Dirs, key: string): string {
  return turnFiles(layout.turn(dirs, key)).heard
}
