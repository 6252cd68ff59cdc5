// One-shot commands of this folder, as definitions.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.js'
import type { Behaviour } from './conformance.js'

const HERE = path.dirname(fileURLToPath(import.meta.url))

/**
 * The fake command of the conformance suite. With `stream-json` the command names its session, the
 * others take ours.
 */
export function commandThat(
  behaviour: Behaviour,
  bench: Bench,
  output: 'text' | 'json' | 'stream-json',
  more: { args?: string[]; resumeArgs?: string[] | undefined } = {},
) {
  const sessions = path.join(bench.root, 'sessions')
  mkdirSync(sessions, { recursive: true })
  const begin = [path.join(HERE, 'exec-behaves.mjs'), output, behaviour]
  const { args = output === 'stream-json' ? [] : ['--session', '{session}'] } = more
  const resumeArgs = 'resumeArgs' in more ? more.resumeArgs : ['--resume', '{session}']
  return {
    protocol: 'exec',
    command: process.execPath,
    args: [...begin, ...args],
    output,
    env: { SESSIONS: sessions },
    ...(resumeArgs !== undefined && { resumeArgs: [...begin, ...resumeArgs] }),
  }
}

/** A program of this folder. */
export function command(name: string, ...args: string[]) {
  return { protocol: 'exec', command: process.execPath, args: [path.join(HERE, name), ...args] }
}
