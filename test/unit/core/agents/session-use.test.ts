import { expect, test } from 'vitest'
import {
  SessionUse,
  type AgentSession,
  type SessionFacts,
} from '../../../../src/contract/test-fix/agent-session.js'
import {
  sessionAfter,
  sessionReason,
  sessionUse,
  sessionUsed,
  type NextTurn,
} from '../../../../src/core/agents/session-use.js'

const next = (rest: Partial<NextTurn> = {}): NextTurn => ({
  role: 'test-fix-agent',
  agent: 'claude',
  configHash: 'c',
  strategy: 'conservative',
  ...rest,
})
const facts = (rest: Partial<SessionFacts> = {}): SessionFacts => ({
  turns: 1,
  bytes: 1_000,
  used: 100,
  size: 1_000,
  ...rest,
})
const last = (rest: Partial<AgentSession> = {}): AgentSession => ({
  id: 's1',
  agent: 'claude',
  configHash: 'c',
  facts: facts(),
  knows: { head: 'base', changed: [], roles: ['cli-planning-agent'] },
  ...rest,
})
const unknown = (rest: Partial<SessionFacts>): AgentSession =>
  last({ facts: { turns: 1, bytes: 1_000, ...rest } })
const analysis = (rest: Partial<NextTurn> = {}): NextTurn =>
  next({ role: 'cli-planning-agent', ...rest })

test.each(
  // prettier-ignore
  [
  { why: 'the fix of an analysis',                     next: next(),                              last: last(),                                    use: 'continued' },
  { why: 'the analysis of a later iteration',          next: analysis(),                          last: last(),                                    use: 'continued' },
  { why: 'an aggressive one',                          next: analysis({ strategy: 'aggressive' }), last: last(),                                   use: 'continued' },
  { why: 'the first turn',                             next: next(),                              last: undefined,                                 use: 'first' },
  { why: 'a reflective analysis',                      next: analysis({ strategy: 'reflective' }), last: last(),                                   use: 'strategy' },
  { why: 'the analysis of a regression',               next: analysis({ strategy: 'surgical' }),  last: last(),                                    use: 'strategy' },
  { why: 'the fix of a reflective analysis',           next: next({ strategy: 'reflective' }),    last: last(),                                    use: 'continued' },
  { why: 'after a rollback',                           next: analysis(),                          last: last({ ended: 'rolled_back' }),            use: 'rolled_back' },
  { why: 'after a rollback, before all else',          next: analysis({ strategy: 'surgical' }),  last: last({ ended: 'rolled_back' }),            use: 'rolled_back' },
  { why: 'after a return to best',                     next: analysis(),                          last: last({ ended: 'back_to_best' }),           use: 'back_to_best' },
  { why: 'after a degraded analysis',                  next: next(),                              last: last({ ended: 'degraded' }),               use: 'degraded' },
  { why: 'after a weak analysis',                      next: next(),                              last: last({ ended: 'weak' }),                   use: 'weak' },
  { why: 'after a crash',                              next: next(),                              last: last({ ended: 'crashed' }),                use: 'crashed' },
  { why: 'after a simplified retry',                   next: next(),                              last: last({ ended: 'simplified' }),             use: 'simplified' },
  { why: 'after a turn that was cut off',              next: next(),                              last: last({ ended: 'unfinished' }),             use: 'unfinished' },
  { why: 'another agent',                              next: next({ agent: 'codex' }),            last: last(),                                    use: 'other_agent' },
  { why: 'no agent',                                   next: next({ agent: undefined }),          last: last(),                                    use: 'other_agent' },
  { why: 'another model, by the configuration',        next: next({ configHash: 'd' }),           last: last(),                                    use: 'configuration' },
  { why: 'exactly half of the context',                next: next(),                              last: last({ facts: facts({ used: 500 }) }),     use: 'continued' },
  { why: 'over half of the context',                   next: next(),                              last: last({ facts: facts({ used: 501 }) }),     use: 'context' },
  { why: 'many turns, of a known context',             next: next(),                              last: last({ facts: facts({ turns: 20, bytes: 9e6 }) }), use: 'continued' },
  { why: 'a context of no size',                       next: next(),                              last: last({ facts: facts({ size: 0, turns: 2 }) }),     use: 'turns' },
  { why: 'an unknown context, after a turn',           next: next(),                              last: unknown({}),                               use: 'continued' },
  { why: 'an unknown context, after two turns',        next: analysis(),                          last: unknown({ turns: 2 }),                     use: 'turns' },
  { why: 'an unknown context, of 200 kB',              next: next(),                              last: unknown({ bytes: 200_000 }),               use: 'continued' },
  { why: 'an unknown context, over 200 kB',            next: next(),                              last: unknown({ bytes: 200_001 }),               use: 'transcript' },
  { why: 'the use without the size of a context',      next: next(),                              last: unknown({ turns: 2, used: 10 }),           use: 'turns' },
  { why: 'an agent that needs a new session before',            next: next({ needsNew: ['claude'] }),     last: last(),                                    use: 'needs_new' },
  { why: 'another one that needs a new session',                next: next({ needsNew: ['codex'] }),      last: last(),                                    use: 'continued' },
  { why: '[!] nothing known of the session',           next: next(),                              last: { ...last(), facts: undefined },           use: 'context' },
],
)('session: $why -> $use', ({ next, last, use }) => expect(sessionUse(next, last)).toBe(use))

const turn = {
  role: 'test-fix-agent' as const,
  configHash: 'c',
  head: 'h1',
  shown: undefined,
  simplified: false,
}
const result = {
  agent: 'claude',
  sessionId: 's1',
  session: facts({ turns: 2 }),
  changedFiles: ['src/a.js'],
  crashes: 0,
  outcome: 'completed' as const,
}

test('after a turn the session knows its role, its tree and its files', () => {
  expect(sessionAfter(turn, result, last())).toEqual({
    id: 's1',
    agent: 'claude',
    configHash: 'c',
    facts: facts({ turns: 2 }),
    knows: { head: 'h1', changed: ['src/a.js'], roles: ['cli-planning-agent', 'test-fix-agent'] },
  })
  expect(sessionAfter(turn, { ...result, sessionId: 's2' }, last())?.knows.roles).toEqual([
    'test-fix-agent',
  ])
  const renamed = { ...result, sessionId: 's2', session: facts({ continues: 's1' }) }
  expect(sessionAfter(turn, renamed, last())).toMatchObject({
    id: 's2',
    knows: { roles: ['cli-planning-agent', 'test-fix-agent'] },
  })
})

test.each([
  { why: 'a crash', turn, result: { ...result, crashes: 1 }, ended: 'crashed' },
  { why: 'a cut', turn, result: { ...result, outcome: 'timed_out' as const }, ended: 'unfinished' },
  { why: 'a retry', turn: { ...turn, simplified: true }, result, ended: 'simplified' },
  { why: 'its own end', turn, result, ended: undefined },
])('after $why the session is left: $ended', ({ turn, result, ended }) =>
  expect(sessionAfter(turn, result, undefined)?.ended).toBe(ended),
)

test('a turn that names no session leaves none', () =>
  expect(sessionAfter(turn, { ...result, sessionId: undefined }, last())).toBeUndefined())

test.each([
  { why: 'resumed', decided: 'continued' as const, id: 's1', use: 'continued' },
  { why: 'begun', decided: 'weak' as const, id: 's2', use: 'weak' },
  {
    why: 'resumed under another id',
    decided: 'continued' as const,
    id: 's2',
    continues: 's1',
    use: 'continued',
  },
  {
    why: 'of another configuration',
    decided: 'continued' as const,
    id: 's2',
    config: 'd',
    use: 'configuration',
  },
  { why: 'not resumed', decided: 'continued' as const, id: 's2', use: 'lost' },
  {
    why: 'used by others',
    decided: 'continued' as const,
    id: 's2',
    movedOn: true,
    use: 'moved_on',
  },
  {
    why: 'of no use to its agent',
    decided: 'continued' as const,
    id: 's2',
    needsNew: true,
    use: 'needs_new',
  },
  {
    why: 'of the next agent',
    decided: 'continued' as const,
    id: 's2',
    agent: 'b',
    use: 'other_agent',
  },
])(
  'a session that was $why counts as $use',
  ({ decided, id, continues, movedOn, needsNew, agent = 'claude', config = 'c', use }) => {
    const session = facts({
      ...(continues !== undefined && { continues }),
      ...(movedOn === true && { movedOn }),
      ...(needsNew === true && { needsNew }),
    })
    expect(sessionUsed(decided, last(), { sessionId: id, session, agent }, config)).toEqual({
      id,
      use,
    })
  },
)

test('every use has its sentence', () => {
  expect(sessionReason('continued')).toBe('continues the session of the turn before it')
  expect(new Set(SessionUse.options.map(sessionReason)).size).toBe(SessionUse.options.length)
})
