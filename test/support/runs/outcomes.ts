// Whole runs over a table of twenty rows: how many of them are wrong decides the pass rate, to the
// percent.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, test } from 'vitest'
import type { RunHandle, RunResult } from '../../../src/client/index.js'
import type { InProcessUser } from '../in-process/user.js'
import { analysis, makeProject, type Step } from './real-run.js'

/** Twenty tests over a table: wrong rows fail, one of them is 95 %. */
const table = (wrong: number[]) =>
  `ROWS = [\n${Array.from({ length: 20 }, (_, n) => `    ${wrong.includes(n) ? -1 : n},  # row ${n}`).join('\n')}\n]\n`
export const right = (...rows: number[]) =>
  rows.map((n) => ({
    patch: { path: 'rows.py', find: `    -1,  # row ${n}\n`, replace: `    ${n},  # row ${n}\n` },
  }))
export const broken = (...rows: number[]) =>
  rows.map((n) => ({
    patch: { path: 'rows.py', find: `    ${n},  # row ${n}\n`, replace: `    -2,  # row ${n}\n` },
  }))
const TESTS =
  'import pytest\nfrom rows import ROWS\n\n\n@pytest.mark.parametrize("n", range(20))\ndef test_row(n):\n    assert ROWS[n] == n\n'
export const files = (wrong: number[], more: Record<string, string> = {}) => ({
  'rows.py': table(wrong),
  'tests/test_rows.py': TESTS,
  'conftest.py': '',
  'notes.txt': 'committed\n',
  ...more,
})

export const PLAN: Step = {
  when: { role: 'cli-planning-agent' },
  do: [{ say: analysis(['rows.py:ROWS:1-22'], ['tests/test_rows.py']) }],
}
export const PLANLESS: Step = {
  when: { role: 'cli-planning-agent' },
  do: [{ say: 'I could not find out.' }],
}
export const assess = (level: string): Step => ({
  when: { turn: 'assess' },
  do: [{ say: `\`\`\`json\n{"criticality":{"test_row[3]":"${level}"}}\n\`\`\`` }],
})
export const fix = (iteration: number, ...actions: Step['do']): Step => ({
  when: { role: 'test-fix-agent', iteration, turn: 'work' },
  do: actions,
})
export const note = (n: number) => ({ write: { path: `note-${n}.md`, text: `${n}\n` } })

export const record = (result: RunResult, file: string): string =>
  readFileSync(path.join(result.recordDir ?? '', file), 'utf8')
export const json = (result: RunResult, file: string) =>
  JSON.parse(record(result, file)) as Record<string, unknown>

/** A project with these wrong rows, and what its run must come to. */
export type Case = {
  name: string
  wrong: number[]
  steps: Step[]
  config?: Record<string, unknown>
  more?: Record<string, string>
  prepare?: (project: string) => void
  check: (result: RunResult) => void
}

/**
 * Runs the cases concurrently, as each mostly waits for agents and pytest. One test per case.
 */
export function testOutcomes(user: () => InProcessUser, cases: readonly Case[]): void {
  let ends: Promise<RunResult>[] = []

  beforeAll(async () => {
    const runs: RunHandle[] = []
    for (const [n, { wrong, steps, config, more, prepare }] of cases.entries()) {
      const home = path.join(user().root, `moods-${n}`)
      mkdirSync(home)
      const own = Object.fromEntries(
        Object.entries(more ?? {}).map(([file, text]) => [
          file,
          text.replace('os.environ["HOME_OF_MOODS"]', JSON.stringify(home)),
        ]),
      )
      const project = makeProject(user(), `outcome-${n}`, steps, config ?? {}, files(wrong, own))
      prepare?.(project)
      runs.push(await user().fix(project, 'WFS-test-shop'))
    }
    ends = runs.map((run) => user().finish(run))
    for (const end of ends) end.catch(() => undefined) // reported by its own test
  })

  test.each(cases.map(({ name, check }, n) => ({ name, check, n })))(
    '$name',
    async ({ check, n }) => {
      check(await (ends[n] as Promise<RunResult>))
    },
  )
}
