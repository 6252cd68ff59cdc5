// Renders help texts from the command definitions: usage, text, options, example, exit codes.
import { COMMANDS, type Entry } from '../commands.js'
import { COMMON_OPTIONS, EXIT_CODES, type Definition } from '../definition.js'

/** Returns the text of `ratchet <command> --help`. */
export function commandHelp({ name: command, summary }: Entry, spec: Definition): string {
  const usage = [
    'ratchet',
    command,
    ...(spec.arguments ?? []).map(([name]) => name),
    ...(spec.options ?? []).map(([flags]) => `[${shortest(flags)}]`),
    '[--json]',
  ]
  return [
    summary,
    '',
    ...wrapUsage(usage),
    '',
    ...(spec.text === undefined ? [] : [...spec.text, '']),
    ...table([...(spec.arguments ?? []), ...(spec.options ?? [])]),
    ...(spec.arguments === undefined && spec.options === undefined ? [] : ['']),
    'Common options:',
    ...table(COMMON_OPTIONS),
    '',
    ...spec.examples.map((example) => `Example: ${example}`),
    `Exit codes: ${EXIT_CODES}`,
    '',
  ].join('\n')
}

/** Returns the text of `ratchet --help`. */
export function programHelp(): string {
  return [
    'Run coding agents in durable cycles and keep only what your tests confirm',
    '',
    'Usage: ratchet <command> [options]',
    '',
    ...table(COMMANDS.map(({ name, summary }) => [name, summary])),
    '',
    'Common options:',
    ...table([...COMMON_OPTIONS, ['--version', 'Print the version']]),
    '',
    'Example: ratchet fix',
    'Example: ratchet cycle "add password reset by mail"',
    'Example: ratchet loop "speed up the search"',
    'Help for a command: ratchet <command> --help',
    `Exit codes: ${EXIT_CODES}`,
    '',
  ].join('\n')
}

/** Returns the whole reference, the content of docs/cli-reference.md. */
export async function reference(): Promise<string> {
  const section = (title: string, text: string): string =>
    `## ${title}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`
  const commands = await Promise.all(
    COMMANDS.map(async (entry) => ({ entry, ...(await entry.load()) })),
  )
  return [
    '# Command line reference\n',
    'Generated from `src/cli/commands.ts`; `npx vitest run --project unit test/unit/cli/reference.test.ts -u` rewrites it.\n',
    section('ratchet', programHelp()),
    ...commands.map(({ entry, command }) =>
      section(`ratchet ${entry.name}`, commandHelp(entry, command)),
    ),
  ].join('\n')
}

const USAGE_WIDTH = 120

function wrapUsage(words: string[]): string[] {
  const lines = ['Usage:']
  for (const word of words) {
    const last = lines.at(-1) as string
    if (last.length + 1 + word.length > USAGE_WIDTH) lines.push(`        ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function shortest(flags: string): string {
  const long = /--\S+( <\S+>)?/.exec(flags)
  return long === null ? flags : long[0]
}

function table(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length), 0)
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
