// What a repository makes this machine run, and when a person is asked about it.
import { describe, expect, test } from 'vitest'
import { Config } from '../../../../src/contract/config/config.js'
import { executablesOf } from '../../../../src/core/trust/executables.js'
import { trustDecision } from '../../../../src/core/trust/trust-decision.js'

describe('what a configuration makes this machine run', () => {
  test.each<{ why: string; config: object; items: string[] }>(
    // prettier-ignore
    [
    { why: 'no configuration', config: {}, items: [] },
    { why: 'limits, roles, tests and their report', config: { roles: { default: 'claude' }, limits: { maxIterations: 3 }, test: { command: 'make test', report: { format: 'junit', path: 'r.xml' } } }, items: [] },
    { why: 'another model of a known agent', config: { agents: { claude: { model: 'opus' } } }, items: [] },
    { why: 'an agent', config: { agents: { mine: { protocol: 'acp', command: './agent', args: ['--yes'], env: { A: '1' }, passEnv: ['AWS_KEY'] } } }, items: ['agents.mine.args', 'agents.mine.command', 'agents.mine.env', 'agents.mine.passEnv', 'agents.mine.protocol'] },
    { why: 'the mode of a known agent', config: { agents: { claude: { mode: 'bypassPermissions' } } }, items: ['agents.claude.mode'] },
    { why: 'the command of a known agent', config: { agents: { claude: { command: './claude' } } }, items: ['agents.claude.command'] },
    { why: 'a sandbox, which is a program', config: { agents: { claude: { sandbox: ['./wrap'] } } }, items: ['agents.claude.sandbox'] },
    { why: 'hooks', config: { hooks: { done: { command: 'notify' } } }, items: ['hooks.done.command', 'hooks.done.timeout'] },
    { why: 'set-up commands and copied files', config: { workspace: { setup: ['make deps'], copy: ['.env'] } }, items: ['workspace.copy', 'workspace.setup'] },
    { why: 'work in the user\'s own tree', config: { workspace: { isolation: 'in-place' } }, items: ['workspace.isolation'] },
    { why: 'what a sandbox lets through', config: { sandbox: { use: 'auto', network: ['example.com'] } }, items: ['sandbox.network'] },
    { why: 'the image of a container', config: { sandbox: { image: 'shop:1' } }, items: ['sandbox.image'] },
    { why: 'what a sandbox shows of the home directory', config: { sandbox: { strictHome: true, read: ['~/.m2'] } }, items: ['sandbox.read'] },
    { why: 'a sandbox', config: { sandbox: 'auto' }, items: [] },
    { why: 'permissions', config: { permissions: 'allow' }, items: ['permissions'] },
    { why: 'telemetry', config: { telemetry: { traces: 'https://collector.example/v1/traces' } }, items: ['telemetry.serviceName', 'telemetry.traces'] },
  ],
  )('$why', ({ config, items }) => {
    expect(executablesOf(Config.parse(config)).map(({ what }) => what)).toEqual(items)
  })
})

describe('trust', () => {
  const a = { what: 'permissions', value: 'allow' }
  const b = { what: 'workspace.setup', value: '["make"]' }
  test.each(
    // prettier-ignore
    [
    { why: 'a repository that brings nothing asks nothing', now: [], trusted: undefined, state: 'nothing' },
    { why: 'what was never trusted is not', now: [a], trusted: undefined, state: 'untrusted' },
    { why: 'what was trusted is', now: [a, b], trusted: [a, b], state: 'trusted' },
    { why: 'what was removed asks nothing', now: [a], trusted: [a, b], state: 'trusted' },
    { why: 'what was added asks again', now: [a, b], trusted: [a], state: 'untrusted' },
    { why: 'what was changed asks again', now: [a], trusted: [{ ...a, value: 'ask' }], state: 'untrusted' },
  ],
  )('$why', ({ now, trusted, state }) => {
    expect(trustDecision(now, trusted).state).toBe(state)
  })

  test('a changed repository says what was added and what was changed', () => {
    expect(trustDecision([a, b], [{ ...a, value: 'ask' }])).toMatchObject({
      changes: { added: [b], changed: [{ ...a, before: 'ask' }] },
    })
  })
})
