// The table of docs/agents-measured.md against the expected and skipped cases of the suites over
// the real agents.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../../src/contract/known-agents.js'
import { PARTICULARS } from '../../agents/particulars.js'

const rows = readFileSync('docs/agents-measured.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const [, ...names] = rows[0] ?? []

/** The cell of an agent in the only row that begins so. */
function cell(row: string, name: string): string {
  const found = rows.filter(([first]) => first?.startsWith(row))
  expect(found, row).toHaveLength(1)
  return found[0]?.[names.indexOf(name) + 1] ?? ''
}

const LIMITS = { rate_limited: /^`rate_limited`/, failed: /^failed/, retries: /^\*\*not seen\*\*/ }
const DENIED = {
  refused: /^refused and named/,
  sandboxed: /^runs in its sandbox/,
  'no shell': /^it has no shell tool/,
}

test('one column for each agent', () => expect(names).toEqual([...KNOWN_NAMES]))

describe.each(KNOWN_NAMES)(
  'issue "Any coding agent": what %s cannot do is in the table',
  (name) => {
    const {
      package: { version },
      command,
      reports,
    } = KNOWN_AGENTS[name]
    const {
      answerKept,
      asksForShell,
      cannot,
      counts,
      forgets = false,
      onLimit,
      onLimitOnce,
      shellDenied,
    } = PARTICULARS[name]

    test.each(
      // prettier-ignore
      [
    { why: 'its program and version', row: 'program', says: new RegExp(`^\`${command}\` ${version.replaceAll('.', '\\.')}$`) },
    { why: 'its history', row: 'a follow-up', says: answerKept ? /^yes/ : /^\*\*the prompts; its own last answer not always/ },
    { why: 'that it forgets what was cancelled', row: 'stops when', says: forgets ? /^yes, see 2/ : /^yes(, see [^2])?$/ },
    { why: 'which calls it counts', row: 'tokens are read', says: counts === 'all' ? /^yes$/ : /^\*\*only of the last model call/ },
    { why: 'whether it tells a cost', row: 'cost is reported', says: reports.cost ? /^yes/ : /^no$/ },
    { why: 'a command that is denied', row: '`permissions: deny`', says: DENIED[shellDenied] },
    { why: 'a command that is asked for', row: '`permissions: ask`', says: asksForShell ? /^becomes a question/ : /^runs in its sandbox/ },
    { why: 'a limit of the provider', row: '429 of the provider', says: LIMITS[onLimit] },
    { why: 'the same of one-shot commands', row: '429, as a', says: LIMITS[onLimitOnce] },
  ],
    )('$why', ({ row, says }) => expect(cell(row, name)).toMatch(says))

    test('the skipped cases match the table', () => {
      const said = [
        ...(shellDenied === 'refused' ? [] : ['asked']),
        ...(onLimit === 'retries' ? ['limited'] : []),
      ]
      expect(Object.keys(cannot).sort()).toEqual(said)
    })
  },
)
