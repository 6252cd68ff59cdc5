// Whole runs from the command line with the real programs as agents: the built `ratchet`, its own
// server and workers, git and pytest. Only the model is a stub.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import path from 'node:path'
import { findMarked } from '../../src/adapters/process/find.js'
import { installedComponents } from '../../src/adapters/sandbox/find-component.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { MARKERS } from '../../src/contract/names.js'
import { KNOWN_AGENTS } from '../../src/contract/known-agents.js'
import { RunResult } from '../../src/contract/result.js'
import { CALL_TOKENS } from '../support/model-stub/conversation.js'
import type { Step } from '../support/model-stub/stub.js'
import { analysis, CALCULATOR } from '../support/runs/real-run.js'
import { filesIn, filesOf, runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'
import { AGENTS } from './chosen.js'
import { byPrompt, commandLine, REPAIR, REPAIRED, type CommandLine } from './command-line.js'
import { headersIn } from './rig.js'

const OWN = ['.workflow', '.git', '__pycache__', '.pytest_cache']
/** A repeated last edit would be visible. */
const WORK: Step[] = [
  ...REPAIR,
  { read: 'CHANGES.md' },
  { edit: 'CHANGES.md', find: '# Changes', replace: '# Changes\n- the operators are right' },
]
/** A script whose first attempt at the fix does not end. */
const HELD = 'killed-'

let line: CommandLine
beforeAll(async () => {
  line = await commandLine()
  line.stub.script('cli-planning-agent', [
    { say: analysis(['calc.py:add:1-2', 'calc.py:mul:5-6'], ['tests/test_calc.py']) },
  ])
  line.stub.script(
    'test-fix-agent',
    byPrompt(({ attempt, paths }, done) => {
      const held = attempt === 1 && path.basename(paths.project).startsWith(HELD)
      return [...WORK.slice(done), held ? { slowS: 300 } : { say: 'Both operators are right now.' }]
    }),
  )
})
afterAll(() => line.close())

const projectOf = (name: string, agent: string, config: object = {}): string =>
  line.user.project(
    name,
    undefined,
    { roles: { default: agent }, ...config },
    { ...CALCULATOR, 'CHANGES.md': '# Changes\n' },
  )

/** What every run must leave behind, interrupted or not. */
function expectFixed(
  project: string,
  before: Record<string, string>,
  { id, branch, commits }: RunResult,
): void {
  expect(filesIn(project, branch ?? '')).toMatchObject({
    'calc.py': REPAIRED,
    'CHANGES.md': '# Changes\n- the operators are right\n',
  })
  expect(commits).toHaveLength(1)
  expect(
    runGit(project, 'diff', '--name-only', `${branch}~1`, branch ?? '')
      .trim()
      .split('\n'),
  ).toEqual(['CHANGES.md', 'calc.py'])
  expect(filesOf(project, OWN)).toEqual(before)
  expect(findMarked(MARKERS.run, id)).toEqual([])
}

describe.concurrent(
  'issue "Any coding agent": a whole fix from the command line',
  { timeout: 240_000 },
  () => {
    test.each(AGENTS)(
      '%s repairs the code under test, its work is committed and its usage counted',
      async (name) => {
        const project = projectOf(name, name)
        const before = filesOf(project, OWN)
        const { exitCode, document, stderr } = await line.user.json<RunResult>(project, 'fix')
        expect(stderr).toContain('iteration 1  33.3 % → 100.0 %  kept')
        expect(document).toMatchObject({
          outcome: 'success',
          iterations: 1,
          passRate: 100,
          reason: null,
          usage: { turns: 2, estimated: false },
        })
        expect(exitCode).toBe(0)
        expectFixed(project, before, document)
        // One call for the analysis, one for each step of the fix and one for its end; opencode
        // counts the last one of a turn.
        const calls = name === 'opencode' ? 2 : WORK.length + 2
        expect(document.usage).toMatchObject({
          inputTokens: calls * CALL_TOKENS.input,
          outputTokens: calls * CALL_TOKENS.output,
        })
        expect(document.usage.costUsd !== undefined).toBe(KNOWN_AGENTS[name].reports.cost)
      },
    )

    // The model stub is a service of this machine.
    test
      .runIf(installedComponents(process.env).some(({ component }) => component === 'bwrap'))
      .each(AGENTS)('%s does the same in a sandbox', async (name) => {
      const network = [`localhost:${new URL(line.stub.url).port}`]
      const project = projectOf(`enclosed-${name}`, name, { sandbox: { use: 'bwrap', network } })
      const before = filesOf(project, OWN)
      const { exitCode, document } = await line.user.json<RunResult>(project, 'fix', '--trust')
      expect(document).toMatchObject({ outcome: 'success', iterations: 1, usage: { turns: 2 } })
      expect(exitCode).toBe(0)
      expectFixed(project, before, document)
    })

    test.each((['claude', 'codex'] as const).filter((name) => AGENTS.includes(name)))(
      '%s, its worker killed in mid-turn: the run continues the session and makes no edit twice',
      async (name) => {
        const project = projectOf(`${HELD}${name}`, name)
        const before = filesOf(project, OWN)
        const run = line.user.start(project, 'fix', '--json')
        const held = () =>
          line.stub
            .calls('test-fix-agent')
            .filter(
              ({ asked, step }) =>
                step !== undefined &&
                'slowS' in step &&
                asked.turns.flatMap(headersIn).some(({ paths }) => paths.project === project),
            )
        await waitFor(() => held().length > 0, { what: 'the end of the edits', timeoutMs: 120_000 })
        process.kill(await workerOf(project), 'SIGKILL')
        const { stdout, exitCode } = await run.ended
        const result = RunResult.parse(JSON.parse(stdout))
        expect(result).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
        expect(exitCode).toBe(0)
        expectFixed(project, before, result)
        expect(held()).toHaveLength(1)
      },
    )
  },
)

async function workerOf(project: string): Promise<number> {
  const { document } = await line.user.json<{ workers: { pid: number; queue: string }[] }>(
    project,
    'status',
  )
  const worker = document.workers.find(({ queue }) => queue.endsWith(projectKey(project)))
  if (worker === undefined) throw new Error(`${project} has no worker`)
  return worker.pid
}
