// Every `ratchet …` that the documentation names, in a block or in a sentence, is a command line
// of the real program.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.js'
import { COMMON_OPTIONS } from '../../../src/cli/definition.js'
import { runCommandLine } from '../../../src/cli/program.js'
import {
  PAGES,
  blocksOf,
  callsOf,
  commandsOf,
  isShell,
  spansOf,
  type Place,
} from '../../support/docs.js'

// The commands are not called, only parsed.
const commands = await Promise.all(COMMANDS.map(async ({ load }) => (await load()).command))
const loads = commands.map((command) => vi.spyOn(command, 'load'))
beforeAll(() => loads.forEach((load) => load.mockResolvedValue({ run: () => Promise.resolve(0) })))
afterAll(() => loads.forEach((load) => load.mockRestore()))

/** The error of the command line; empty for a valid one. */
async function problem(argv: string[]): Promise<string> {
  let said = ''
  const exitCode = await runCommandLine(
    argv,
    { version: '0', env: {}, cwd: '/', interrupted: new AbortController().signal },
    { stdout: () => undefined, stderr: (text) => (said += text) },
  )
  return exitCode === 0 ? '' : said
}

type Call = Place & { argv: string[]; said: string }
const callsIn = (place: Place, text: string): Call[] =>
  callsOf('ratchet', text).map((argv) => ({
    page: place.page,
    line: place.line,
    argv,
    said: `ratchet ${argv.join(' ')}`,
  }))

const typed = PAGES.flatMap((page) => [
  ...blocksOf(page)
    .filter(isShell)
    .flatMap((block) => commandsOf(block).flatMap((command) => callsIn(block, command))),
  ...blocksOf(page).flatMap((block) =>
    [...block.text.matchAll(/^(?:Example|.*answer with|.*or): +(ratchet .*)$/gm)].flatMap(
      ([, example = '']) => callsIn(block, example),
    ),
  ),
])
// `ratchet <command> --help` names no command.
const named = PAGES.flatMap((page) =>
  spansOf(page)
    .filter(({ text }) => /^ratchet [a-z]/.test(text))
    .flatMap((span) => callsIn(span, span.text.replaceAll('…', ''))),
)

test.each(typed)('$page:$line: $said', async ({ argv }) => {
  expect(await problem(argv)).toBe('')
})

test.each(named)('$page:$line, in a sentence: $said', async ({ argv }) => {
  // A sentence may leave out what the command is about.
  expect((await problem(argv)).replace(/^error: missing required argument .*\n.*\n.*\n$/, '')).toBe(
    '',
  )
})

test('the documentation has commands', () => {
  expect(typed.length).toBeGreaterThan(60)
  expect(named.length).toBeGreaterThan(60)
})

/** Options of other programs that the documentation names. */
const FOREIGN = new Set([
  // git, npm, node and the test runners
  '--no-verify',
  '--bail',
  '--no-bail',
  '--maxfail=0',
  '--reporter',
  '--reporter=junit',
  '--outputFile.junit=…',
  '--junitxml',
  '--json',
  '--outputFile',
  '--runTestsByPath',
  '--tool-config-file',
  '--no-fail-fast',
  '--test',
  '--run --reporter=junit',
  '--continue-on-collection-errors',
  '--growl',
  '--require',
])
const OPTIONS = new Set(
  [...COMMON_OPTIONS, ...commands.flatMap(({ options }) => options ?? [])]
    .flatMap(([flags]) => flags.match(/--[\w-]+/g) ?? [])
    .concat('--help', '--version'),
)

const inComments = PAGES.flatMap((page) =>
  blocksOf(page)
    .filter(isShell)
    .flatMap(({ line, text }) =>
      [...text.matchAll(/ # .*?(--[a-z].*)/g)].map(([, option = '']) => ({
        page,
        line,
        text: option,
      })),
    ),
)

test.each(
  [
    ...inComments,
    ...PAGES.flatMap((page) => spansOf(page).filter(({ text }) => text.startsWith('--'))),
  ].filter(({ text }) => ![...FOREIGN].some((one) => text.startsWith(one))),
)('$page:$line: the option $text exists', ({ text }) => {
  for (const option of text.match(/--[a-z][\w-]*/g) ?? []) expect(OPTIONS).toContain(option)
})
