// Parses the command line with commander. Only the typed command is loaded and known to it.
import { Command, CommanderError } from 'commander'
import { COMMANDS, type Entry } from './commands.js'
import { createContext, type CommonOptions, type Streams, type Surroundings } from './context.js'
import { COMMON_OPTIONS } from './definition.js'
import { CommandError, EXIT, describeError, interrupted, problemLines } from './output/errors.js'
import { commandHelp, programHelp } from './output/help.js'
import { closest } from './find/nearest.js'
import { terminalText } from './output/terminal-text.js'

/** Runs one command line, given without the program's name. Returns the exit code; never throws. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings & { version: string; terminal?: boolean },
  streams: Streams,
): Promise<number> {
  let exitCode: number = EXIT.done
  if (argv[0] === 'completion-server') {
    const { serveCompletion } = await import('./completion/serve.js')
    streams.stdout(
      await serveCompletion(
        argv.slice(argv[1] === '--' ? 2 : 1),
        surroundings.cwd,
        surroundings.env,
      ),
    )
    return exitCode
  }
  try {
    const root = program(surroundings.version, streams)
    const entry = named(root, argv)
    if (entry !== undefined)
      await addCommand(root, entry, surroundings, streams, (code) => (exitCode = code))
    await root.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done // help, version
    const { exitCode: code, problem } = describeError(
      error instanceof CommanderError ? usageError(error, argv) : error,
    )
    if (argv.includes('--json')) streams.stdout(`${JSON.stringify({ error: problem })}\n`)
    // The terminal has just shown ^C where the next line would begin.
    streams.stderr(
      `${code === EXIT.interrupted && surroundings.terminal === true ? '\n' : ''}${terminalText(problemLines(problem).join('\n'))}\n`,
    )
    if (surroundings.env['RATCHET_DEBUG'] === '1')
      streams.stderr(`${(error as Error).stack ?? String(error)}\n`)
    return code
  }
}

// Silences commander's own error texts; `usageError` replaces them.
function plain(command: Command, streams: Streams): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: streams.stdout,
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .helpOption('-h, --help')
    .allowExcessArguments(false)
}

function program(version: string, streams: Streams): Command {
  const root = plain(new Command('ratchet'), streams)
  root.version(version, '-V, --version').helpCommand('help [command]')
  root.helpInformation = programHelp
  for (const [flags, text] of COMMON_OPTIONS) root.option(flags, text)
  root.allowExcessArguments(true).action(() => {
    const [typed] = root.args
    const meant =
      typed === undefined
        ? undefined
        : closest(
            typed,
            COMMANDS.map(({ name }) => name),
          )
    const message = typed === undefined ? 'no command given' : `unknown command ${typed}`
    throw new CommandError(EXIT.usage, {
      type: 'BadUsage',
      message,
      where: 'ratchet',
      next: `${meant === undefined ? '' : `did you mean ratchet ${meant}? `}list the commands with: ratchet --help`,
    })
  })
  return root
}

/** Returns the command that is called, or whose help is requested. */
function named(root: Command, argv: readonly string[]): Entry | undefined {
  const [first, second] = root.parseOptions([...argv]).operands
  return COMMANDS.find(({ name }) => name === (first === 'help' ? second : first))
}

async function addCommand(
  root: Command,
  entry: Entry,
  surroundings: Surroundings,
  streams: Streams,
  done: (exitCode: number) => void,
): Promise<void> {
  const { command: definition } = await entry.load()
  const command = plain(root.command(entry.name), streams)
  for (const [name, text] of definition.arguments ?? []) command.argument(name, text)
  for (const [flags, text] of definition.options ?? []) command.option(flags, text)
  command.helpInformation = () => commandHelp(entry, definition)
  command.action(async () => {
    let takesInterrupt = false
    const { live, ...others } = surroundings
    const drawn = live === undefined || command.opts()['plain'] === true ? {} : { live }
    const context = createContext(
      commonOptions(command.optsWithGlobals()),
      { ...others, ...drawn, takesInterrupt: () => (takesInterrupt = true) },
      streams,
    )
    const { run } = await definition.load()
    done(
      await Promise.race([
        run(context, command.args, command.opts()),
        abandoned(surroundings.interrupted, entry.name, () => takesInterrupt),
      ]),
    )
  })
}

// Rejects at Ctrl-C, unless the command itself ends then.
function abandoned(interruption: AbortSignal, name: string, taken: () => boolean): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => {
      if (!taken())
        reject(interrupted(`ratchet ${name}`, 'nothing is lost; run it again to continue'))
    }
    if (interruption.aborted) onAbort()
    interruption.addEventListener('abort', onAbort, { once: true })
  })
}

function commonOptions(given: Record<string, unknown>): CommonOptions {
  const named = ['project', 'address', 'namespace', 'profile'] as const
  return {
    json: given['json'] === true,
    trust: given['trust'] === true,
    ...Object.fromEntries(
      named.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
    ),
  }
}

// Turns commander's errors into messages that say what to type next.
function usageError(error: CommanderError, argv: readonly string[]): CommandError {
  const [spec] = argv.flatMap((word) => COMMANDS.find(({ name }) => name === word) ?? [])
  const command = spec === undefined ? 'ratchet' : `ratchet ${spec.name}`
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\.?\n/g, ' ')
    .trim()
  const bad = (text: string, next: string): CommandError =>
    new CommandError(EXIT.usage, { type: 'BadUsage', message: text, where: `${command} …`, next })
  // `ratchet help <unknown>` shows the help of all commands, as a failure.
  if (error.code === 'commander.help')
    return bad(
      `unknown command ${argv.find((word) => word !== 'help') ?? ''}`,
      'list the commands with: ratchet --help',
    )
  const missing = /missing required argument '(.+)'/.exec(message)?.[1]
  if (missing !== undefined)
    return bad(
      message,
      missing === 'id'
        ? `list the ids with: ratchet status --all; then run: ${command} <id>`
        : `write: ${command} <${missing}>; more: ${command} --help`,
    )
  const valueless = /option '.*?(--[\w-]+) (<.+>)' argument missing/.exec(message)
  if (valueless !== null)
    return bad(
      message,
      `write: ${command} ${valueless[1] ?? ''} ${valueless[2] ?? ''}; more: ${command} --help`,
    )
  if (error.code === 'commander.excessArguments' && spec?.name === 'fix')
    return bad(message, 'fix has no task argument; to develop a task, run: ratchet cycle "<task>"')
  return bad(message, `see: ${command} --help`)
}
