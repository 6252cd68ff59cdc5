// The turns of a run as a report shows them, from what each of them keeps: who, when, how it ended,
// what it used. Only the ends of a transcript are read, as it may be long.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import type { ReportTurn } from '../../core/report/model.js'
import { jsonOf } from '../../core/text/json.js'
import { HEADER_PREFIX, readHeader } from '../../core/prompts/prompt-header.js'
import { TurnResult, type TurnHeader } from '../../contract/turn.js'
import { layout, type Dirs } from '../state-dir.js'
import { Ledger } from './turn/usage-ledger.js'
import { waitsIn } from './turn/person-waits.js'
import { Claim, turnFiles } from './turn/turn-store.js'

const HEAD_BYTES = 64 << 10
const TAIL_BYTES = 64 << 10

/**
 * The turns of a run in the order of their beginning. One whose files are broken is left out.
 *
 * @param since epoch milliseconds: an id that is used again does not show the turns of the run
 * before
 */
export function turnsOfRun(dirs: Dirs, run: string, since = 0): ReportTurn[] {
  return (turnsOfRuns(dirs, [run]).get(run) ?? []).filter((turn) => turn.startedAt >= since)
}

/**
 * The same for several runs at once, by their ids.
 *
 * @param alsoOf decides by the header of a turn whether to add its run
 */
export function turnsOfRuns(
  dirs: Dirs,
  runs: readonly string[],
  alsoOf?: (header: TurnHeader) => boolean,
): Map<string, ReportTurn[]> {
  const found = new Map(runs.map((run): [string, ReportTurn[]] => [run, []]))
  const ledger = new Ledger(dirs)
  const turns = path.dirname(layout.turn(dirs, ''))
  for (const name of existsSync(turns) ? readdirSync(turns) : []) {
    const dir = path.join(turns, name)
    const claim = parsed(turnFiles(dir).claim, Claim)
    if (claim === undefined || (!found.has(claim.run) && alsoOf === undefined)) continue
    const header = headerOf(turnFiles(dir).transcript)
    if (!found.has(claim.run) && header !== undefined && alsoOf?.(header) === true)
      found.set(claim.run, [])
    found.get(claim.run)?.push(turnOf(dir, claim, header, ledger))
  }
  for (const some of found.values())
    some.sort((a, b) => a.startedAt - b.startedAt || (a.step < b.step ? -1 : 1))
  return found
}

function turnOf(
  dir: string,
  claim: Claim,
  header: TurnHeader | undefined,
  ledger: Ledger,
): ReportTurn {
  const files = turnFiles(dir)
  const result = parsed(files.result, TurnResult)
  const step = claim.key.split('/').slice(2).join('/')
  const counted = result === undefined ? ledger.read(claim.run, claim.key) : undefined
  const usage = result?.usage ??
    counted?.usage ?? {
      inputTokens: 0,
      outputTokens: 0,
      estimated: false,
    }
  const endedAt =
    result === undefined
      ? undefined
      : (lastTime(files.transcript) ?? statSync(files.result).mtimeMs)
  const { costUsd, ...tokens } = usage
  return {
    step,
    role: header?.role ?? 'agent',
    agent: result?.agent ?? claim.agent,
    ...(claim.model === undefined ? {} : { model: claim.model }),
    turn: header?.turn ?? '',
    iteration: header?.iteration ?? Number(/^iteration-(\d+)/.exec(step)?.[1] ?? 0),
    ...(header?.task === undefined ? {} : { task: header.task }),
    startedAt: Date.parse(claim.startedAt),
    endedAt,
    outcome: result?.outcome ?? 'open',
    ...(result?.reason === undefined ? {} : { reason: result.reason }),
    attempts: result?.attempts ?? claim.attempts.length,
    crashes: result?.crashes ?? claim.agentDeaths + claim.driverDeaths,
    workedMs: result?.durationMs ?? counted?.ms ?? Math.round(claim.spentMs),
    ...(claim.tests === undefined ? {} : { tests: claim.tests }),
    ...waitsOf(files, claim, endedAt),
    ...tokens,
    costUsd,
    files: [
      { label: 'transcript', path: files.transcript },
      { label: 'answer', path: files.answer },
      { label: 'errors', path: files.stderr },
    ].filter((file) => existsSync(file.path)),
  }
}

// A worker that is killed leaves a wait without its end: it lasted until the turn continued, at
// least.
function waitsOf(
  { waits: file, heard }: ReturnType<typeof turnFiles>,
  { attempts }: Claim,
  endedAt: number | undefined,
): Pick<ReportTurn, 'waits' | 'waitUnknown'> {
  const waits = waitsIn(file).map((wait) => {
    const to = wait.to ?? attempts.map(({ at }) => Date.parse(at)).find((at) => at > wait.from)
    return { from: wait.from, to }
  })
  const known = waits.filter(({ to }) => to !== undefined || endedAt === undefined)
  // Turns of earlier versions have written down that a person answered, and not when it was asked.
  const isUnknown = known.length < waits.length || (waits.length === 0 && existsSync(heard))
  return {
    ...(known.length === 0 ? {} : { waits: known }),
    ...(isUnknown ? { waitUnknown: true } : {}),
  }
}

/**
 * The header of a turn's first prompt, which stands as a JSON string in the first line of its
 * transcript.
 */
export function headerOf(transcript: string): TurnHeader | undefined {
  const head = part(transcript, (size) => [0, Math.min(size, HEAD_BYTES)])
  const at = head.indexOf(HEADER_PREFIX)
  const end = head.indexOf('\\n', at)
  if (at < 0 || end < 0) return undefined
  const line = jsonOf(`"${head.slice(at, end)}"`)
  return typeof line === 'string' ? readHeader(line) : undefined
}

function lastTime(transcript: string): number | undefined {
  const last = part(transcript, (size) => [
    Math.max(0, size - TAIL_BYTES),
    Math.min(size, TAIL_BYTES),
  ])
    .trimEnd()
    .split('\n')
    .at(-1)
  const at = Date.parse(/^\{"at":"([^"]+)"/.exec(last ?? '')?.[1] ?? '')
  return Number.isNaN(at) ? undefined : at
}

function part(file: string, range: (size: number) => [number, number]): string {
  if (!existsSync(file)) return ''
  const fd = openSync(file, 'r')
  try {
    const [from, length] = range(fstatSync(fd).size)
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, from)).toString('utf8')
  } finally {
    closeSync(fd)
  }
}

function parsed<T>(
  file: string,
  schema: { safeParse: (value: unknown) => { data?: T | undefined } },
): T | undefined {
  return existsSync(file) ? schema.safeParse(jsonOf(readFileSync(file, 'utf8'))).data : undefined
}
