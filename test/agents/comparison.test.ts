// docs/comparison.md holds what examples/comparison/compare.mjs prints.
import '../support/servers/await-servers.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** Tables of the page, a row a line. */
const tables = readFileSync('docs/comparison.md', 'utf8')
  .split('\n\n')
  .filter((part) => part.startsWith('| '))

// One after the other: each keeps two cores busy.
test.each(['claude', 'codex'] as const)(
  'docs/comparison.md: its table is what a run with %s prints',
  { timeout: 900_000, retry: 0 },
  async (agent) => {
    const child = spawn(process.execPath, ['examples/comparison/compare.mjs', agent], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    expect({ code, err }).toMatchObject({ code: 0 })
    const [comparison = '', input = '', times = ''] = out.trim().split('\n\n')
    expect(tables.map(withinACall)).toContain(withinACall(comparison))
    expect(tables.map(withoutTokens)).toContain(withoutTokens(input))
    expect(tables.map(withoutSeconds)).toContain(withoutSeconds(times))
    const [byHand, , withRatchet] = tokensOf(input)
    expect(withRatchet?.all).toBeLessThan(1.5 * (byHand?.all ?? 0))
    expect(withRatchet?.fresh).toBeLessThan(1.7 * (byHand?.fresh ?? 0))
  },
)

/**
 * Of what was cut off a CLI has written down a step more or less, which is a call less or more; a
 * new session costs more than that.
 */
function withinACall(table: string): string {
  return table
    .replaceAll(/\d+ calls, (\d+) more/g, (_, more: string) =>
      Number(more) <= 2
        ? 'one or two calls more'
        : Number(more) <= 6
          ? 'some calls more'
          : `${more} more`,
    )
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/-{3,}/g, '-')
}

/** Thousands of tokens, a row each; `fresh` ones are in no cache. */
function tokensOf(table: string): { all: number; fresh: number }[] {
  return [...table.matchAll(/([\d.]+) k +\| +[\d.]+ k +\| +([\d.]+) k/g)].map(([, all, fresh]) => ({
    all: Number(all),
    fresh: Number(fresh),
  }))
}

/** The paths in prompts differ in length. */
function withoutTokens(table: string): string {
  return table.replaceAll(/ +\d+\.\d k +\|/g, ' tokens |').replaceAll(/-{3,}/g, '-')
}

/** Seconds differ from machine to machine; which were measured does not. */
function withoutSeconds(table: string): string {
  return table.replaceAll(/ +\d+\.\d +\|/g, ' s |')
}
