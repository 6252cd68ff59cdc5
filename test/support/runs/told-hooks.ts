// Hooks of runs: commands that write their events to a file, and a webhook.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { HookEvent } from '../../../src/contract/hook-event.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL, type Step } from './real-run.js'

export type Called = { event: string; run: string; cwd: string; document: HookEvent }

/** Both bugs in one fix. */
export const FIX: Step[] = [
  ANALYSE,
  { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] },
]

/**
 * Commands that append each event, with its variables, to files below this directory, outside of
 * any tree.
 */
export function toldHooks(root: string) {
  const fileOf = (name: string): string => path.join(root, `${name}.events`)
  const command = (name: string): string[] => [
    'sh',
    '-c',
    `printf '%s %s %s ' "$RATCHET_EVENT" "$RATCHET_RUN" "$PWD" >> '${fileOf(name)}'; cat >> '${fileOf(name)}'`,
  ]
  return {
    command,
    /** Of every event. */
    every: (name: string): Record<string, unknown> =>
      Object.fromEntries(
        ['question', 'budget', 'done', 'failed', 'stuck'].map((event) => [event, command(name)]),
      ),
    calls(name: string): Called[] {
      if (!existsSync(fileOf(name))) return []
      // The last line may be half written.
      return readFileSync(fileOf(name), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const [event = '', run = '', cwd = '', ...rest] = line.split(' ')
          return { event, run, cwd, document: HookEvent.parse(JSON.parse(rest.join(' '))) }
        })
    },
  }
}

export function* filesBelow(dir: string): Generator<{ file: string; bytes: Buffer }> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name)
    if (entry.isDirectory()) yield* filesBelow(file)
    else if (entry.isFile()) yield { file, bytes: readFileSync(file) }
  }
}
