// The code in the prompt of an analysis that continues a session: what the session was not shown,
// and what others changed since.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { Ledger } from '../../src/adapters/agents/turn/usage-ledger.js'
import { freezeConfig } from '../../src/adapters/config/frozen-config.js'
import { refTo } from '../../src/adapters/files/file-ref.js'
import { commitStep } from '../../src/adapters/git/steps.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { testRunsDir, writeStoredRun } from '../../src/adapters/test-runners/stored-run.js'
import { Config } from '../../src/contract/config/config.js'
import type { SessionKnowledge } from '../../src/contract/test-fix/agent-session.js'
import type { Measured } from '../../src/contract/test-run.js'
import type { AgentTurnInput } from '../../src/contract/turn-input.js'
import type { TurnResult, TurnSpec } from '../../src/contract/turn.js'
import { activityOf, ownRecord, ownWorkspace } from '../support/hosts/activity-run.js'
import { AT, makeWorkspace, RUN, writeFiles } from '../support/repositories/repos.js'
import { measured } from '../support/test-runs.js'

const HASH = 'a'.repeat(64)
const long = (name: string): string => `// ${name}\n${'// ......\n'.repeat(700)}`
const FILES = {
  'packages/app/tests/a.test.js': '// the first test\n',
  'packages/app/tests/b.test.js': '// the second test\n',
  'packages/app/src/own.js': '// own, as it was\n',
  'packages/app/src/other.js': '// other, as it was\n',
  ...Object.fromEntries(
    ['one', 'two', 'three', 'four'].map((name) => [`packages/app/src/${name}.js`, long(name)]),
  ),
}

async function host() {
  const { workspace: whole, dirs } = await makeWorkspace(FILES)
  const workspace = { ...whole, cwd: path.join(whole.root, 'packages/app') }
  const recordDir = path.join(workspace.project, '.workflow/WFS-test-a')
  mkdirSync(path.join(recordDir, '.process'), { recursive: true })
  await ownWorkspace({ dirs, workspace }, RUN)
  ownRecord({ dirs, project: workspace.project }, RUN, 'WFS-test-a')
  await freezeConfig(dirs, { config: Config.parse({}), hash: HASH } as never, workspace.project)
  const key = projectKey(workspace.project)
  const ledger = new Ledger(dirs)
  const specs: TurnSpec[] = []
  const runTurn = (spec: TurnSpec): Promise<TurnResult> => {
    specs.push(spec)
    const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
    const used = { agent: 'claude', attempts: 1, live: usage, usage, ms: 1, open: false }
    ledger.write(RUN, { key: spec.key, ...used, session: { id: 's1' } })
    return Promise.resolve({ outcome: 'failed', sessionId: 's1' } as TurnResult)
  }
  const activities = createHostActivities({
    dirs,
    project: workspace.project,
    projectKey: key,
    env: {},
    client: {} as Client,
    agents: { runTurn } as never,
    inFlight: inFlightOf(dirs, key),
  })
  const run = async (test: string, named: readonly string[]): Promise<Measured> => {
    const out = path.join(testRunsDir(workspace), test)
    mkdirSync(out, { recursive: true })
    const error = `boom\n${named.map((file) => ` at src/${file}.js:2:1`).join('\n')}`
    const failed = { file: `tests/${test}.test.js`, test, status: 'failed', streak: 1 } as const
    const tests = [{ ...failed, error }]
    const stored = { schema: 1 as const, commit: whole.base, runner: 'vitest', tests, missing: [] }
    return {
      ...measured(0, 1, { failuresTotal: 1 }),
      results: await writeStoredRun(out, stored, false),
      output: refTo(path.join(out, 'out.log'), ''),
    }
  }
  /** The whole prompt of an analysis, and the one in its session. */
  const analyse = async (
    lastRun: Measured,
    knows?: Omit<SessionKnowledge, 'turns' | 'roles'>,
    head = knows?.head ?? whole.base,
  ): Promise<{ whole: string; continued: string }> => {
    const input = {
      run: RUN,
      key: `${RUN}/r/${specs.length}`,
      role: 'cli-planning-agent',
      iteration: 1,
      maxIterations: 5,
      turn: 'work',
      agent: 'claude',
      workspace,
      testCommand: 'npm test',
      configHash: HASH,
      expectHead: head,
      ask: {
        about: 'diagnose',
        lastRun,
        analysisType: 'test-failure',
        strategy: 'conservative',
        because: 'first',
        stuckTests: [],
        simplified: false,
      },
      history: [],
      recordDir,
      limitMs: 1,
      idleMs: 1,
      followUp: true,
      ...(knows && {
        sessionId: 's1',
        knows: { turns: 1, roles: ['cli-planning-agent'], ...knows },
      }),
    } as AgentTurnInput
    await activityOf(RUN).run(activities.agentTurn, input)
    const { prompt, continued } = specs.at(-1) as TurnSpec
    return { whole: prompt, continued: continued?.prompt ?? '' }
  }
  return { workspace: whole, run, analyse }
}

test('what did not fit into the prompt before is shown, and what fitted is not repeated', async () => {
  const { workspace, run, analyse } = await host()
  const first = await run('a', ['one', 'two', 'three', 'four'])
  const before = await analyse(first)
  expect(before.whole).toContain('// three\n')
  expect(before.whole).toContain('Not shown, as too long: src/four.js')
  const next = await run('b', ['one', 'four'])
  const { continued } = await analyse(next, {
    head: workspace.base,
    changed: [],
    shown: first.results,
  })
  expect(continued).toContain('// the second test')
  expect(continued).toContain('// four\n')
  expect(continued).not.toContain('// one\n')
})

test('in a subfolder, a file that the session changed is not shown, one of others is', async () => {
  const { workspace, run, analyse } = await host()
  const first = await run('a', ['own', 'other'])
  await analyse(first)
  writeFiles(workspace.root, {
    'packages/app/src/own.js': '// own, changed\n',
    'packages/app/src/other.js': '// other, changed\n',
  })
  const { head } = await commitStep(
    { workspace, run: RUN, step: 'fix', expectHead: workspace.base, at: AT, subject: 'fix' },
    () => false,
  )
  const next = await run('b', ['own', 'other'])
  const changed = ['packages/app/src/own.js']
  const knows = { head: workspace.base, changed, shown: first.results }
  const { continued } = await analyse(next, knows, head)
  expect(continued).toContain('your changes were committed in src/own.js; others changed')
  expect(continued).toContain('// other, changed')
  expect(continued).not.toContain('// own, changed')
})
