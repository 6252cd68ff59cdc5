// The modules that a command loads: the Temporal client alone costs 180 ms.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BUILT } from '../support/servers/local.js'

const ROOT = path.resolve(import.meta.dirname, '../..')

function loaded(...argv: string[]): string[] {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-coverage-'))
  try {
    execFileSync(process.execPath, [path.join(BUILT, 'cli/main.js'), ...argv], {
      env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: dir },
      stdio: 'ignore',
    })
    return readdirSync(dir).flatMap((file) =>
      (
        JSON.parse(readFileSync(path.join(dir, file), 'utf8')) as { result: { url: string }[] }
      ).result.map(({ url }) => url),
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

// A command's code is in a chunk of its own.
const commands = readdirSync(path.join(ROOT, 'src/cli/commands')).map(
  (file) => path.parse(file).name,
)
const commandsIn = (files: string[]): string[] =>
  commands.flatMap((name) =>
    files.filter((url) => new RegExp(`/chunks/${name}-[\\w-]{8}\\.js$`).test(url)).map(() => name),
  )

test.each([
  { argv: ['--version'], commandsLoaded: [] },
  { argv: ['--help'], commandsLoaded: [] },
  ...commands.map((name) => ({ argv: [name, '--help'], commandsLoaded: [name] })),
])(
  'ratchet $argv loads neither Temporal nor a schema, and of the commands $commandsLoaded',
  ({ argv, commandsLoaded }) => {
    const files = loaded(...argv)
    expect(files.some((url) => url.endsWith('cli/main.js'))).toBe(true)
    expect(files.filter((url) => /@temporalio|node_modules\/zod/.test(url))).toEqual([])
    expect(commandsIn(files)).toEqual(commandsLoaded)
  },
)

test.each([
  { words: ['st'], commandsLoaded: [] },
  { words: ['fix', '--'], commandsLoaded: ['fix'] },
])(
  'completion of $words loads no Temporal, and of the commands $commandsLoaded',
  ({ words, commandsLoaded }) => {
    const files = loaded('completion-server', '--', 'ratchet', ...words)
    expect(files.filter((url) => url.includes('@temporalio'))).toEqual([])
    expect(commandsIn(files)).toEqual(commandsLoaded)
  },
)
