// The command line: commander parses, each command's file is loaded when it is called.
import { Command, CommanderError } from 'commander'
import { COMMANDS, COMMON_OPTIONS } from './commands.js'
import { createContext } from './context.js'
import type { CommonOptions, Context, Streams } from './context.js'
import { CommandError, EXIT, describeError, interrupted, problemLines } from './errors.js'
import { commandHelp, programHelp } from './help.js'

export type Surroundings = Pick<Context, 'env' | 'cwd' | 'interrupted' | 'ask' | 'columns'> & { version: string; terminal?: boolean }

/** Runs one command line, without the program's name. Returns the exit code; never throws. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings, streams: Streams): Promise<number> {
  let exitCode: number = EXIT.done
  try {
    await program(surroundings, streams, (code) => (exitCode = code)).parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done // help, version
    const { exitCode: code, problem } = describeError(error instanceof CommanderError ? usageError(error, argv) : error)
    if (argv.includes('--json')) streams.stdout(`${JSON.stringify({ error: problem })}\n`)
    // The terminal has just shown ^C where the next line would begin.
    streams.stderr(`${code === EXIT.interrupted && surroundings.terminal === true ? '\n' : ''}${problemLines(problem).join('\n')}\n`)
    if (surroundings.env['RATCHET_DEBUG'] === '1') streams.stderr(`${(error as Error).stack ?? String(error)}\n`)
    return code
  }
}

function program(surroundings: Surroundings, streams: Streams, done: (exitCode: number) => void): Command {
  const root = new Command('ratchet')
  // Commander's own words for errors are replaced by ours, in one place.
  const plain = (command: Command): Command =>
    command.exitOverride().configureOutput({ writeOut: streams.stdout, writeErr: () => undefined, outputError: () => undefined }).helpOption('-h, --help').allowExcessArguments(false)
  plain(root).version(surroundings.version, '-V, --version').helpCommand('help [command]')
  root.helpInformation = programHelp
  for (const [flags, text] of COMMON_OPTIONS) root.option(flags, text)
  root.allowExcessArguments(true).action(() => {
    const message = root.args[0] === undefined ? 'a command is missing' : `there is no command ${root.args[0]}`
    throw new CommandError(EXIT.usage, { type: 'BadUsage', message, where: 'ratchet', next: 'see them all with: ratchet --help' })
  })
  for (const spec of COMMANDS) {
    const command = plain(root.command(spec.name)).summary(spec.summary)
    for (const [name, text] of spec.arguments ?? []) command.argument(name, text)
    for (const [flags, text] of spec.options ?? []) command.option(flags, text)
    command.helpInformation = () => commandHelp(spec)
    command.action(async () => {
      const { run } = await spec.load()
      let takesInterrupt = false
      const context = createContext(commonOptions(command.optsWithGlobals()), { ...surroundings, takesInterrupt: () => (takesInterrupt = true) }, streams)
      const working = run(context, command.args, command.opts())
      done(await Promise.race([working, abandoned(surroundings.interrupted, spec.name, () => takesInterrupt)]))
    })
  }
  return root
}

// Rejects at Ctrl-C, unless the command itself ends then.
function abandoned(interruption: AbortSignal, name: string, taken: () => boolean): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => {
      if (!taken()) reject(interrupted(`ratchet ${name}`, 'nothing is lost; call it again to go on'))
    }
    if (interruption.aborted) onAbort()
    interruption.addEventListener('abort', onAbort, { once: true })
  })
}

function commonOptions(given: Record<string, unknown>): CommonOptions {
  const named = ['project', 'address', 'namespace', 'profile'] as const
  return { json: given['json'] === true, ...Object.fromEntries(named.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : []))) }
}

function usageError(error: CommanderError, argv: readonly string[]): CommandError {
  const name = argv.find((word) => COMMANDS.some((spec) => spec.name === word))
  const command = name === undefined ? 'ratchet' : `ratchet ${name}`
  return new CommandError(EXIT.usage, { type: 'BadUsage', message: error.message.replace(/^error: /, '').replace(/\.?\n/g, ' ').trim(), where: `${command} …`, next: `see: ${command} --help` })
}
