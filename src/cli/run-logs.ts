// Reads what the agents of one run said and did from the transcripts of their turns. These are
// local files, so no server is needed, even for lost runs.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { headerOf } from '../adapters/agents/run-turns.js'
import { readClaim, turnFiles } from '../adapters/agents/turn/turn-store.js'
import type { Dirs } from '../adapters/state-dir.js'
import { jsonOf } from '../core/text/json.js'
import { eventLines } from './agents/agents-events.js'

export type TurnLog = {
  run: string
  /** Role, task, iteration and kind of the turn, as its prompt gives them. */
  title: string
  agent: string
  startedAt: string
  /** How it ended; `null` if it has not. */
  outcome: string | null
  /** Path of its transcript, which may not exist. */
  file: string
}

const Ended = z.object({ outcome: z.string() })

/**
 * Returns the turns of these runs, or of all, oldest first. Turns with files of another version or
 * cut short are skipped.
 */
export function turnsOf(dirs: Dirs, runs: readonly string[] | 'all'): TurnLog[] {
  const all = path.join(dirs.state, 'turns')
  if (!existsSync(all)) return []
  const found = readdirSync(all).flatMap((entry) => {
    const dir = path.join(all, entry)
    const claim = claimIn(dir)
    if (claim === undefined || (runs !== 'all' && !runs.includes(claim.run))) return []
    const { transcript, result } = turnFiles(dir)
    const outcome = Ended.safeParse(readJson(result)).data?.outcome ?? null
    return [
      {
        run: claim.run,
        title: titleOf(transcript) ?? claim.key.split('/').at(-1) ?? claim.key,
        agent: claim.agent,
        startedAt: claim.startedAt,
        outcome,
        file: transcript,
      },
    ]
  })
  return found.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

/** Returns what was said and done in a turn, as lines for a person, at most the last `count`. */
export function turnLines(turn: TurnLog, count: number): string[] {
  return eventLines(turn.file)().slice(-count)
}

/** Returns the line above them. */
export function turnTitle({ title, agent, startedAt, outcome }: TurnLog): string {
  return `== ${title} (${agent}), ${startedAt.replace(/\.\d+Z$/, 'Z')}, ${outcome ?? 'not ended'}`
}

function titleOf(transcript: string): string | undefined {
  const header = headerOf(transcript)
  return (
    header &&
    [
      header.role,
      ...(header.task === undefined ? [] : [header.task]),
      ...(header.kind === 'prep' ? [] : [`iteration ${header.iteration}`]),
      header.turn,
    ].join(', ')
  )
}

function claimIn(dir: string): ReturnType<typeof readClaim> {
  try {
    return readClaim(dir)
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function readJson(file: string): unknown {
  return existsSync(file) ? jsonOf(readFileSync(file, 'utf8')) : undefined
}
