// A fix of several causes of which one breaks a test. A worker that dies at any of its steps changes
// nothing: the same commits, the same causes taken out, no turn bought twice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { analysis, endState, makeProject, markers, type Step } from '../support/runs/real-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const NAMES = ['one', 'two', 'three', 'four']
/** A function a file, each of which returns the wrong number; one test of each passes. */
const FILES = {
  ...Object.fromEntries(NAMES.map((name) => [`${name}.py`, `def ${name}(n):\n    return n - 1\n`])),
  'tests/test_all.py': NAMES.map(
    (name) =>
      `from ${name} import ${name}\n\n\ndef test_${name}():\n    assert ${name}(1) == 2\n\n\ndef test_${name}_type():\n    assert isinstance(${name}(1), int)\n`,
  ).join('\n\n'),
  'conftest.py': '',
  'notes.txt': 'committed\n',
}
const WORDS = 'Each function subtracts one where it has to add one. '.repeat(15)
const tests = (name: string): string[] => [`tests/test_all.py > test_${name}`]
const edit = (name: string, replace: string): Step['do'][number] => ({
  patch: { path: `${name}.py`, find: 'n - 1', replace },
})
const about = (name: string, ...further: string[]): Step['do'] => [
  {
    say: `${WORDS}\n\n${analysis([`${name}.py:${name}:1-2`], tests(name), {
      independent_causes: further.map((one) => ({
        cause: `${one} subtracts`,
        modification_points: [`${one}.py:${one}:1-2`],
        affected_tests: tests(one),
      })),
    })}`,
  },
]
const analyse = (iteration: number, ...names: [string, ...string[]]): Step => ({
  when: { role: 'cli-planning-agent', iteration },
  do: about(...names),
})
const fixes = (iteration: number, ...edits: Step['do']): Step => ({
  when: { role: 'test-fix-agent', turn: 'work', iteration },
  do: edits,
})
const STEPS: Step[] = [
  analyse(1, 'one'),
  fixes(1, edit('one', 'n + 1')),
  analyse(2, 'two', 'three', 'four'),
  fixes(2, edit('two', 'n + 1'), edit('three', "'wrong'"), edit('four', 'n + 1')),
  analyse(3, 'three'),
  fixes(3, edit('three', 'n + 1')),
]

async function run(name: string, deaths: Partial<Record<FaultPoint, number>> = {}) {
  const project = makeProject(user, name, STEPS, {}, FILES)
  const points = Object.entries(deaths) as [FaultPoint, number][]
  mkdirSync(user.pointsOf(project), { recursive: true })
  for (const [point, nth] of points)
    writeFileSync(path.join(user.pointsOf(project), point.replace(':', '-')), `${nth} die`)
  const result = await user.finish(
    await user.fix(project, `WFS-test-${name}`, { maxIterations: 4 }),
  )
  expect(points.filter(([point]) => !user.hasDiedAt(point, project))).toEqual([])
  const end = endState(project, result)
  return {
    end: { ...end, history: withoutShas(end['history']) } as typeof end,
    result,
    turns: markers(user, name).map(({ role, iteration, turn }) => `${role} ${iteration} ${turn}`),
  }
}

const withoutShas = (history: unknown): unknown =>
  JSON.parse(JSON.stringify(history).replaceAll(/"commit":"[0-9a-f]{40}"/g, '"commit":"made"'))

test('killed around its commits, in the search and at its record, a fix of several causes ends as usual', async () => {
  const still = await run('still')
  expect(still.result).toMatchObject({ outcome: 'success', iterations: 3 })
  expect(still.result.history[2]).toMatchObject({
    result: 'kept',
    parts: [
      { task: 'IMPL-fix-2.1', result: 'kept' },
      { task: 'IMPL-fix-2.2', result: 'rolled_back' },
      { task: 'IMPL-fix-2.3', result: 'kept' },
    ],
    note: expect.stringContaining('IMPL-fix-2.2 was taken out: it broke 1 test') as string,
  })
  const subjects = String(still.end['subjects'])
  for (const n of [1, 3]) expect(subjects).toContain(`fix(IMPL-fix-2.${n})`)
  expect(subjects).not.toMatch(/IMPL-fix-2\.2|Without/)
  // The second pass of a point of a commit is that of the second iteration.
  const early = await run('early', {
    'answer:files': 2,
    'commit:begin': 2,
    'takeout:begin': 1,
    'tests:begin': 4,
    'record:begin': 4,
  })
  expect(early.end).toEqual(still.end)
  const late = await run('late', {
    'answer:done': 2,
    'commit:done': 2,
    'commit:published': 3,
    'takeout:done': 1,
    'tests:done': 4,
    'record:done': 4,
  })
  expect(late.end).toEqual(still.end)
  for (const { turns } of [early, late]) expect(turns).toEqual(still.turns)
}, 600_000)
