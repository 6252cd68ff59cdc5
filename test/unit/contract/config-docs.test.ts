// docs/configuration.md against the schema: every key has a row, every row a key, and defaults are
// equal.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  AcpAgent,
  AgentVariant,
  ExecAgent,
  PlaybookAgent,
} from '../../../src/contract/config/agent-config.js'
import { durationMs } from '../../../src/contract/duration.js'
import { Hooks } from '../../../src/contract/hooks.js'
import { ACTION_NAMES } from '../../../src/adapters/agents/scripted/schema.js'
import { Config } from '../../../src/contract/config/config.js'
import { CYCLE_LIMITS, TEST_FIX_LIMITS } from '../../../src/contract/config/limits.js'
import { SandboxSettings } from '../../../src/contract/sandbox.js'
import { TelemetrySettings } from '../../../src/contract/config/telemetry-settings.js'

const TEXT = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
const inBackticks = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '')

/** Key and default of each row of the first table; a key without a group has that of the first. */
const ROWS = (TEXT.split('|---|---|---|')[1] ?? '')
  .split('\n\n', 1)
  .join('')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => {
    const [, keys = '', defaults = ''] = line.split(/(?<!\\)\|/)
    const [first = '', ...others] = inBackticks(keys)
    const group = first.slice(0, first.lastIndexOf('.') + 1)
    const values = defaults.split(',').map((value) => inBackticks(value)[0])
    return [first, ...others.map((key) => (key.includes('.') ? key : `${group}${key}`))].map(
      (key, n) => ({ key, value: values.length > 1 ? values[n] : values[0] }),
    )
  })

const {
  agents: _agents,
  roles: _roles,
  $schema: _schema,
  hooks: _hooks,
  test: tests,
  workspace,
  limits,
  cycle,
  telemetry: _telemetry,
  sandbox: _sandbox,
  ...plain
} = Config.shape
const keysOf = (group: string, shape: object): string[] =>
  Object.keys(shape).map((key) => `${group}.${key}`)
const inner = (schema: { unwrap: () => { shape: object } }): object => schema.unwrap().shape

/** Named in the text below the table, as they change nothing. */
const IDLE = ['workspace.remote', '$schema']

test('every key has a row, and every row is a key', () => {
  const keys = [
    ...[AcpAgent, ExecAgent, PlaybookAgent, AgentVariant].flatMap(({ shape }) =>
      keysOf('agents.<name>', shape),
    ),
    'roles.default',
    'roles.<role>',
    ...keysOf('test', inner(tests)),
    ...keysOf('workspace', inner(workspace)),
    ...keysOf('limits', inner(limits)),
    ...keysOf('cycle', inner(cycle)),
    ...keysOf('telemetry', TelemetrySettings.shape),
    ...keysOf('hooks', Hooks.shape),
    ...keysOf('sandbox', SandboxSettings.shape),
    ...Object.keys(plain),
  ]
  expect([...new Set(ROWS.map(({ key }) => key))].sort()).toEqual(
    [...new Set(keys)].filter((key) => !IDLE.includes(key)).sort(),
  )
  for (const key of IDLE) expect(TEXT).toContain(`\`${key}\``)
})

/** Defaults that a kind of run has, not the schema. */
const OF_KIND: Record<string, number> = {
  'limits.maxIterations': TEST_FIX_LIMITS.maxIterations,
  'limits.agentTurn': TEST_FIX_LIMITS.agentTurnMs,
  'limits.converge': TEST_FIX_LIMITS.convergeMs,
  'limits.idle': TEST_FIX_LIMITS.idleMs,
  'limits.analysis': TEST_FIX_LIMITS.analysisMs,
  'limits.feedbackTurn': CYCLE_LIMITS.feedbackTurnMs,
}
const DEFAULTS: Record<string, unknown> = {
  ...Config.parse({}),
  sandbox: SandboxSettings.parse({ use: 'none' }),
  'agents.<name>': {
    ...PlaybookAgent.parse({ protocol: 'playbook' }),
    ...ExecAgent.parse({ protocol: 'exec', command: 'x' }),
  },
}

function defaultOf(key: string): unknown {
  const cut = key.lastIndexOf('.')
  return (
    OF_KIND[key] ??
    (cut < 0
      ? DEFAULTS[key]
      : (DEFAULTS[key.slice(0, cut)] as Record<string, unknown> | undefined)?.[key.slice(cut + 1)])
  )
}

test.each(
  ROWS.filter(({ value }) => value !== undefined).map(({ key, value = '' }) => ({ key, value })),
)('the default of $key is $value', ({ key, value }) => {
  const written = JSON.parse(value) as unknown
  const real = defaultOf(key)
  expect(
    typeof real === 'number' && typeof written === 'string' ? durationMs(written) : written,
  ).toEqual(real)
})

test('every action of a playbook has a line', () => {
  const named = TEXT.slice(TEXT.indexOf('| action |'))
    .split('\n')
    .flatMap((line) => /^\| `([a-z]+):/.exec(line)?.[1] ?? [])
  expect(named.sort()).toEqual([...ACTION_NAMES].sort())
})
