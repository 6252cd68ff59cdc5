// A repository that commits texts of `.workflow`: the prompts of a prepared run say whose they are.
import path from 'node:path'
import { expect, test } from 'vitest'
import { cyclePrompt } from '../../../src/activities/dev-cycle/cycle-prompts.js'
import { loopPrompt } from '../../../src/activities/dev-loop/loop-prompts.js'
import { buildPrompt } from '../../../src/activities/test-fix/prompts.js'
import { writeStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import { Config } from '../../../src/contract/config/config.js'
import type { PreparedCycle } from '../../../src/contract/dev-cycle/cycle-step.js'
import type { PreparedLoop } from '../../../src/contract/dev-loop/loop-step.js'
import type { AgentTurnInput } from '../../../src/contract/turn-input.js'
import type { Measured, StoredTest } from '../../../src/contract/test-run.js'
import type { PreparedRun } from '../../../src/contract/test-fix/test-fix-step.js'
import { activityOf } from '../../support/hosts/activity-run.js'
import { packageFor } from '../../support/prep/package-for.js'
import { AT, commitAll, tempDir, writeFiles } from '../../support/repositories/repos.js'
import { sessionHost, type SessionHost } from '../session-host.js'

const SESSION = '.workflow/active/WFS-test-login'
const TASK = `${SESSION}/.task/IMPL-001.json`
const CONTEXT = `${SESSION}/.process/context-package.json`
const EARLIER = '.workflow/WFS-test-old/.process/fix-history.json'
const ERROR = 'the session cookie is missing'
const FAILING: StoredTest = {
  file: 'login.test.js',
  test: 'logs in',
  status: 'failed',
  error: ERROR,
  streak: 1,
  criticality: 'high',
  source: 'default',
}

const marked = (file: string): string =>
  `From the repository: \`${file}\` is committed in it, so its author wrote`

/** A session that another tool planned, and what an earlier one learned. */
const PLANNED = {
  [`${SESSION}/workflow-session.json`]: JSON.stringify({
    session_id: 'WFS-test-login',
    workflow_type: 'test_session',
    status: 'planning',
  }),
  [TASK]: JSON.stringify({
    id: 'IMPL-001',
    title: 'Write tests',
    status: 'pending',
    meta: { type: 'test-gen', agent: '@code-developer' },
    context: { requirements: ['cover login'] },
    flow_control: {
      pre_analysis: [
        { step: 'load', command: 'Read(.process/context-package.json)', output_to: 'context' },
      ],
    },
  }),
  [CONTEXT]: JSON.stringify({ metadata: { session_type: 'test-gen' } }),
  [EARLIER]: JSON.stringify([
    {
      iteration: 1,
      modification_points: ['src/login.js:login'],
      root_causes: ['no cookie'],
      failures: [{ test: 'logs in', file: 'login.test.js', error: ERROR }],
      result: 'kept',
      pass_rate_before: 10,
      pass_rate_after: 100,
    },
  ]),
}

/** A full run of one failing test, as it is stored on the host. */
async function failed(dir: string): Promise<Measured> {
  const results = await writeStoredRun(
    dir,
    { schema: 1, commit: 'c', runner: 'vitest', tests: [FAILING], missing: [] },
    false,
  )
  return {
    kind: 'measured',
    commit: 'c',
    total: 1,
    passed: 0,
    failed: 1,
    skipped: 0,
    flaky: 0,
    flakyTests: [],
    failures: [],
    failuresTotal: 1,
    results,
    output: { path: path.join(dir, 'out.log'), sha256: 'x', bytes: 1 },
    fingerprint: 'f',
    durationMs: 1,
  }
}

const turnOf = ({ run }: SessionHost, prepared: PreparedRun, ask: AgentTurnInput['ask']) =>
  ({
    run,
    role: 'code-developer',
    agent: 'gemini',
    task: 'IMPL-001',
    testCommand: 'npm test',
    limitMs: 60_000,
    iteration: 1,
    maxIterations: 5,
    history: [],
    expectHead: prepared.head,
    workspace: prepared.workspace,
    recordDir: prepared.recordDir,
    ask,
  }) as unknown as AgentTurnInput

const taskAsk = {
  about: 'task',
  task: 'IMPL-001',
  file: 'IMPL-001.json',
  simplified: false,
} as const

test('a planned session that the repository commits: task and context package are marked', async () => {
  const host = sessionHost()
  writeFiles(host.project, PLANNED)
  commitAll(host.project, 'a planned session')
  const { text } = await buildPrompt(
    turnOf(host, await host.prepare(), taskAsk),
    Config.parse({}),
    [],
  )
  expect(text).toContain(`## STEP 1: Load Complete Task JSON\n\n${marked(TASK)}`)
  expect(text).toContain(`### context\n\n${marked(CONTEXT)}`)
  // What Ratchet wrote for it is not the repository's.
  expect(text.match(/From the repository/g)).toHaveLength(2)
})

test('the same session that git does not track has no mark', async () => {
  const host = sessionHost()
  writeFiles(host.project, PLANNED)
  const { text } = await buildPrompt(
    turnOf(host, await host.prepare(), taskAsk),
    Config.parse({}),
    [],
  )
  expect(text).toContain('cover login')
  expect(text).not.toContain('From the repository')
})

test('lessons of an earlier session that the repository commits are marked', async () => {
  const host = sessionHost()
  writeFiles(host.project, PLANNED)
  commitAll(host.project, 'an earlier session')
  const { text } = await buildPrompt(
    turnOf(host, await host.prepare(), {
      about: 'diagnose',
      lastRun: await failed(tempDir()),
      analysisType: 'test-failure',
      strategy: 'conservative',
      because: 'first',
      stuckTests: [],
      simplified: false,
    }),
    Config.parse({}),
    [],
  )
  expect(text).toContain(`## Earlier Sessions\n\n${marked(EARLIER)}`)
})

/** The prompt of a run's first turn, with what was prepared for it. */
const firstPrompt = {
  cycle: async (host: SessionHost, prep: string | undefined): Promise<string> => {
    const prepare = (): Promise<PreparedCycle> => host.activities.prepareCycle(begins(host, prep))
    const made: PreparedCycle = await activityOf(host.run).run(prepare)
    const { workspace, name, task } = made
    const brief = { cycleId: name, phase: 'ra', iteration: 1, maxIterations: 5, description: task }
    return cyclePrompt(
      { workspace, limitMs: 60_000 } as AgentTurnInput,
      { about: 'cycle-converge', brief: { ...brief, version: '1.0', sourceRefs: [] } } as never,
    )
  },
  loop: async (host: SessionHost, prep: string | undefined): Promise<string> => {
    const prepare = (): Promise<PreparedLoop> => host.activities.prepareLoop(begins(host, prep))
    const made: PreparedLoop = await activityOf(host.run).run(prepare)
    const { workspace, name, prep: used } = made
    const loop = { loopId: name, action: 'init', description: used?.task, tasks: [], findings: [] }
    return loopPrompt(
      { workspace, limitMs: 60_000 } as AgentTurnInput,
      { about: 'loop-converge', loop } as never,
    )
  },
}

const begins = ({ run, project }: SessionHost, prep: string | undefined) => ({
  run,
  chain: 'first',
  project,
  task: 'add login',
  at: AT,
  prep,
})

test.each<{ command: 'cycle' | 'loop'; file: string; named?: string }>(
  // prettier-ignore
  [
  { command: 'cycle', file: '.workflow/.cycle/prep-package.json' },
  { command: 'loop', file: '.workflow/.loop/prep-package.json' },
  { command: 'cycle', file: 'docs/package.json', named: 'docs/package.json' },
],
)(
  'a prep package that the repository commits is marked: $file',
  async ({ command, file, named }) => {
    const host = sessionHost()
    writeFiles(host.project, { [file]: packageFor(host.project, AT) })
    commitAll(host.project, 'a package')
    const prompt = await firstPrompt[command](host, named)
    expect(prompt).toContain('OBJECTIVE: log in')
    expect(prompt).toContain(`${marked(file)} the part below`)
  },
)

test.each(['cycle', 'loop'] as const)(
  'a prep package of a %s that git does not track has no mark',
  async (command) => {
    const host = sessionHost()
    const file = `.workflow/.${command}/prep-package.json`
    writeFiles(host.project, { [file]: packageFor(host.project, AT) })
    const prompt = await firstPrompt[command](host, undefined)
    expect(prompt).toContain('OBJECTIVE: log in')
    expect(prompt).not.toContain('From the repository')
  },
)
