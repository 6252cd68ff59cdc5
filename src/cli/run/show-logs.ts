// ratchet logs: prints the last lines of the logs of the local server, supervisor and workers, or
// of the agents of one run.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { idProblem } from '../../contract/ids.js'
import { layout, userDirs } from '../../adapters/state-dir.js'
import { logSize, readLog } from '../../dev-server/rotating-log.js'
import { eventLines } from '../agents/agents-events.js'
import type { Context, Output, ProjectChoice } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { candidates } from '../find/find-run.js'
import { keptOf } from '../find/run-record.js'
import { nearest } from '../find/nearest.js'
import { wholeNumber } from '../options.js'
import { turnLines, turnTitle, turnsOf, type TurnLog } from '../run-logs.js'
import { sessionOf } from '../find/sessions.js'

const LINES = 40
const LOOK_MS = 300
const MOST_BYTES = 4 * 1024 * 1024

type Log = { name: string; file: string }

export async function run(
  context: Pick<Context, 'project' | 'out'>,
  [wanted]: string[],
  options: { lines?: string; follow?: boolean },
): Promise<number> {
  const { out } = context
  const count = wholeNumber(options.lines, '--lines') ?? LINES
  if (options.follow === true && out.json)
    throw badInput(
      '--follow has no end, so it cannot print one JSON document',
      'ratchet logs',
      'remove --json or --follow',
    )
  const found = chosen(context.project, wanted)
  if ('run' in found)
    return logsOfRun(context, found.run, { count, follow: options.follow === true })
  const { logs } = found
  const tails = logs.map((log) => ({ ...log, lines: lastLines(log.file, count) }))
  const titled = logs.length > 1
  out.answer(
    { logs: tails },
    tails.length === 0
      ? ['no log yet']
      : tails.flatMap(({ file, lines }) => [...(titled ? [`== ${file}`] : []), ...lines]),
  )
  if (options.follow !== true) return EXIT.done
  return followLogs(out, logs, titled)
}

// Finds a log by its name, else a run by its id or the name of its session.
function chosen(
  project: ProjectChoice,
  wanted: string | undefined,
): { logs: Log[] } | { run: string[] } {
  const dir = layout.logs(userDirs(project.env))
  const names = existsSync(dir)
    ? readdirSync(dir)
        .filter((file) => file.endsWith('.log'))
        .map((file) => file.slice(0, -'.log'.length))
        .sort()
    : []
  const all = names.map((name) => ({ name, file: path.join(dir, `${name}.log`) }))
  if (wanted === undefined) return { logs: all }
  const name = wanted === 'worker' ? 'projects' : wanted
  const logs = all.filter((log) => log.name === name)
  if (logs.length > 0) return { logs }
  if (['worker', 'server', 'supervisor', 'workflows'].includes(wanted))
    throw badInput(
      `unknown log ${wanted}`,
      dir,
      names.length === 0
        ? 'no log exists yet; start the server with: ratchet dev'
        : `logs: ${names.join(', ')}`,
    )
  if (idProblem(wanted) !== undefined)
    throw badInput(
      `the id ${idProblem(wanted) ?? ''}`,
      'the command line',
      'list the ids with: ratchet status --all',
    )
  const runs = candidates(project, wanted)
  if (turnsOf(userDirs(project.env), runs).length > 0 || isKnown(project, wanted))
    return { run: runs }
  const near = nearest(wanted, [...new Set([...names, ...runsWithTurns(project.env)])])
  throw badInput(
    `no log and no run has the name ${wanted}`,
    dir,
    near.length === 0
      ? 'start a run first, for example: ratchet fix'
      : `logs and runs: ${near.join(', ')}`,
  )
}

function isKnown(project: ProjectChoice, wanted: string): boolean {
  return sessionOf(project, wanted) !== undefined || keptOf(project, wanted) !== undefined
}

function runsWithTurns(env: NodeJS.ProcessEnv): string[] {
  return turnsOf(userDirs(env), 'all').map((turn) => turn.run)
}

async function logsOfRun(
  context: Pick<Context, 'project' | 'out'>,
  runs: string[],
  { count, follow }: { count: number; follow: boolean },
): Promise<number> {
  const dirs = userDirs(context.project.env)
  const turns = turnsOf(dirs, runs)
  const told = turns.map((turn) => ({ ...turn, lines: turnLines(turn, count) }))
  context.out.answer(
    { run: turns[0]?.run ?? runs[0] ?? null, turns: told },
    told.length === 0
      ? [
          'no transcript of its agents is here: none has had a turn yet, or `ratchet clean` removed the transcripts',
        ]
      : told.flatMap((turn) => [turnTitle(turn), ...turn.lines]),
  )
  return follow ? followRun(context, runs, turns) : EXIT.done
}

// Also follows turns that begin meanwhile.
async function followRun(
  { project, out }: Pick<Context, 'project' | 'out'>,
  runs: string[],
  shown: readonly TurnLog[],
): Promise<number> {
  const dirs = userDirs(project.env)
  const readers = new Map(shown.map((turn) => [turn.file, eventLines(turn.file)]))
  for (const read of readers.values()) read()
  return following(out, () => {
    for (const turn of turnsOf(dirs, runs)) {
      const known = readers.get(turn.file)
      const read = known ?? eventLines(turn.file)
      readers.set(turn.file, read)
      if (known === undefined) out.say(turnTitle(turn))
      for (const line of read()) out.say(line)
    }
  })
}

function lastLines(file: string, count: number): string[] {
  const text = readLog(file, 0, MOST_BYTES).trimEnd()
  return text === '' ? [] : text.split('\n').slice(-count)
}

async function followLogs(out: Output, logs: Log[], titled: boolean): Promise<number> {
  const from = new Map(logs.map(({ file }) => [file, logSize(file)]))
  return following(out, () => {
    for (const { name, file } of logs) {
      const size = logSize(file)
      const seen = from.get(file) ?? 0
      if (size !== seen)
        for (const line of readLog(file, seen, MOST_BYTES).trimEnd().split('\n'))
          out.say(titled ? `${name}: ${line}` : line)
      from.set(file, size)
    }
  })
}

async function following(out: Output, look: () => void): Promise<number> {
  out.takesInterrupt()
  while (!out.interrupted.aborted) {
    look()
    await delay(LOOK_MS, undefined, { signal: out.interrupted }).catch((error: unknown) => {
      if ((error as Error).name !== 'AbortError') throw error
    })
  }
  return EXIT.interrupted
}
