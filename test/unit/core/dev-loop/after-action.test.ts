import { expect, test } from 'vitest'
import { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import { withWorker } from '../../../../src/core/dev-loop/after-action.js'
import { FINDINGS_KEPT } from '../../../../src/core/dev-loop/kept-findings.js'
import { ended, finding, HEAD, late, loopState, summary, task, validation } from './loop-state.js'

const NONE: { files: string[]; filesTotal: number } = { files: [], filesTotal: 0 }
const after = (state: LoopState, end: Parameters<typeof withWorker>[1], files = NONE): LoopState =>
  LoopState.parse({ ...state, ...withWorker(state, end, files, { commit: HEAD }) })

test.each(
  // prettier-ignore
  [
  { why: 'init',                                   end: ended('init'),                                     phase: 'init',     index: 0 },
  { why: 'complete',                               end: ended('complete'),                                 phase: 'complete', index: 4 },
  { why: 'a failed worker counts as completed',    end: ended('debug', { status: 'failed' }),              phase: 'debug',    index: 2 },
],
)('phase and action_index: $why', ({ end, phase, index }) =>
  expect(after(loopState(), end)).toMatchObject({ phase, actionIndex: index, last: end }),
)

test.each(
  // prettier-ignore
  [
  { why: 'success',                                end: ended('init'),                                     initialised: true },
  { why: 'a timeout',                              end: late('init'),                                      initialised: true },
  { why: 'another one',                            end: ended('develop'),                                  initialised: false },
],
)('init once: $why -> $initialised', ({ end, initialised }) =>
  expect(after(loopState({ initialised: false, tasks: [] }), end).initialised).toBe(initialised),
)

test.each(
  // prettier-ignore
  [
  { why: 'the first',                              before: [] as const,                        end: ended('init'),                                     completed: ['init'] },
  { why: 'again: its place stays',                 before: ['init', 'develop'] as const,       end: ended('init'),                                     completed: ['init', 'develop'] },
  { why: 'a validate that found failures',         before: ['init'] as const,                  end: ended('validate', { status: 'failed' }),           completed: ['init', 'validate'] },
  { why: 'no usable answer',                       before: ['init'] as const,                  end: ended('develop', { status: 'unknown' }),           completed: ['init'] },
  { why: 'never answered',                         before: ['init'] as const,                  end: late('develop'),                                   completed: ['init'] },
],
)('workers_completed: $why', ({ before, end, completed }) =>
  expect(after(loopState({ workersCompleted: [...before] }), end).workersCompleted).toEqual(
    completed,
  ),
)

test.each(
  // prettier-ignore
  [
  { why: 'debug',                                  debugged: false, end: ended('debug'),                         then: true },
  { why: 'debug that failed',                      debugged: false, end: ended('debug', { status: 'failed' }),   then: true },
  { why: 'develop changes nothing',                debugged: true,  end: ended('develop'),                       then: true },
  { why: 'validate',                               debugged: true,  end: ended('validate'),                      then: false },
],
)('debug once between two validations: $why -> $then', ({ debugged, end, then }) =>
  expect(after(loopState({ debugged }), end).debugged).toBe(then),
)

test.each([
  { why: 'one more', timeouts: 1, end: late('develop'), then: 2 },
  { why: 'in a row only', timeouts: 1, end: ended('develop'), then: 0 },
])('timeouts: $why -> $then', ({ timeouts, end, then }) =>
  expect(after(loopState({ timeouts }), end).timeouts).toBe(then),
)

test('a parallel worker counts for no brake', () => {
  const state = loopState({ timeouts: 1, validation: validation(false) })
  const parallel = { commit: HEAD, parallel: true }
  for (const end of [
    late('validate'),
    ended('validate', { loopBack: { to: 'develop', said: '' } }),
  ])
    expect(Object.keys(withWorker(state, end, NONE, parallel))).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(timeouts|loopBacks|stalled|validationMark)$/),
      ]),
    )
})

test('the last of each action is kept, newest last, with its files by git', () => {
  const state = loopState({ workers: [summary('develop'), summary('debug')] })
  const files = Array.from({ length: 30 }, (_, n) => `src/${n}.ts`)
  const { workers } = after(
    state,
    ended('develop', { summary: 'built\n## it', filesClaimed: ['lie.ts'] }),
    { files, filesTotal: 30 },
  )
  expect(workers).toEqual([
    summary('debug'),
    {
      action: 'develop',
      status: 'success',
      summary: 'built ## it',
      iteration: 2,
      files: files.slice(0, 10),
      filesTotal: 30,
    },
  ])
  expect(
    after(state, late('develop', { summary: '', note: 'no answer' })).workers.at(-1),
  ).toMatchObject({ status: 'failed', summary: 'no answer', timedOut: true })
})

test.each(
  // prettier-ignore
  [
  { why: 'debug finds',                            before: [],                                           end: ended('debug', { findings: ['a leak', 'A leak!', ''] }),         then: [['a leak', 'open', 'debug']] },
  { why: 'debug has a cause only',                 before: [],                                           end: ended('debug', { rootCause: 'off by one' }),                     then: [['off by one', 'open', 'debug']] },
  { why: 'validate finds it too',                  before: [finding('F-001')],                           end: ended('validate', { findings: ['Wrong in F-001.', 'slow'] }),    then: [['wrong in F-001', 'open', 'debug'], ['slow', 'open', 'validate']] },
  { why: 'a closed one is found again',            before: [finding('F-001', 'closed')],                 end: ended('validate', { findings: ['wrong in F-001'] }),             then: [['wrong in F-001', 'open', 'validate']] },
  { why: 'a develop has committed something',      before: [finding('F-001')],                           end: ended('develop', { commit: 'c1' }),                                            then: [['wrong in F-001', 'closed', 'debug']] },
  { why: 'a develop has changed nothing',          before: [finding('F-001')],                           end: ended('develop'),                                                then: [['wrong in F-001', 'open', 'debug']] },
  { why: 'a develop has committed, and failed',    before: [finding('F-001')],                           end: late('develop', { commit: 'c1' }),                                            then: [['wrong in F-001', 'closed', 'debug']] },
  { why: 'complete finds nothing',                 before: [finding('F-001')],                           end: ended('complete', { findings: ['x'] }),                          then: [['wrong in F-001', 'open', 'debug']] },
],
)('findings: $why', ({ before, end, then }) => {
  expect(
    after(loopState({ findings: before }), end).findings.map(({ description, status, source }) => [
      description,
      status,
      source,
    ]),
  ).toEqual(then)
})

test('findings are bounded, closed ones are dropped first, and ids are unique', () => {
  const before = Array.from({ length: FINDINGS_KEPT }, (_, n) =>
    finding(`F-${String(n + 1).padStart(3, '0')}`, n < 5 ? 'closed' : 'open'),
  )
  const { findings } = after(
    loopState({ findings: before }),
    ended('debug', { findings: Array.from({ length: 10 }, (_, n) => `new ${n}`) }),
  )
  expect(findings).toHaveLength(FINDINGS_KEPT)
  expect(findings.every(({ status }) => status === 'open')).toBe(true)
  expect(new Set(findings.map(({ id }) => id)).size).toBe(FINDINGS_KEPT)
  expect(findings.at(-1)).toMatchObject({ id: 'F-030', description: 'new 9' })
})

test('does not change its input', () => {
  const state = loopState({ tasks: [task('T1', 'in_progress')], findings: [finding('F-001')] })
  const before = structuredClone(state)
  withWorker(state, ended('develop', { task: 'T1' }), NONE, { commit: HEAD })
  expect(state).toEqual(before)
})

test('a validation that passes closes what was found in an earlier commit, and nothing that was found in its own', () => {
  const state = loopState({
    findings: [
      finding('F1', 'open', { commit: 'older' }),
      finding('F2', 'open', { commit: HEAD }),
      finding('F3'),
    ],
    validation: validation(true),
  })
  const statusOf = (end: Parameters<typeof withWorker>[1]) =>
    LoopState.parse({ ...state, ...withWorker(state, end, NONE, { commit: HEAD }) }).findings.map(
      ({ status }) => status,
    )
  expect(statusOf(ended('validate'))).toEqual(['closed', 'open', 'closed'])
  expect(statusOf(ended('validate', { iteration: 3 }))).toEqual(['open', 'open', 'open'])
})

test.each([
  { why: 'nothing was committed in parallel', merged: 'older', then: ['open'] },
  { why: 'the merge has another commit', merged: HEAD, then: ['closed'] },
])('a finding of a parallel round, and its merge passes: $why', ({ merged, then }) => {
  const found = withWorker(loopState(), ended('debug', { findings: ['a leak'] }), NONE, {
    commit: 'older',
    parallel: true,
  })
  const state = loopState({ ...found, validation: validation(true, { commit: merged }) })
  const { findings } = withWorker(state, ended('validate'), NONE, { commit: merged })
  expect(findings?.map(({ status }) => status)).toEqual(then)
})

test('what is found again is about the later commit', () => {
  const state = loopState({ findings: [finding('F-001', 'open', { commit: 'older' })] })
  expect(after(state, ended('debug', { findings: ['wrong in F-001'] })).findings).toMatchObject([
    { id: 'F-001', source: 'debug', commit: HEAD },
  ])
})

test.each(
  // prettier-ignore
  [
  { action: 'develop',  commit: 'work-1', developed: true },
  { action: 'develop',  commit: null,     developed: undefined },
  { action: 'debug',    commit: 'work-1', developed: undefined },
  { action: 'validate', commit: 'work-1', developed: undefined },
] as const,
)('the commit $commit of $action: developed is $developed', ({ action, commit, developed }) =>
  expect(after(loopState(), ended(action, { commit })).developed).toBe(developed),
)

test('a claim that a task needs no change is unseen until a validation of the branch has ended', () => {
  const unchanged = ended('develop', { task: 'T1', noChange: [{ id: 'T1', why: 'it is there' }] })
  const state = LoopState.parse({ ...loopState(), ...after(loopState(), unchanged) })
  expect(state.tasks).toMatchObject([{ status: 'completed', unseen: true }])
  const tasksAfter = (parallel: boolean) =>
    withWorker(state, ended('validate', { iteration: 3 }), NONE, { commit: HEAD, parallel }).tasks
  expect(tasksAfter(true), 'one of a parallel round').toMatchObject([{ unseen: true }])
  expect(tasksAfter(false)?.[0]).not.toHaveProperty('unseen')
})

test('what a failed develop names keeps no validation from closing a task that was done without its id', () => {
  const state = loopState({ tasks: [task('T1', 'completed', { claimed: true })] })
  expect(
    after(
      state,
      ended('develop', { status: 'failed', noChange: [{ id: 'T1', why: 'it is so already' }] }),
    ).namesTasks,
  ).toBeUndefined()
  expect(
    after(state, ended('develop', { noChange: [{ id: 'T1', why: 'it is so already' }] }))
      .namesTasks,
  ).toBe(true)
})
