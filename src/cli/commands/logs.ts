// ratchet logs: the last lines of what the local server, supervisor and workers wrote.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { layout, projectKey, userDirs } from '../../adapters/state-dir.js'
import { logSize, readLog } from '../../local/log.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../errors.js'
import { wholeNumber } from '../options.js'
import { projectDir } from '../project.js'

const LINES = 40
const LOOK_MS = 300
const MOST_BYTES = 4 * 1024 * 1024

type Log = { name: string; file: string }

export async function run(context: Context, [wanted]: string[], options: { lines?: string; follow?: boolean }): Promise<number> {
  const count = wholeNumber(options.lines, '--lines') ?? LINES
  if (options.follow === true && context.json) throw badInput('--follow has no end, so there is no JSON document of it', 'ratchet logs', 'leave --json or --follow out')
  const logs = chosen(context, wanted)
  const tails = logs.map((log) => ({ ...log, lines: lastLines(log.file, count) }))
  const titled = logs.length > 1
  context.answer({ logs: tails }, tails.length === 0 ? ['nothing has been logged yet'] : tails.flatMap(({ file, lines }) => [...(titled ? [`== ${file}`] : []), ...lines]))
  if (options.follow !== true) return EXIT.done
  return followLogs(context, logs, titled)
}

function chosen(context: Context, wanted: string | undefined): Log[] {
  const dir = layout.logs(userDirs(context.env))
  const names = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith('.log')).map((file) => file.slice(0, -'.log'.length)).sort() : []
  const all = names.map((name) => ({ name, file: path.join(dir, `${name}.log`) }))
  if (wanted === undefined) return all
  const name = wanted === 'worker' ? `project-${projectKey(projectDir(context))}` : wanted
  const found = all.filter((log) => log.name === name)
  if (found.length === 0) throw badInput(`there is no log ${wanted}`, dir, names.length === 0 ? 'nothing has been started yet' : `logs: ${names.join(', ')}`)
  return found
}

function lastLines(file: string, count: number): string[] {
  const text = readLog(file, 0, MOST_BYTES).trimEnd()
  return text === '' ? [] : text.split('\n').slice(-count)
}

async function followLogs(context: Context, logs: Log[], titled: boolean): Promise<number> {
  context.takesInterrupt()
  const from = new Map(logs.map(({ file }) => [file, logSize(file)]))
  while (!context.interrupted.aborted) {
    for (const { name, file } of logs) {
      const size = logSize(file)
      const seen = from.get(file) ?? 0
      if (size !== seen) for (const line of readLog(file, seen, MOST_BYTES).trimEnd().split('\n')) context.say(titled ? `${name}: ${line}` : line)
      from.set(file, size)
    }
    await delay(LOOK_MS, undefined, { signal: context.interrupted }).catch((error: unknown) => {
      if ((error as Error).name !== 'AbortError') throw error
    })
  }
  return EXIT.interrupted
}
