// Consistency between the files of the runners.
import { expect, test } from 'vitest'
import { startedRunner } from '../../../../src/adapters/test-runners/runners.js'
import { languageOf } from '../../../../src/core/canary/canary.js'
import {
  ALL_RUNNERS,
  RUNNER_NAMES,
  runnerNamed,
} from '../../../../src/core/runners/known-runners.js'
import { isGuarded } from '../../../../src/core/guard/test-guard.js'

test('the names match the registry; an unknown runner has no facts', () => {
  expect(RUNNER_NAMES.map(runnerNamed)).toEqual(
    ALL_RUNNERS.map(({ name: _name, ...facts }) => facts),
  )
  expect(['other', 'toString', ''].map(runnerNamed)).toEqual([undefined, undefined, undefined])
})

test('no two have a command, a script, a module or a rank in common', () => {
  for (const all of [
    ALL_RUNNERS.flatMap(({ commands, alsoStartedBy = [] }) => [...commands, ...alsoStartedBy]),
    ALL_RUNNERS.flatMap(({ module }) => module ?? []),
    ALL_RUNNERS.flatMap(({ script }) => script?.source ?? []),
    ALL_RUNNERS.flatMap(({ detection }) => detection?.rank ?? []),
    ALL_RUNNERS.flatMap(({ junit }) => junit?.suiteNames ?? []),
  ])
    expect(all).toEqual([...new Set<string | number>(all)])
})

test.each(ALL_RUNNERS)(
  '$name: each of its commands starts it, unchanged or with `run`',
  ({ name, commands, alsoStartedBy = [] }) => {
    const words = [
      ...commands,
      ...alsoStartedBy.map((program) =>
        [program, ...(commands[0]?.split(' ').slice(1) ?? [])].join(' '),
      ),
    ].map((one) => one.split(' '))
    const started = words.map((one) =>
      [one, [...one, 'run']]
        .map((command) => startedRunner(command))
        .find((found) => typeof found === 'object'),
    )
    expect(started).toEqual(
      words.map(() => ({ runner: name, args: expect.any(Array) as string[] })),
    )
  },
)

test.each(ALL_RUNNERS)('$name: its flags, variables or files name the report', (one) => {
  const launch = { file: '/out/report.x', args: [], reporters: '/reporters', env: {} }
  const named = JSON.stringify([one.flags(launch), one.overrides?.(launch)])
  expect(named.includes('/out/report.x')).toBe(one.report.by === 'flags')
})

test('the languages of canaries are among those of the runners', () => {
  const languages = ['a.ts', 'a.py', 'a_test.go', 'a.rs'].map(languageOf)
  expect(
    languages.filter((language) => !ALL_RUNNERS.some((one) => one.language === language)),
  ).toEqual([])
})

test('configuration of a runner is guarded in any folder', () => {
  expect(
    [
      'vitest.config.ts',
      'a/jest.config.json',
      '.mocharc.yml',
      'x/pytest.ini',
      'go.work',
      '.config/nextest.toml',
    ].filter((file) => !isGuarded(file)),
  ).toEqual([])
})
