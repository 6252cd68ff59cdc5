import { expect, test } from 'vitest'
import { checkPrepPackage } from '../../../../../src/core/dev-cycle/documents/prep-package.js'

const NOW = Date.parse('2026-02-10T12:00:00+08:00')
const AT = { project: '/home/me/shop', now: NOW, typed: 'Add login.' }

const valid = () => ({
  version: '1.0.0',
  generated_at: '2026-02-10T11:00:00+08:00',
  prep_status: 'ready',
  environment: { project_root: '/home/me/shop', tech_stack: 'node' },
  task: {
    original: 'add login',
    refined: 'OBJECTIVE: log in | SUCCESS_CRITERIA: a session starts',
    quality_score: 8,
    source_refs: [
      { path: 'docs/login.md', type: 'local_file', status: 'verified', preview: 'Login\nflow' },
      { path: 'x', type: 'rumour', status: 'verified' },
    ] as unknown,
  },
  auto_iteration: {
    enabled: true,
    no_confirmation: true,
    max_iterations: 4 as unknown,
    timeout_per_iteration_ms: 1_800_000,
    convergence: {
      test_pass_rate: 90,
      coverage: 80,
      max_critical_bugs: 0,
      max_open_issues: 2,
    } as Record<string, unknown>,
    phase_gates: {
      zero_to_one: {
        iterations: [1, 2],
        exit_criteria: {
          code_compiles: true,
          core_test_passes: true,
          min_requirements_implemented: 1,
        },
      },
      one_to_hundred: { iterations: [3, 4], exit_criteria: { test_pass_rate: 90 } },
    } as Record<string, unknown>,
    agent_focus: {
      zero_to_one: { ra: 'core_requirements_only', cd: 'happy_path_first' },
      one_to_hundred: {},
    } as Record<string, unknown>,
  },
})
type Package = ReturnType<typeof valid>

const but = (change: (p: Package) => void): Package => {
  const p = valid()
  change(p)
  return p
}

test('a package for the typed task adds its refined task to the typed words, and has its limit and the fields of decisions', () => {
  expect(checkPrepPackage(valid(), AT)).toEqual({
    ok: true,
    task: 'Add login.\n\n--- REFINED BY THE PREP PACKAGE; WHERE THE TWO DIFFER, THE WORDS ABOVE COUNT ---\nOBJECTIVE: log in | SUCCESS_CRITERIA: a session starts',
    maxIterations: 4,
    prep: {
      convergence: { test_pass_rate: 90, coverage: 80, max_critical_bugs: 0, max_open_issues: 2 },
      phase_gates: {
        zero_to_one: {
          iterations: [1, 2],
          exit_criteria: {
            code_compiles: true,
            core_test_passes: true,
            min_requirements_implemented: 1,
          },
        },
        one_to_hundred: { iterations: [3, 4], exit_criteria: { test_pass_rate: 90 } },
      },
      agent_focus: {
        zero_to_one: { ra: 'core_requirements_only', cd: 'happy_path_first' },
        one_to_hundred: {},
      },
      source_refs: [{ path: 'docs/login.md', type: 'local_file', status: 'verified' }],
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a trailing slash',                package: but((p) => { p.environment.project_root = '/home/me/shop/' }) },
  { why: 'the lowest quality',              package: but((p) => { p.task.quality_score = 6 }) },
  { why: '24 hours to the second',          package: but((p) => { p.generated_at = '2026-02-09T12:00:00+08:00' }) },
  { why: 'a clock a minute ahead',          package: but((p) => { p.generated_at = '2026-02-10T12:01:00+08:00' }) },
  { why: '100 %',                           package: but((p) => { p.auto_iteration.convergence = { test_pass_rate: 100, coverage: 100 } }) },
  { why: 'no references',                   package: but((p) => { p.task.source_refs = null }) },
  { why: 'a limit that is none',            package: but((p) => { p.auto_iteration.max_iterations = 'many' }) },
],
)('accepts $why', ({ package: raw }) =>
  expect(checkPrepPackage(raw, AT)).toMatchObject({ ok: true }),
)

test.each(
  // prettier-ignore
  [
  { why: 'the original task is the typed one but for case and punctuation', typed: 'add  LOGIN!',                                              named: false, used: true },
  { why: 'the refined task is the typed one',                               typed: 'OBJECTIVE: log in | SUCCESS_CRITERIA: a session starts', named: false, used: true },
  { why: 'another task',                                                    typed: 'add a cart',                                             named: false, used: false },
  { why: 'a longer task',                                                   typed: 'add login and a cart',                                   named: false, used: false },
  { why: 'another task, and --prep names the package',                      typed: 'add a cart',                                             named: true,  used: true },
],
)('a prep package is used only for its own task: $why -> $used', ({ typed, named, used }) => {
  const checked = checkPrepPackage(valid(), { ...AT, typed, named })
  expect(checked).toMatchObject(
    used
      ? { ok: true }
      : {
          ok: false,
          problems: ['it is for another task, "add login"; --prep <file> uses it anyway'],
        },
  )
  if (checked.ok) expect(checked.task.startsWith(typed)).toBe(true)
})

test('typed and refined words that are too long together are refused as one', () => {
  const checked = checkPrepPackage(
    but((p) => {
      p.task.refined = 'x'.repeat(7_000)
    }),
    { ...AT, typed: 'y'.repeat(7_000), named: true },
  )
  expect(checked).toMatchObject({
    ok: false,
    problems: [
      expect.stringMatching(
        /^the typed task and task\.refined must have at most 12000 characters together, they have 14\d{3}$/,
      ),
    ],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'not ready',            package: but((p) => { p.prep_status = 'needs_refinement' }),                         says: 'prep_status must be "ready", it is "needs_refinement"' },
  { why: 'another project',      package: but((p) => { p.environment.project_root = '/home/me/shop2' }),              says: 'environment.project_root must be "/home/me/shop", it is "/home/me/shop2"' },
  { why: 'too vague',            package: but((p) => { p.task.quality_score = 5.9 }),                                 says: 'task.quality_score must be at least 6 of 10, it is 5.9' },
  { why: 'a second too old',     package: but((p) => { p.generated_at = '2026-02-09T11:59:59+08:00' }),               says: 'it is older than 24 hours: generated_at is "2026-02-09T11:59:59+08:00"' },
  { why: 'no date',              package: but((p) => { p.generated_at = 'yesterday' }),                               says: 'generated_at must be a date and time, it is "yesterday"' },
  { why: 'from the future',      package: but((p) => { p.generated_at = '2026-02-11T12:00:00+08:00' }),               says: 'generated_at is in the future: "2026-02-11T12:00:00+08:00"' },
  { why: 'no refined task',      package: but((p) => { p.task.refined = '  ' }),                                      says: 'required fields are missing: task.refined' },
  { why: 'a task too long',      package: but((p) => { p.task.refined = 'x'.repeat(8_001) }),                         says: 'task.refined must have at most 8000 characters, it has 8001' },
  { why: 'no coverage',          package: but((p) => { p.auto_iteration.convergence = { test_pass_rate: 90 } }),      says: 'required fields are missing: convergence.coverage' },
  { why: 'one gate of two',      package: but((p) => { delete p.auto_iteration.phase_gates['one_to_hundred'] }),      says: 'required fields are missing: phase_gates.one_to_hundred' },
  { why: 'one focus of two',     package: but((p) => { delete p.auto_iteration.agent_focus['zero_to_one'] }),         says: 'required fields are missing: agent_focus.zero_to_one' },
  { why: '0 %',                  package: but((p) => { p.auto_iteration.convergence = { test_pass_rate: 0, coverage: 80 } }),   says: 'convergence.test_pass_rate must be a number above 0, at most 100; it is 0' },
  { why: 'above 100 %',          package: but((p) => { p.auto_iteration.convergence = { test_pass_rate: 90, coverage: 101 } }), says: 'convergence.coverage must be a number above 0, at most 100; it is 101' },
  { why: 'a percent as text',    package: but((p) => { p.auto_iteration.convergence = { test_pass_rate: '90%', coverage: 80 } }), says: 'convergence.test_pass_rate must be a number above 0, at most 100; it is "90%"' },
  { why: 'a list in its place',  package: [],                                                                        says: 'it is not a JSON object' },
  { why: 'an iteration in words', package: but((p) => { p.auto_iteration.phase_gates['zero_to_one'] = { iterations: ['first'] } }), says: 'phase_gates.zero_to_one.iterations.0: Invalid input: expected number, received string' },
],
)('$why -> one sentence about it', ({ package: raw, says }) =>
  expect(checkPrepPackage(raw, AT)).toEqual({ ok: false, problems: [says] }),
)

test('every check that fails is listed', () => {
  const checked = checkPrepPackage({ prep_status: 'blocked' }, AT)
  expect(checked.ok).toBe(false)
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.split(' ')[0])).toEqual([
    'prep_status',
    'environment.project_root',
    'task.quality_score',
    'generated_at',
    'required',
    'it',
  ])
})

test('the carried part of a package is bounded', () => {
  const checked = checkPrepPackage(
    but((p) => {
      p.task.source_refs = Array.from({ length: 500 }, (_, n) => ({
        path: `docs/${n}.md`,
        type: 'local_file',
        status: 'verified',
        preview: 'x'.repeat(10_000),
      }))
      p.auto_iteration.phase_gates['zero_to_one'] = {
        iterations: Array.from({ length: 5_000 }, (_, n) => n),
        exit_criteria: { notes: 'x'.repeat(50_000) },
      }
      p.auto_iteration.agent_focus['zero_to_one'] = { ra: 'x'.repeat(50_000) }
    }),
    AT,
  )
  expect(checked.ok).toBe(true)
  expect(JSON.stringify(checked).length).toBeLessThan(12_000)
})
