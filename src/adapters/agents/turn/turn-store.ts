// The record of one turn on disk: what makes sure that no turn is bought twice.
//
// claim.json is written before any effect and names the driver, the agent's process and its
// session; result.json ends the turn. Both appear whole or not at all. Who drives a turn whose
// driver died is settled by takeover.N files, which only one can make.
import { existsSync, mkdirSync, readFileSync, readdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ProcessIdentity } from '../../../contract/registry.js'
import { AgentTests } from '../../../contract/agent-tools.js'
import { TurnOutcome, TurnResult, Usage } from '../../../contract/turn.js'
import { Workspace } from '../../../contract/workspace.js'
import { isAlive, self } from '../../process/identity.js'
import { createFileSync, replaceFileSync } from '../../files/replace-file.js'
import { layout, type Dirs } from '../../state-dir.js'

/** A prompt that was sent, or was about to be. Without `ended` its driver died. */
const Attempt = z.object({
  attempt: z.number().int(),
  at: z.string(),
  sessionId: z.string(),
  ended: z.enum(['answered', 'died', 'interrupted']).optional(),
  usage: Usage.optional(),
})

/** How the prompts ended, known before the agent is closed and the files are looked at. */
const Ended = z.object({
  outcome: TurnOutcome,
  reason: z.string().optional(),
  cause: TurnResult.shape.cause,
})

export const Claim = z.object({
  schema: z.literal(1),
  key: z.string(),
  run: z.string(),
  cwd: z.string(),
  agent: z.string(),
  /** That its definition names, as of the last driver. */
  model: z.string().optional(),
  startedAt: z.string(),
  /** Rises by one with each takeover. */
  generation: z.number().int(),
  driver: ProcessIdentity,
  /** Session of the last attempt; before the first one that of the turn that it continues. */
  sessionId: z.string().optional(),
  /** Session of an earlier turn that this one continues; its agent may give it another id. */
  from: z.string().optional(),
  /** The agent's process, and the step marker that it and its children carry. */
  process: ProcessIdentity.optional(),
  marker: z.string(),
  attempts: z.array(Attempt),
  agentDeaths: z.number().int(),
  driverDeaths: z.number().int(),
  /** Counted against the limit so far, in milliseconds. */
  spentMs: z.number(),
  /** Use of the session's context, as the agent reported it last. */
  context: z.object({ used: z.number(), size: z.number() }).optional(),
  /** Test runs that the agent has asked for. */
  tests: AgentTests.optional(),
  /** The agent's tests run in its tree: what is restored if the driver dies in them. */
  testing: z.object({ workspace: Workspace, tree: z.string() }).optional(),
  /** The agent has spoken, used a tool, or asked for one. */
  acted: z.literal(true).optional(),
  /** Attempts in the session to continue, where its agent could not serve the turn. */
  inVain: z.number().int().optional(),
  ended: Ended.optional(),
  /** Its driver lives, but has let go of the unfinished turn. */
  released: z.boolean().optional(),
  /** The turn has ended and its agent is kept alive for a follow-up. */
  kept: z.boolean().optional(),
})
export type Claim = z.infer<typeof Claim>

export type Found =
  | { state: 'done'; result: TurnResult }
  | { state: 'theirs'; driver: ProcessIdentity }
  /** The driver died, or let go of it; also where it was this very process. */
  | { state: 'interrupted'; claim: Claim }
  | { state: 'new' }

/** Files of a turn. */
export function turnFiles(dir: string) {
  const file = (name: string) => path.join(dir, name)
  return {
    claim: file('claim.json'),
    result: file('result.json'),
    transcript: file('transcript.ndjson'),
    answer: file('answer.md'),
    stderr: file('stderr.log'),
    stop: file('stop-request'),
    waits: file('waits'),
    heard: file('answers-heard'),
  }
}

/** Value of the step marker of a turn: safe in every environment, unlike its key. */
export function stepMarker(dirs: Dirs, key: string): string {
  return path.basename(layout.turn(dirs, key))
}

/** What is known of a turn. The caller looks first whether it runs this turn itself. */
export function find(dirs: Dirs, key: string): Found {
  const dir = layout.turn(dirs, key)
  const result = readJson(turnFiles(dir).result)
  if (result !== undefined) return { state: 'done', result: TurnResult.parse(result) }
  const claim = readClaim(dir)
  if (claim === undefined) return { state: 'new' }
  if (claim.released !== true && claim.driver.pid !== process.pid && isAlive(claim.driver))
    return { state: 'theirs', driver: claim.driver }
  return { state: 'interrupted', claim }
}

/** The claim with the driver that holds it now, or `undefined`. */
export function readClaim(dir: string): Claim | undefined {
  const raw = readJson(turnFiles(dir).claim)
  if (raw === undefined) return undefined
  const claim = Claim.parse(raw)
  for (;;) {
    const next = readJson(takeoverFile(dir, claim.generation + 1))
    if (next === undefined) return claim
    claim.generation++
    claim.driver = ProcessIdentity.parse(next)
    claim.released = false
  }
}

/** Claims a new turn for this process; `undefined` if another process was faster. */
export function createClaim(
  dirs: Dirs,
  fields: Pick<Claim, 'key' | 'run' | 'cwd' | 'agent' | 'model' | 'sessionId'>,
): Claim | undefined {
  const dir = layout.turn(dirs, fields.key)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const claim: Claim = {
    schema: 1,
    ...fields,
    startedAt: new Date().toISOString(),
    generation: 1,
    driver: self(),
    marker: stepMarker(dirs, fields.key),
    attempts: [],
    agentDeaths: 0,
    driverDeaths: 0,
    spentMs: 0,
  }
  return createFileSync(turnFiles(dir).claim, JSON.stringify(claim), 0o600) ? claim : undefined
}

/**
 * Claims an interrupted turn, counting its driver's death if it died in the middle; `undefined` if
 * another process was faster.
 */
export function takeOver(dirs: Dirs, interrupted: Claim): Claim | undefined {
  const dir = layout.turn(dirs, interrupted.key)
  const driver = self()
  const generation = interrupted.generation + 1
  if (!createFileSync(takeoverFile(dir, generation), JSON.stringify(driver), 0o600))
    return undefined
  const last = interrupted.attempts.at(-1)
  const died = last !== undefined && last.ended === undefined
  const attempts = died
    ? [...interrupted.attempts.slice(0, -1), { ...last, ended: 'interrupted' as const }]
    : interrupted.attempts
  const claim = {
    ...interrupted,
    generation,
    driver,
    attempts,
    released: false,
    driverDeaths: interrupted.driverDeaths + (died ? 1 : 0),
  }
  saveClaim(dirs, claim)
  return claim
}

/** Writes the claim of a turn that this process drives. */
export function saveClaim(dirs: Dirs, claim: Claim): void {
  replaceFileSync(turnFiles(layout.turn(dirs, claim.key)).claim, JSON.stringify(claim), {
    mode: 0o600,
  })
}

export function saveResult(dirs: Dirs, key: string, result: TurnResult): void {
  replaceFileSync(turnFiles(layout.turn(dirs, key)).result, JSON.stringify(result), { mode: 0o600 })
}

/** Asks the driver of a turn, in whichever process, to let go of it. It looks once a second. */
export function requestStop(dirs: Dirs, key: string, reason: 'stop' | 'pause' | 'fenced'): void {
  replaceFileSync(turnFiles(layout.turn(dirs, key)).stop, reason, { mode: 0o600 })
}

/** The request, taken away by reading it. */
export function takeStopRequest(dirs: Dirs, key: string): 'stop' | 'pause' | 'fenced' | undefined {
  const file = turnFiles(layout.turn(dirs, key)).stop
  if (!existsSync(file)) return undefined
  const reason = readFileSync(file, 'utf8')
  unlinkSync(file)
  return reason === 'pause' || reason === 'fenced' ? reason : 'stop'
}

/** Whether an agent of a run has had a turn, finished or not. */
export function hasTurned(dirs: Dirs, run: string): boolean {
  return turnDirs(dirs).some((dir) => readClaim(dir)?.run === run)
}

/** Claims of turns whose agent may still live: unfinished ones, and those that keep their agent. */
export function openClaims(dirs: Dirs): Claim[] {
  return turnDirs(dirs).flatMap((dir) => {
    const claim = readClaim(dir)
    return claim !== undefined && (claim.kept === true || !existsSync(turnFiles(dir).result))
      ? [claim]
      : []
  })
}

function turnDirs(dirs: Dirs): string[] {
  const turns = path.dirname(layout.turn(dirs, ''))
  return existsSync(turns) ? readdirSync(turns).map((name) => path.join(turns, name)) : []
}

function takeoverFile(dir: string, generation: number): string {
  return path.join(dir, `takeover.${generation}.json`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
