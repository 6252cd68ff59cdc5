// The turn of an agent around its driver: its prompt, how its answer is parsed, and what the record
// holds afterwards. The driver is a fake; its own tests are in test/adapters/agents.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHostActivities, type HostActivities } from '../../src/activities/index.js'
import type { AgentDriver } from '../../src/adapters/agents/driver.js'
import { createClaim, saveResult } from '../../src/adapters/agents/turn/turn-store.js'
import { refTo } from '../../src/adapters/files/file-ref.js'
import { freezeConfig } from '../../src/adapters/config/frozen-config.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { readClaims } from '../../src/adapters/test-runners/claim-reports.js'
import { testRunsDir, writeStoredRun } from '../../src/adapters/test-runners/stored-run.js'
import { Config } from '../../src/contract/config/config.js'
import type { AgentTurnInput, FixTaskAsk } from '../../src/contract/turn-input.js'
import type { Measured, NotMeasured, StoredTest } from '../../src/contract/test-run.js'
import { TurnReading, type TurnResult, type TurnSpec } from '../../src/contract/turn.js'
import type { Workspace } from '../../src/contract/workspace.js'
import { readHeader, withHeader } from '../../src/core/prompts/prompt-header.js'
import { activityOf, ownWorkspace } from '../support/hosts/activity-run.js'
import { AT, gitOf, runGit, tempDir, writeFiles } from '../support/repositories/repos.js'
import { compared } from '../support/test-runs.js'
import type { DegradedInput } from '../../src/contract/test-fix/test-fix-step.js'

const HASH = 'a'.repeat(64)
const BASE = 'b'.repeat(40)
const RUN = 'WFS-test-a.aaaaaa'
const PROSE = `## Root Cause Analysis\n\n${'The field is cut. '.repeat(40)}\n\n`
const ANALYSIS = {
  root_causes: ['parse() cuts the last field'],
  fix_strategy: {
    approach: 'Take the rest of the line.',
    modification_points: ['src/a.js:parse:2-4'],
    expected_outcome: 'All tests pass',
  },
  confidence_score: 0.8,
  affected_tests: ['tests/a.test.js > parses'],
  criticality: { 'tests/a.test.js > parses': 'medium', sorts: 'low' },
}
const fenced = (value: unknown, prose = PROSE): string =>
  `${prose}\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`

let place: {
  dir: string
  project: string
  recordDir: string
  workspace: Workspace
  host: HostActivities
  config: Config
}
let turns: { spec: TurnSpec; task: unknown }[]
let says: { text: string; outcome?: TurnResult['outcome'] }

beforeEach(async () => {
  const dir = tempDir()
  const dirs = { state: path.join(dir, 'state'), cache: path.join(dir, 'cache') }
  const project = path.join(dir, 'project')
  mkdirSync(project)
  const key = projectKey(project)
  const root = path.join(dir, 'state/workspaces', key, 'WFS-test-a/tree')
  const recordDir = path.join(project, '.workflow/WFS-test-a')
  const workspace: Workspace = {
    project,
    root,
    cwd: root,
    branch: 'ratchet/WFS-test-a',
    base: BASE,
    isolation: 'clone',
  }
  writeFiles(dir, {
    'state/x': '',
    'project/.workflow/WFS-test-a/.process/x': '',
    [path.relative(dir, path.join(root, 'src/a.js'))]: 'export const parse = 1\n',
    'project/.workflow/WFS-test-a/.task/IMPL-001.json': JSON.stringify(
      task('IMPL-001', 'test-gen', '@code-developer'),
    ),
    'project/.workflow/WFS-test-a/.task/IMPL-001.5-review.json': JSON.stringify(
      task('IMPL-001.5', 'test-quality-review', '@test-fix-agent'),
    ),
    'project/.workflow/WFS-test-a/.task/IMPL-002.json': JSON.stringify(
      task('IMPL-002', 'test-fix', '@test-fix-agent'),
    ),
  })
  runGit(root, 'init', '-q', '--separate-git-dir', gitOf(workspace))
  await ownWorkspace({ dirs, workspace }, RUN)
  const config = Config.parse({
    roles: { 'cli-planning-agent': ['gemini', 'qwen'] },
    agents: { gemini: { protocol: 'acp', command: 'x', model: 'g-3' } },
    test: { criticality: [{ match: 'login', level: 'high' }] },
  })
  await freezeConfig(dirs, { config, hash: HASH } as never, workspace.project)
  turns = []
  says = { text: fenced(ANALYSIS) }
  const runTurn = (spec: TurnSpec): Promise<TurnResult> => {
    const laid = spec.header.paths.task
    turns.push({
      spec,
      task: laid === undefined ? undefined : JSON.parse(readFileSync(laid, 'utf8')),
    })
    return Promise.resolve(turnResult(says.text, says.outcome))
  }
  const agents = {
    runTurn,
    settleTurn: () => Promise.resolve({ result: turnResult(says.text), ended: 0, crashes: 0 }),
  } as unknown as AgentDriver
  place = {
    dir,
    project,
    recordDir,
    workspace,
    config,
    host: createHostActivities({
      dirs,
      project,
      projectKey: key,
      env: {},
      client: {} as Client,
      agents,
      inFlight: inFlightOf(dirs, key),
    }),
  }
})

function task(id: string, type: string, agent: string): unknown {
  return {
    id,
    title: `Task ${id}`,
    status: 'pending',
    meta: { type, agent, coverage_target: 'line:80%,branch:70%' },
    context: { requirements: [`do ${id}`] },
    flow_control: {
      pre_analysis: [
        { step: 'load', command: 'Read(src/a.js)', output_to: 'source', on_error: 'skip_optional' },
        { step: 'run', command: 'bash(make)', output_to: 'made' },
      ],
    },
  }
}

function turnResult(text: string, outcome: TurnResult['outcome'] = 'completed'): TurnResult {
  const answer = path.join(place.dir, 'answer.md')
  writeFileSync(answer, text)
  return {
    outcome,
    agent: 'gemini',
    sessionId: 's',
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
    answer: refTo(answer, text),
    tail: '',
    transcript: '',
    changedFiles: [],
    attempts: 1,
    crashes: 0,
    leftovers: 0,
    durationMs: 1,
  }
}

async function measured(
  tests: StoredTest[] = 
// prettier-ignore
[
  { file: 'tests/a.test.js', test: 'parses', status: 'failed', error: 'boom\n at tests/a.test.js:7:3', streak: 2, criticality: 'high', source: 'default' },
  { file: 'tests/b.test.js', test: 'login', status: 'failed', error: 'no', streak: 1, criticality: 'high', source: 'config' },
  { file: 'tests/c.test.js', test: 'adds', status: 'passed' },
],
): Promise<Measured> {
  const out = path.join(testRunsDir(place.workspace), 'run-1')
  mkdirSync(out, { recursive: true })
  const failed = tests.filter((one) => one.status === 'failed')
  const results = await writeStoredRun(
    out,
    { schema: 1, commit: BASE, runner: 'vitest', tests, missing: [] },
    false,
  )
  return {
    kind: 'measured',
    commit: BASE,
    total: tests.length,
    passed: tests.length - failed.length,
    failed: failed.length,
    skipped: 0,
    flaky: 0,
    flakyTests: [],
    failures: [],
    failuresTotal: failed.length,
    results,
    output: { path: path.join(out, 'out.log'), sha256: 'x', bytes: 1 },
    fingerprint: 'f',
    durationMs: 1,
    comparison: compared({
      levels: { high: failed.length, medium: 0, low: 0, undecided: 1 },
      stuck: 0,
      stuckTests: [],
    }),
  }
}

const NOT_STARTED: NotMeasured = {
  kind: 'not_started',
  commit: BASE,
  reason: 'collection error in src/a.js:1',
  tail: 'SyntaxError: x\n at src/a.js:1',
  durationMs: 1,
}

function input(changes: Partial<AgentTurnInput>): AgentTurnInput {
  return {
    run: RUN,
    key: 'WFS-test-a.aaaaaa/r/iteration-1/analysis',
    role: 'cli-planning-agent',
    iteration: 1,
    maxIterations: 5,
    turn: 'work',
    agent: 'gemini',
    workspace: place.workspace,
    testCommand: 'npm test',
    configHash: HASH,
    expectHead: BASE,
    ask: { about: 'converge' },
    history: [],
    recordDir: place.recordDir,
    limitMs: 2_400_000,
    idleMs: 1,
    followUp: true,
    ...changes,
  }
}
const fixAsk = (lastRun: FixTaskAsk['lastRun'], changes: Partial<FixTaskAsk> = {}): FixTaskAsk => ({
  iteration: 1,
  parent: 'IMPL-002',
  dependsOn: [],
  maxIterations: 5,
  strategy: 'conservative',
  lastRun,
  ...changes,
})
const diagnose = (
  lastRun: FixTaskAsk['lastRun'],
  changes: Partial<AgentTurnInput> = {},
): AgentTurnInput =>
  input({
    ask: {
      about: 'diagnose',
      lastRun,
      analysisType: 'test-failure',
      strategy: 'conservative',
      because: 'first',
      stuckTests: [],
      simplified: false,
    },
    read: { as: 'analysis', earlierCauses: [], at: AT, ...fixAsk(lastRun) },
    ...changes,
  })
const inActivity = <I, O>(run: (input: I) => Promise<O>, one: I): Promise<O> =>
  activityOf(RUN).run(run, one)
const turn = (one: AgentTurnInput) => inActivity(place.host.agentTurn, one)
const text = (name: string) => readFileSync(path.join(place.recordDir, name), 'utf8')
const json = (name: string) => JSON.parse(text(name)) as Record<string, unknown>
const process = () =>
  readdirSync(path.join(place.recordDir, '.process'))
    .filter((name) => name !== 'x')
    .sort()

describe('analysis', () => {
  test('an answer becomes IMPL-fix-1 and its companions', async () => {
    const run = await measured()
    const { read } = await turn(diagnose(run))
    expect(TurnReading.parse(read)).toMatchObject({
      kind: 'analysis',
      task: 'IMPL-fix-1',
      file: 'IMPL-fix-1.json',
      summary: 'Take the rest of the line.',
      points: 1,
      confidence: 0.8,
      affectedFiles: ['tests/a.test.js'],
      quality: 'normal',
      levels: { high: 1, medium: 1, low: 0, undecided: 1, barring: 1 },
    })
    expect(process()).toEqual([
      'iteration-0-failures.json',
      'iteration-1-analysis.md',
      'iteration-1-cli-output.txt',
      'iteration-1-response.json',
      'iteration-1-strategy.md',
    ])
    expect(json('.process/iteration-0-failures.json')).toMatchObject({
      iteration: 0,
      pass_rate: 33.3,
      failures: [
        { test: 'login', criticality: 'high', source: 'config' },
        { test: 'parses', line: 7, criticality: 'medium', source: 'analysis', streak: 2 },
      ],
    })
    expect(text('.process/iteration-1-cli-output.txt')).toBe(says.text)
    expect(text('.process/iteration-1-analysis.md')).toMatch(
      /^---\niteration: 1\nanalysis_type: test-failure\ncli_tool: gemini\nmodel: g-3\ntimestamp: 2026-11-20T20:00:00\+08:00\npass_rate: 33\.3%\n/,
    )
    if (read?.kind === 'analysis')
      expect(readClaims(read.claims)).toEqual([
        {
          test: 'tests/a.test.js > parses',
          level: 'medium',
          source: 'analysis',
          agent: 'gemini',
          iteration: 1,
        },
        { test: 'sorts', level: 'low', source: 'analysis', agent: 'gemini', iteration: 1 },
      ])
  })

  test('its prompt has the context package and a header that can be parsed again', async () => {
    await turn(
      diagnose(await measured(), {
        agent: 'gemini',
        history: [
          { iteration: 1, passRate: 40, result: 'kept', commit: 'c', turns: 2, task: 'IMPL-fix-1' },
        ],
      }),
    )
    const { spec } = turns[0] ?? {}
    const prompt = withHeader({ ...(spec as TurnSpec).header, attempt: 1 }, spec?.prompt ?? '')
    expect(readHeader(prompt)).toMatchObject({
      role: 'cli-planning-agent',
      paths: {
        project: place.project,
        workspace: place.workspace.cwd,
        state: path.join(place.recordDir, '.process/iteration-state.json'),
      },
    })
    expect(JSON.parse(/```json\n([^]*?)\n```/.exec(prompt)?.[1] ?? '')).toMatchObject({
      session_id: 'WFS-test-a',
      failure_context: { pass_rate: 33.3, previous_attempts: [{ iteration: 1, result: 'kept' }] },
      cli_config: { tool: 'gemini', model: 'g-3', fallback: 'qwen', timeout: 2_400_000 },
    })
    expect(prompt).not.toContain('undefined')
  })

  test('the fallback of the last agent is none', async () => {
    await turn(diagnose(await measured(), { agent: 'qwen' }))
    expect(turns[0]?.spec.prompt).toContain('"fallback": null')
  })

  test.each(
    // prettier-ignore
    [
    { why: 'prose only', answer: PROSE },
    { why: 'no points', answer: fenced({ ...ANALYSIS, fix_strategy: { ...ANALYSIS.fix_strategy, modification_points: [] } }) },
  ],
  )('$why is unusable and leaves nothing but the answer', async ({ answer }) => {
    says.text = answer
    const { read } = await turn(diagnose(await measured()))
    const file = '.process/iteration-1-refused-1.md'
    expect(read).toEqual({
      kind: 'unusable',
      problem: expect.any(String) as string,
      form: expect.stringContaining('root_causes') as string,
      refused: [{ agent: 'gemini', reason: expect.any(String) as string, file }],
    })
    expect(process()).toEqual(['iteration-1-refused-1.md'])
    expect(text(file)).toContain(answer)
  })

  test('an answer of low confidence is weak; a better one replaces it, and both are kept', async () => {
    const run = await measured()
    says.text = fenced({ ...ANALYSIS, confidence_score: 0.2 })
    expect((await turn(diagnose(run))).read).toMatchObject({
      kind: 'analysis',
      weak: 'the confidence is 0.2, below 0.4',
    })
    says.text = fenced(ANALYSIS)
    expect(
      (
        await turn(
          diagnose(run, { key: 'WFS-test-a.aaaaaa/r/iteration-1/analysis.2', agent: 'qwen' }),
        )
      ).read,
    ).toMatchObject({
      refused: [
        {
          agent: 'gemini',
          reason: 'the confidence is 0.2, below 0.4',
          file: '.process/iteration-1-refused-1.md',
        },
      ],
    })
    expect(text('.process/iteration-1-refused-1.md')).toContain('"confidence_score":0.2')
  })

  test('an analysis without tests gets the failing tests of the files it wants to change', async () => {
    const { affected_tests: _, ...rest } = ANALYSIS
    says.text = fenced(rest)
    expect((await turn(diagnose(await measured()))).read).toMatchObject({
      kind: 'analysis',
      affectedFiles: ['tests/a.test.js'],
    })
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      context: {
        fix_strategy: { test_execution: { affected_tests: ['tests/a.test.js > parses'] } },
      },
    })
  })

  test('independent causes become a task each, if several may be fixed and the answer is not weak', async () => {
    const run = await measured()
    const causes = [
      {
        cause: 'login refuses',
        modification_points: ['src/b.js:login'],
        affected_tests: ['tests/b.test.js > login'],
      },
    ]
    const asked = (several: boolean, key: string): AgentTurnInput =>
      diagnose(run, {
        key: `WFS-test-a.aaaaaa/r/${key}`,
        read: {
          as: 'analysis',
          earlierCauses: [],
          at: AT,
          ...fixAsk(run, several ? { several: true } : {}),
        },
      })
    says.text = fenced({ ...ANALYSIS, independent_causes: causes })
    expect((await turn(asked(false, 'a'))).read).not.toHaveProperty('causes')
    says.text = fenced({ ...ANALYSIS, independent_causes: causes, confidence_score: 0.2 })
    expect((await turn(asked(true, 'b'))).read).not.toHaveProperty('causes')
    expect(existsSync(path.join(place.recordDir, '.task/IMPL-fix-1.1.json'))).toBe(false)

    says.text = fenced({ ...ANALYSIS, independent_causes: causes })
    const { read } = await turn(asked(true, 'c'))
    expect(TurnReading.parse(read)).toMatchObject({
      task: 'IMPL-fix-1',
      points: 2,
      affectedFiles: ['tests/a.test.js', 'tests/b.test.js'],
      causes: [
        { task: 'IMPL-fix-1.1', files: ['src/a.js'] },
        { task: 'IMPL-fix-1.2', cause: 'login refuses', files: ['src/b.js'] },
      ],
    })
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      context: { fix_strategy: { root_causes: [expect.any(String), 'login refuses'] } },
      flow_control: { target_files: ['src/a.js', 'src/b.js'] },
    })
    expect(json('.task/IMPL-fix-1.2.json')).toMatchObject({
      id: 'IMPL-fix-1.2',
      context: {
        failure_context: { failed_tests: ['tests/b.test.js > login'] },
        fix_strategy: { approach: 'login refuses', root_causes: ['login refuses'] },
      },
      flow_control: { target_files: ['src/b.js'] },
    })
  })

  test('a thin answer is weak', async () => {
    says.text = fenced(ANALYSIS, '')
    expect((await turn(diagnose(await measured()))).read).toMatchObject({
      kind: 'analysis',
      weak: expect.stringContaining('words') as string,
    })
  })

  test('a suite that did not start has no claims and no rate', async () => {
    const { read } = await turn(diagnose(NOT_STARTED))
    expect(read).not.toHaveProperty('levels')
    expect(json('.process/iteration-0-failures.json')).toMatchObject({
      pass_rate: null,
      suite_started: false,
    })
  })

  test('a completed turn is parsed again without a new prompt, and paid once', async () => {
    const one = diagnose(await measured())
    const dirs = { state: path.join(place.dir, 'state'), cache: '' }
    createClaim(dirs, { key: one.key, run: one.run, cwd: place.workspace.cwd, agent: 'gemini' })
    saveResult(dirs, one.key, turnResult(says.text))
    expect((await turn(one)).read).toMatchObject({ kind: 'analysis', task: 'IMPL-fix-1' })
    expect(turns.map(({ spec }) => spec.prompt)).toEqual([''])
  })

  test('an incomplete turn is not parsed', async () => {
    says.outcome = 'failed'
    expect(await turn(diagnose(await measured()))).not.toHaveProperty('read')
  })

  test('a settled turn that is complete is parsed when its kind is given', async () => {
    const one = diagnose(await measured())
    const settle = (turnInput?: AgentTurnInput) =>
      inActivity(place.host.settleTurn, {
        key: one.key,
        workspace: place.workspace,
        agent: 'gemini',
        configHash: HASH,
        reason: 'x',
        ...(turnInput === undefined ? {} : { turn: turnInput }),
      })
    expect((await settle(one)).read).toMatchObject({ kind: 'analysis' })
    expect(await settle()).not.toHaveProperty('read')
  })
})

describe('other answers', () => {
  test('an assessment becomes claims and levels; the rule of the configuration stands', async () => {
    says.text = fenced({ criticality: { parses: 'low', 'tests/b.test.js > login': 'low' } })
    const lastRun = await measured()
    const { read } = await turn(
      input({
        role: 'test-fix-agent',
        turn: 'assess',
        ask: { about: 'assess', lastRun },
        read: { as: 'assessment', lastRun },
      }),
    )
    expect(TurnReading.parse(read)).toMatchObject({
      kind: 'assessment',
      levels: { high: 1, medium: 0, low: 1, undecided: 0 },
    })
    expect(
      JSON.parse(/```json\n([^]*?)\n```/.exec(turns[0]?.spec.prompt ?? '')?.[1] ?? ''),
    ).toEqual([
      { test: 'parses', file: 'tests/a.test.js', error: 'boom\n at tests/a.test.js:7:3' },
      { test: 'login', file: 'tests/b.test.js', error: 'no' },
    ])
  })

  test("a gate becomes numbers and a report, located by the task's file", async () => {
    says.text = fenced({
      critical: 0,
      error: 1,
      warning: 2,
      coverage: { lines: 70, branches: null, functions: 91 },
      anti_patterns: [{ severity: 'critical', what: 'no assertion in a.test.js' }],
      issues: ['b.test.js sleeps'],
    })
    const { read } = await turn(
      input({
        role: 'test-fix-agent',
        ask: {
          about: 'gate',
          task: 'IMPL-001.5',
          file: 'IMPL-001.5-review.json',
          gate: 'test-quality-review',
          attempt: 1,
        },
        read: { as: 'gate', task: 'IMPL-001.5', attempt: 1 },
      }),
    )
    expect(TurnReading.parse(read)).toMatchObject({
      kind: 'gate',
      critical: 0,
      error: 1,
      warning: 2,
      lines: 70,
      branches: null,
      functions: 91,
      antiPatterns: 1,
      thresholds: { lines: 80, branches: 70 },
      report: expect.stringMatching(
        /no assertion[^]*b\.test\.js sleeps[^]*\.process\/test-quality-report\.md$/,
      ) as string,
    })
    expect(text('.process/test-quality-report.md')).toContain('# Report of IMPL-001.5, check 1')
  })

  test('a plan becomes TEST_ANALYSIS_RESULTS.md', async () => {
    says.text = `# Plan\n\n${'Test it. '.repeat(30)}`
    expect(
      (await turn(input({ ask: { about: 'plan-tests', task: 'IMPL-001' }, read: { as: 'plan' } })))
        .read,
    ).toEqual({ kind: 'plan', file: '.process/TEST_ANALYSIS_RESULTS.md' })
    expect(text('.process/TEST_ANALYSIS_RESULTS.md')).toContain('Test it.')
    expect(turns[0]?.spec.prompt).toContain('- do IMPL-001')
  })

  test('a gate and a plan read what pre_analysis names, and a plan does not need the plan', async () => {
    says.text = `# Plan\n\n${'Test it. '.repeat(30)}`
    const needs = {
      ...(task('IMPL-001', 'test-gen', '@code-developer') as object),
      flow_control: {
        pre_analysis: [
          {
            step: 'plan',
            commands: ['Read(.process/TEST_ANALYSIS_RESULTS.md)', 'Read(src/a.js)'],
            on_error: 'fail',
          },
        ],
      },
    }
    writeFiles(place.recordDir, { '.task/IMPL-001.json': JSON.stringify(needs) })
    await turn(
      input({
        key: `${RUN}/r/plan`,
        ask: { about: 'plan-tests', task: 'IMPL-001' },
        read: { as: 'plan' },
      }),
    )
    await turn(
      input({
        key: `${RUN}/r/gate`,
        role: 'test-fix-agent',
        ask: {
          about: 'gate',
          task: 'IMPL-001.5',
          file: 'IMPL-001.5-review.json',
          gate: 'test-quality-review',
          attempt: 1,
        },
        read: { as: 'gate', task: 'IMPL-001.5', attempt: 1 },
      }),
    )
    expect(turns).toHaveLength(2)
    for (const { spec } of turns)
      expect(spec.prompt).toContain('From src/a.js:\n\n```\nexport const parse = 1\n')
  })

  test('the retry prompt asks for the form only', async () => {
    const lastRun = await measured()
    await turn(
      input({
        turn: 'retry',
        ask: { about: 'retry', problem: 'no JSON', form: 'THE FORM' },
        read: { as: 'assessment', lastRun },
      }),
    )
    expect(turns[0]?.spec.prompt).toMatch(
      /^## ANSWER MISSING OR UNREADABLE[^]*no JSON[^]*THE FORM$/,
    )
  })
})

describe('tasks', () => {
  const fixTurn = (lastRun: FixTaskAsk['lastRun'], simplified = false) =>
    input({
      role: 'test-fix-agent',
      task: 'IMPL-fix-1',
      key: `${RUN}/r/iteration-1/fix`,
      ask: {
        about: 'fix-task',
        lastRun,
        task: 'IMPL-fix-1',
        file: 'IMPL-fix-1.json',
        simplified,
        pending: {
          iteration: 1,
          task: 'IMPL-fix-1',
          parent: 'IMPL-002',
          strategy: 'conservative',
          quality: 'normal',
          summary: 's',
          points: 1,
          affectedFiles: [],
          startedAt: 0,
          turnsBefore: 0,
          notes: [],
        },
      },
    })

  test('a fix turn gets a copy of its task and of the files in pre_analysis, and removes it', async () => {
    const run = await measured()
    await turn(diagnose(run))
    await turn(fixTurn(run))
    const { spec, task: laid } = turns[1] ?? {}
    expect(spec?.header.paths.task).toBe(
      path.join(place.workspace.cwd, '.ratchet/tasks/IMPL-fix-1.json'),
    )
    expect(laid).toEqual(json('.task/IMPL-fix-1.json'))
    expect(existsSync(path.join(place.workspace.cwd, '.ratchet'))).toBe(false)
    expect(spec?.prompt).toContain(
      '### fix_strategy\n\nFrom .workflow/WFS-test-a/.process/iteration-1-strategy.md:',
    )
    expect(spec?.prompt).toContain('### previous_failures')
    expect(JSON.parse(/```json\n([^]*?)\n```/.exec(spec?.prompt ?? '')?.[1] ?? '')).toMatchObject({
      task: { id: 'IMPL-fix-1' },
      iteration_context: {
        failure_analysis: {
          source: 'gemini',
          fix_strategy: { approach: 'Take the rest of the line.' },
        },
      },
      test_context: {
        test_framework: 'vitest',
        test_files: ['tests/a.test.js', 'tests/b.test.js'],
        coverage_target: 80,
      },
      session: { workflow_dir: '.workflow/WFS-test-a/' },
    })
    expect(spec?.prompt).not.toContain('undefined')
  })

  test('a turn taken over from a limited agent starts with the hand-over and keeps the tree and the budget', async () => {
    const run = await measured()
    await turn(diagnose(run))
    const budget = {
      limit: { tokens: 1_000 },
      spent: { turns: 1, tokens: 10, costUsd: 0, minutes: 0 },
    }
    await turn({
      ...fixTurn(run),
      budget,
      handOver: { from: 'claude', why: 'limited', said: 'half done' },
    })
    expect(turns[0]?.spec.keepTree).toBeUndefined()
    expect(turns[0]?.spec.budget).toBeUndefined()
    expect(turns[1]?.spec).toMatchObject({ keepTree: true, budget })
    expect(turns[1]?.spec.prompt).toMatch(
      /^## HAND-OVER\n\nAnother agent, claude, has worked on this task and cannot continue: limited\.\n[^]*> half done[^]*### fix_strategy/,
    )
  })

  const inSession = (lastRun: FixTaskAsk['lastRun'], rest: Partial<AgentTurnInput> = {}) => ({
    ...fixTurn(lastRun),
    sessionId: 's1',
    knows: { turns: 1, head: fixTurn(lastRun).expectHead, changed: [], roles: [] },
    ...rest,
  })

  test('a turn in the session of its analysis has a shorter prompt there', async () => {
    const run = await measured()
    await turn(diagnose(run))
    await turn(inSession(run, { handOver: undefined }))
    expect(turns[1]?.spec).toMatchObject({ sessionId: 's1', continued: { turns: 1 } })
  })

  test('a hand-over comes with the whole prompt, in a new session', async () => {
    const run = await measured()
    await turn(diagnose(run))
    const handOver = { from: 'claude', why: 'limited', said: 'half done' }
    await turn(inSession(run, { handOver }))
    expect(turns[1]?.spec.prompt).toMatch(/^## HAND-OVER\n[^]*### fix_strategy/)
    expect(turns[1]?.spec.sessionId).toBeUndefined()
    expect(turns[1]?.spec.continued).toBeUndefined()
  })

  test('a commit of the session that git does not know costs only the session', async () => {
    const run = await measured()
    await turn(diagnose(run))
    const knows = { turns: 1, head: 'f'.repeat(40), changed: [], roles: [] }
    await turn(inSession(run, { knows }))
    expect(turns[1]?.spec.prompt).toContain('### fix_strategy')
    expect(turns[1]?.spec.sessionId).toBeUndefined()
    expect(turns[1]?.spec.continued).toBeUndefined()
  })

  test('damaged results that the session was shown cost only the session', async () => {
    const run = await measured()
    const shown = refTo(path.join(path.dirname(run.results.path), 'shown.json'), '{')
    writeFileSync(shown.path, '{')
    const input = diagnose(run)
    const knows = { turns: 1, head: input.expectHead, changed: [], roles: [], shown }
    await turn({ ...input, sessionId: 's1', knows })
    expect(turns[0]?.spec.prompt).toContain('a.test.js')
    expect(turns[0]?.spec.sessionId).toBeUndefined()
    expect(turns[0]?.spec.continued).toBeUndefined()
  })

  test('simplified: optional files of the task are left out', async () => {
    const run = await measured()
    await turn(diagnose(run))
    await turn(fixTurn(run, true))
    expect(turns[1]?.spec.prompt).toContain('### fix_strategy')
    expect(turns[1]?.spec.prompt).not.toContain('### previous_failures')
  })

  test('a missing strategy file refuses the turn before an agent starts', async () => {
    const run = await measured()
    await turn(diagnose(run))
    writeFiles(place.recordDir, { '.process/iteration-1-strategy.md': null })
    await expect(turn(fixTurn(run))).rejects.toMatchObject({
      type: 'PreAnalysisFailed',
      nonRetryable: true,
      message: expect.stringMatching(
        /load_fix_strategy.*iteration-1-strategy\.md.*Next: put the file there/,
      ) as string,
    })
    expect(turns).toHaveLength(1)
  })

  test('a turn out of time keeps its task for the convergence turn, which asks for the form', async () => {
    says.outcome = 'timed_out'
    await turn(
      input({
        role: 'code-developer',
        task: 'IMPL-001',
        ask: { about: 'task', task: 'IMPL-001', file: 'IMPL-001.json', simplified: false },
      }),
    )
    expect(existsSync(path.join(place.workspace.cwd, '.ratchet/tasks/IMPL-001.json'))).toBe(true)
    says.outcome = 'completed'
    await turn(
      input({
        turn: 'converge',
        role: 'code-developer',
        task: 'IMPL-001',
        ask: { about: 'converge' },
      }),
    )
    expect(existsSync(path.join(place.workspace.cwd, '.ratchet'))).toBe(false)
  })

  test('tests without a plan get a basic one, written once from the files of the project', async () => {
    writeFiles(place.workspace.root, {
      'src/b.js': '',
      'tests/a.test.js': '',
      'node_modules/x/c.js': '',
      '.gitignore': 'node_modules\n',
    })
    const one = (key: string) =>
      turn(
        input({
          key,
          role: 'code-developer',
          task: 'IMPL-001',
          ask: { about: 'task', task: 'IMPL-001', file: 'IMPL-001.json', simplified: false },
        }),
      )
    await one(`${RUN}/r/1`)
    const plan = text('.process/TEST_ANALYSIS_RESULTS.md')
    expect(plan).toMatch(
      /^# Test analysis \(basic\)\n\n> \*\*Basic\*\*: no agent gave an analysis[^]*- Test command: npm test\n[^]*to test first:\n\n- src\/b\.js\n\n[^]*- src\/a\.js: tests\/a\.test\.js\n/,
    )
    expect(turns[0]?.spec.prompt).toContain(plan.trim())
    writeFiles(place.workspace.root, { 'src/c.js': '' })
    await one(`${RUN}/r/2`)
    expect(text('.process/TEST_ANALYSIS_RESULTS.md')).toBe(plan)
  })

  test('a repair in a session that only has the gate may change tests, as its commit may', async () => {
    await turn(
      input({
        role: 'code-developer',
        task: 'IMPL-001.5',
        ask: {
          about: 'task',
          task: 'IMPL-001.5',
          file: 'IMPL-001.5-review.json',
          simplified: false,
          feedback: 'no assertion',
          repairs: 'test-quality-review',
        },
      }),
    )
    const prompt = turns[0]?.spec.prompt ?? ''
    for (const part of [
      '**Repair the tests**',
      'no assertion',
      'You may add and change test files',
    ])
      expect(prompt).toContain(part)
    expect(prompt).not.toContain('carry out what it asks for')
  })

  test('test-gen gets the plan, the feedback and the files of pre_analysis; its commands are named as not run', async () => {
    writeFiles(place.recordDir, { '.process/TEST_ANALYSIS_RESULTS.md': 'THE PLAN' })
    await turn(
      input({
        role: 'code-developer',
        task: 'IMPL-001',
        ask: {
          about: 'task',
          task: 'IMPL-001',
          file: 'IMPL-001.json',
          simplified: false,
          feedback: 'no assertion',
        },
      }),
    )
    const prompt = turns[0]?.spec.prompt ?? ''
    for (const part of [
      'THE PLAN',
      '## FEEDBACK FROM VALIDATION',
      'no assertion',
      'From src/a.js:\n\n```\nexport const parse = 1\n',
      'Not run, as only Read(…) is: bash(make)',
      '**Agent**: @code-developer',
    ])
      expect(prompt).toContain(part)
  })
})

describe('degraded analysis', () => {
  const degraded = (lastRun: DegradedInput['lastRun'], changes: Partial<DegradedInput> = {}) =>
    inActivity(place.host.degradedAnalysis, {
      ...fixAsk(lastRun),
      run: RUN,
      workspace: place.workspace,
      recordDir: place.recordDir,
      configHash: HASH,
      reason: 'gemini: no JSON',
      history: [],
      at: AT,
      ...changes,
    })

  test('takes the locations of the failures, and says that it is degraded', async () => {
    const run = await measured([
      {
        file: 'tests/a.test.js',
        test: 'parses',
        status: 'failed',
        error: `boom\n at ${place.workspace.cwd}/src/a.js:1:3\n at node_modules/x.js:1:1\n at tests/gone.js:3`,
      },
    ])
    const reading = await degraded(run)
    expect(TurnReading.parse(reading)).toMatchObject({
      kind: 'analysis',
      task: 'IMPL-fix-1',
      points: 1,
      quality: 'degraded',
      affectedFiles: ['tests/a.test.js'],
    })
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      meta: { analysis_quality: 'degraded', created_by: 'ratchet' },
      context: { fix_strategy: { modification_points: ['src/a.js:1'] } },
    })
    expect(json('.process/iteration-1-response.json')).toMatchObject({ status: 'degraded' })
    expect(text('.process/iteration-1-analysis.md')).toContain('> **Degraded**')
    expect(text('.process/iteration-1-cli-output.txt')).toContain('gemini: no JSON')
  })

  test('names no file behind a linked directory', async () => {
    const { cwd } = place.workspace
    const outside = tempDir()
    writeFiles(outside, { 'secret.js': 'code\n' })
    symlinkSync(outside, path.join(cwd, 'linked'))
    const run = await measured([
      {
        file: 'tests/a.test.js',
        test: 'parses',
        status: 'failed',
        error: `boom\n at ${cwd}/linked/secret.js:1:3\n at ${cwd}/src/a.js:1:3`,
      },
    ])
    await degraded(run)
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      context: { fix_strategy: { modification_points: ['src/a.js:1'] } },
    })
  })

  test('takes the fix with which another session repaired the same test', async () => {
    writeFiles(place.project, {
      '.workflow/WFS-test-b/.process/fix-history.json': JSON.stringify({
        entries: [
          {
            iteration: 2,
            task: 'IMPL-fix-2',
            modification_points: ['src/old.js:parse'],
            root_causes: ['cut'],
            failures: [{ test: 'parses', file: 'tests/a.test.js', error: 'boom' }],
            pass_rate_before: 50,
            pass_rate_after: 100,
            result: 'kept',
          },
        ],
      }),
    })
    await degraded(await measured())
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      context: {
        fix_strategy: {
          modification_points: ['src/old.js:parse'],
          root_causes: ['cut'],
          approach: expect.stringContaining('IMPL-fix-2 of WFS-test-b') as string,
        },
      },
    })
  })

  test('a suite that did not start: takes the locations in its error', async () => {
    await degraded(NOT_STARTED)
    expect(json('.task/IMPL-fix-1.json')).toMatchObject({
      context: {
        fix_strategy: { modification_points: ['src/a.js:1'], expected_outcome: 'The suite starts' },
      },
    })
  })
})
