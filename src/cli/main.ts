#!/usr/bin/env node
// The `ratchet` command. Loads as little as possible: the code of a command is loaded when it is
// called.
import { isatty } from 'node:tty'
import { VERSION } from '../adapters/package.js'
import type { Ask, OpenLive } from './context.js'
import { canDraw } from './live/can-draw.js'
import { runCommandLine } from './program.js'

/** Returns the current directory; if it was removed, the path that the shell still has. */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return process.env['PWD'] ?? '/'
  }
}

const interruption = new AbortController()
// `once`: a second Ctrl-C ends the process. The listener is removed after the others of this
// signal, as an open prompt has one that ends the process if it is the last.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  const first = (): void => {
    interruption.abort()
    setImmediate(() => process.off(name, first))
  }
  process.on(name, first)
}

// `ratchet status | head` closes stdout; that is the end, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

// Asks a person. The prompts are loaded with the first question.
const ask: Ask = async (question, signal) =>
  (await import('./follow/prompt.js')).askInTerminal(question, signal)
const asks = isatty(0) && isatty(1) ? { ask } : {}
const { columns } = process.stdout
const width = isatty(1) && columns > 0 ? { columns } : {}

const bar =
  isatty(2) && process.env['TERM'] !== 'dumb'
    ? { bar: async () => (await import('./output/terminal-bar.js')).terminalBar(process.stderr) }
    : {}
// Redraws progress in place, if there is a terminal.
const live: OpenLive = async () =>
  (await import('./live/live.js')).openLive(process.stdout, process.env)
const draws = isatty(1) && canDraw(process.env) ? { live } : {}

const exitCode = await runCommandLine(
  process.argv.slice(2),
  {
    version: VERSION,
    env: process.env,
    cwd: currentDirectory(),
    interrupted: interruption.signal,
    terminal: process.stderr.isTTY,
    ...asks,
    ...width,
    ...bar,
    ...draws,
  },
  {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  },
)
// Exits explicitly after the last byte: a connection that is still closing must not hold the shell.
process.stdout.write('', () => process.exit(exitCode))
