// From the command line: a dev cycle with four of the real programs as agents, a dev loop with the
// fifth, and a preparation.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { findMarked } from '../../src/adapters/process/find.js'
import { CYCLE_ROLES } from '../../src/contract/dev-cycle/cycle-state.js'
import { LOOP_ROLES } from '../../src/contract/dev-loop/loop-input.js'
import { MARKERS } from '../../src/contract/names.js'
import type { RunResult } from '../../src/contract/result.js'
import type { TurnHeader } from '../../src/contract/turn.js'
import { cd, ep, ra, vas } from '../support/cycle/cycle-play.js'
import { complete, develop, init, TASKS, validate } from '../support/loop/loop-play.js'
import { DRAFT } from '../support/prep/prep-play.js'
import type { Step as Played } from '../support/runs/real-run.js'
import { filesIn } from '../support/repositories/repos.js'
import {
  asModel,
  byPrompt,
  commandLine,
  REPAIR,
  REPAIRED,
  type CommandLine,
} from './command-line.js'

let line: CommandLine
beforeAll(async () => {
  line = await commandLine()
})
afterAll(() => line.close())

/** Scripts the answer of the model to every prompt of a role, after `work` in its first turn. */
function scripts(
  role: string,
  actions: Played['do'],
  work: (header: TurnHeader) => typeof REPAIR = () => [],
): void {
  line.stub.script(
    role,
    byPrompt((header, done) => [...(done === 0 ? work(header) : []), ...asModel(actions, header)]),
  )
}

test(
  'issue "Any coding agent": one cycle on four programs at once; each writes its documents, the code is repaired and committed',
  { timeout: 240_000 },
  async () => {
    scripts(CYCLE_ROLES.ra, ra())
    scripts(CYCLE_ROLES.ep, ep())
    scripts(CYCLE_ROLES.cd, cd([]), () => REPAIR)
    scripts(CYCLE_ROLES.vas, vas(100))
    const roles = {
      [CYCLE_ROLES.ra]: 'gemini',
      [CYCLE_ROLES.ep]: 'qwen',
      [CYCLE_ROLES.cd]: 'claude',
      [CYCLE_ROLES.vas]: 'codex',
    }
    const project = line.user.project('cycle', undefined, { roles, limits: { agentsPerHost: 4 } })
    const { exitCode, document, stderr } = await line.user.json<RunResult>(
      project,
      'cycle',
      'make the calculator right',
    )
    expect({ ...document, stderr }).toMatchObject({
      outcome: 'completed',
      passRate: 100,
      reason: null,
      usage: { estimated: false },
    })
    expect(exitCode).toBe(0)
    expect(filesIn(project, document.branch ?? '')['calc.py']).toBe(REPAIRED)
    const documents = [
      'ra/requirements.md',
      'ep/plan.json',
      'cd/implementation.md',
      'vas/validation.md',
    ]
    expect(
      documents.filter(
        (file) =>
          !existsSync(path.join(project, '.workflow/.cycle', `${document.id}.progress`, file)),
      ),
    ).toEqual([])
    expect(
      new Set(
        line.stub.seen.map(({ path: wire }) =>
          wire.replace(/[?:].*/, '').replace(/models\/.*/, 'models'),
        ),
      ),
    ).toEqual(new Set(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1beta/models']))
    expect(findMarked(MARKERS.run, document.id)).toEqual([])
  },
)

test(
  'issue "Any coding agent": one loop on opencode, up to its suggested commit',
  { timeout: 240_000 },
  async () => {
    scripts(LOOP_ROLES.init, init(TASKS.slice(0, 1)))
    scripts(LOOP_ROLES.develop, develop([]), () => REPAIR)
    scripts(LOOP_ROLES.validate, validate())
    scripts(LOOP_ROLES.complete, complete())
    const project = line.user.project('loop', undefined, { roles: { default: 'opencode' } })
    const { exitCode, document, stderr } = await line.user.json<RunResult>(
      project,
      'loop',
      'make the calculator right',
      '--mode',
      'auto',
    )
    expect({ ...document, stderr }).toMatchObject({
      outcome: 'completed',
      passRate: 100,
      reason: null,
      suggestion: { message: 'Fix the calculator' },
      usage: { estimated: false },
    })
    expect(exitCode).toBe(0)
    expect(filesIn(project, document.branch ?? '')['calc.py']).toBe(REPAIRED)
    expect(findMarked(MARKERS.run, document.id)).toEqual([])
  },
)

test(
  'one preparation on codex: it reads the project, and its draft is the package',
  { timeout: 240_000 },
  async () => {
    const said = `\`\`\`json\n${JSON.stringify(DRAFT)}\n\`\`\`\n`
    line.stub.script(
      CYCLE_ROLES.ra,
      byPrompt(() => [{ read: 'calc.py' }, { say: said }]),
    )
    const project = line.user.project('prep', undefined, { roles: { default: 'codex' } })
    const { exitCode, document, stderr } = await line.user.json<RunResult>(
      project,
      'prep',
      'cycle',
      'make the calculator right',
      '--auto',
    )
    expect({ ...document, stderr }).toMatchObject({
      kind: 'prep',
      outcome: 'ready',
      package: { prep_status: 'ready', quality_score: 9 },
      usage: { turns: 1, estimated: false },
    })
    expect(exitCode).toBe(0)
    expect(existsSync(path.join(project, '.workflow/.cycle/prep-package.json'))).toBe(true)
    expect(findMarked(MARKERS.run, document.id)).toEqual([])
  },
)
