// The runs to strike, one for each mode, and what must be the same after any blow.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RunHandle, RunResult } from '../../src/client/index.js'
import { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import { cd, ep, ra, step as turnOf, vas } from '../support/cycle/cycle-play.js'
import { CYCLE_ROLES } from '../../src/contract/dev-cycle/cycle-state.js'
import { comparedState } from '../support/loop/compared-state.js'
import { asks, debug, develop, step, validate, workers } from '../support/loop/loop-play.js'
import { DRAFT, drafts, QUESTION } from '../support/prep/prep-play.js'
import { sessionOfAnotherTool } from '../support/runs/planned-session.js'
import { FILES as UNTESTED, GOOD, PLANS, REVIEWS, writes } from '../support/runs/tests-first.js'
import { writeFiles } from '../support/repositories/repos.js'
import {
  ANALYSE,
  CALCULATOR,
  endState,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Marker,
  type RunUser,
  type Step,
} from '../support/runs/real-run.js'
import type { Mode } from './plan.js'

type Actions = Step['do']

const WRONG = {
  write: {
    path: 'calc.py',
    text: 'def add(a, b):\n    return 7\n\n\ndef mul(a, b):\n    return 7\n',
  },
}
const WRONG_ADD = { patch: { path: 'calc.py', find: 'a - b', replace: 'b - a' } }
const MORE_TESTS = {
  write: {
    path: 'tests/test_more.py',
    text: 'from calc import add\n\n\ndef test_more():\n    assert add(2, 2) == 4\n',
  },
}

/**
 * What the agents of each mode do. Of a fix the first iteration is rolled back; a cycle has two,
 * with feedback.
 */
const STEPS: Record<Mode, Step[]> = {
  fix: [
    ANALYSE,
    { when: { role: 'test-fix-agent', iteration: 1 }, do: [WRONG] },
    { when: { role: 'test-fix-agent', iteration: 2 }, do: [RIGHT_ADD] },
    { when: { role: 'test-fix-agent', iteration: 3 }, do: [RIGHT_MUL] },
  ],
  cycle: [
    turnOf(CYCLE_ROLES.cd, { iteration: 1, turn: 'work' }, cd([RIGHT_ADD], { status: 'partial' })),
    turnOf(CYCLE_ROLES.vas, { iteration: 1, turn: 'validate' }, vas(66.6)),
    turnOf(CYCLE_ROLES.cd, { iteration: 2, turn: 'work' }, cd([RIGHT_MUL])),
    turnOf(CYCLE_ROLES.vas, {}, vas(100)),
    turnOf(CYCLE_ROLES.ra, {}, ra()),
    turnOf(CYCLE_ROLES.ep, {}, ep()),
    turnOf(CYCLE_ROLES.cd, {}, cd([])),
  ],
  auto: [
    step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
    step('develop', {}, develop([RIGHT_MUL])),
    ...workers([]),
  ],
  parallel: [
    step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL])),
    step('debug', {}, debug({}, [WRONG_ADD])),
    step('validate', {}, validate({}, [MORE_TESTS])),
    ...workers([]),
  ],
  interactive: [
    step('develop', { task: 'T1', turn: 'work' }, [
      RIGHT_ADD,
      asks('Which sign? | Options: [plus, minus] | Recommended: [plus]'),
    ]),
    step('develop', { turn: 'clarify' }, develop([])),
    step('develop', {}, develop([RIGHT_MUL])),
    ...workers([]),
  ],
  approved: [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }],
  prep: [drafts(DRAFT, { turn: 'clarify' }), drafts({ ...DRAFT, questions: [QUESTION] })],
  generated: [PLANS, writes(GOOD), REVIEWS],
  planned: [{ do: [RIGHT_ADD, RIGHT_MUL] }],
}

/** What a person answers, by question. */
export const ANSWERS: Record<Mode, Readonly<Record<string, string>>> = {
  fix: {},
  cycle: {},
  auto: {},
  parallel: { 'conflict-1-1': 'develop' },
  interactive: {
    'menu-1': 'develop',
    'clarify-2-1-Q1': 'plus',
    'menu-2': 'develop',
    'menu-3': 'validate',
    'menu-4': 'complete',
  },
  approved: { 'approve-IMPL-fix-1': 'approve' },
  prep: { Q1: 'yes' },
  generated: {},
  planned: {},
}

/** The question that a case of `while it asks` waits for. */
export const ASKED: Partial<Record<Mode, string>> = {
  parallel: 'conflict-1-1',
  interactive: 'menu-2',
  approved: 'approve-IMPL-fix-1',
  prep: 'Q1',
}

// The nth test run waits if a file says so; each writes a line at its begin and its end.
const CONFTEST = `import os, time
place = os.environ.get('RATCHET_FAULT_POINTS', '')


def note(what):
    with open(place + '/tests.log', 'a') as lines:
        lines.write(what + ' ' + str(os.getpid()) + '\\n')


def pytest_sessionstart(session):
    if not place:
        return
    note('begin')
    nth = open(place + '/tests.log').read().count('begin')
    while os.path.exists(place + '/hold-tests-' + str(nth)) and not os.path.exists(place + '/tests.go'):
        time.sleep(0.02)


def pytest_sessionfinish(session):
    if place:
        note('end')
`

/** Where a preparation writes, and what is there before. */
const PACKAGE = '.workflow/.cycle/prep-package.json'
const OLD_PACKAGE = '{"version": "0.9.0"}\n'

export type Struck = {
  mode: Mode
  project: string
  /** The workflow's, where the run is started by it. */
  id: string
  start: () => Promise<RunHandle>
  /** The next run: of a fix the same session, of the others another one. */
  next: () => Promise<RunHandle>
}

/**
 * A project whose agents follow a mode; its `nth` turn, from 1, waits half-way for a file `turn.go`
 * among its points.
 */
export function projectOf(user: RunUser, mode: Mode, name: string, held?: number): Struck {
  const place = path.join(user.root, 'points', name)
  const project = makeProject(
    user,
    name,
    held === undefined
      ? STEPS[mode]
      : STEPS[mode].map((one) => ({ ...one, do: inTheMiddle(one.do, place, held) })),
    {
      limits: { agentsPerHost: 16 },
      permissions: 'ask',
      ...(mode === 'planned' ? { archive: 'ended' } : {}),
    },
    { ...(mode === 'generated' ? UNTESTED : CALCULATOR), 'conftest.py': CONFTEST },
  )
  mkdirSync(place, { recursive: true })
  if (mode === 'prep') writeFiles(project, { [PACKAGE]: OLD_PACKAGE })
  if (mode === 'planned') sessionOfAnotherTool(project, `WFS-test-${name}`)
  const task = 'Make the calculator right'
  const id = idOf(user, mode, name)
  const started = (as: string) =>
    isFix(mode)
      ? user.fix(project, `WFS-test-${name}`, INPUT[mode])
      : mode === 'cycle'
        ? user.cycle(project, as, { task })
        : mode === 'prep'
          ? user.prep(project, as)
          : user.loop(project, as, { task, mode })
  return { mode, project, id, start: () => started(id), next: () => started(`${id}-next`) }
}

type FixMode = 'fix' | 'approved' | 'generated' | 'planned'

/** What a fix of each mode is started with. */
const INPUT: Record<FixMode, Record<string, unknown>> = {
  fix: {},
  approved: { interactive: true },
  generated: { testsFor: { text: 'the parser' } },
  planned: {},
}

const isFix = (mode: Mode): mode is FixMode => mode in INPUT

/** Id of a run, by user: a run ends each process of this machine that carries its id. */
export function idOf({ root }: Pick<RunUser, 'root'>, mode: Mode, name: string): string {
  return `${mode === 'cycle' ? 'cycle-v1' : mode === 'prep' ? 'prep' : 'loop-b'}-20260122T100000-${path.basename(root).split('-').at(-1) ?? ''}-${name}`
}

// The agents count turns: each notes its start, and the nth waits.
function inTheMiddle(actions: Actions, place: string, nth: number): Actions {
  const script = `n=$(mktemp -u "${place}/turn-XXXXXX"); : > "$n"; [ "$(ls "${place}" | grep -c '^turn-')" -eq ${nth} ] && [ ! -e "${place}/turn.go" ] && : > "${place}/turn.reached"; while [ -e "${place}/turn.reached" ] && [ ! -e "${place}/turn.go" ]; do sleep 0.05; done`
  return [...actions.slice(0, 1), { run: ['sh', '-c', script] }, ...actions.slice(1)]
}

const promptsOf = (user: RunUser, project: string) =>
  markers(user, path.basename(project)) as (Marker & { session: string })[]
const turnName = ({ role, iteration, turn, task }: Marker): string =>
  [iteration, role, turn, task ?? '-'].join(' ')

/**
 * What must be the same after any blow: outcome, tree, commits, record, and the bought turns.
 */
export function endOf(
  user: RunUser,
  { mode, project, id }: Struck,
  result: RunResult,
): Record<string, unknown> {
  const all = promptsOf(user, project)
  const bought = all
    .filter((one) => before(one, all) === undefined)
    .map(turnName)
    .sort()
  if (mode === 'prep') return { ...packagesOf(project, result), bought }
  const end = endState(project, result)
  const subjects = String(end['subjects'])
    .replaceAll(id, '<run>')
    .replaceAll(path.basename(project), '<name>')
  if (mode === 'planned') return { ...end, subjects, bought, archive: archiveOf(project) }
  if (isFix(mode) || mode === 'cycle') return { ...end, subjects, bought }
  const record = LoopRecord.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.loop', `${id}.json`), 'utf8')),
  )
  return {
    ...end,
    subjects,
    bought,
    status: record.status,
    state: comparedState(record.skill_state),
  }
}

/** The files of the archive, and the entry of its manifest, without times. */
function archiveOf(project: string): unknown {
  const archive = path.join(project, '.workflow/archives')
  const [entry] = JSON.parse(readFileSync(path.join(archive, 'manifest.json'), 'utf8')) as [
    Record<string, unknown>,
  ]
  const { title, status, tags, lessons, follow_ups } = entry
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' }).sort()
  const text = JSON.stringify({ title, status, tags, lessons, follow_ups, files })
  return JSON.parse(text.replaceAll(path.basename(project), '<name>')) as unknown
}

/** The package of a preparation, and the copy of the one before it. */
function packagesOf(project: string, result: RunResult): Record<string, unknown> {
  const { outcome, status, package: made } = result
  const text = readFileSync(path.join(project, PACKAGE), 'utf8')
  return {
    outcome,
    status,
    score: made?.quality_score,
    before: readFileSync(made?.earlier ?? '', 'utf8'),
    copies: readdirSync(result.recordDir ?? '').length,
    package: text.replaceAll(project, '<project>').replace(/"generated_at": ".*"/, ''),
  }
}

/**
 * Turns retried in another session, whose work was paid for twice.
 */
export function elsewhere(user: RunUser, project: string): string[] {
  const all = promptsOf(user, project)
  return all
    .filter((one) => (before(one, all)?.session ?? one.session) !== one.session)
    .map((one) => `${turnName(one)} attempt ${one.attempt}`)
}

/**
 * The prompt of the last attempt of a turn before this one. An attempt may have ended before there
 * was a prompt.
 */
function before<T extends Marker>(one: T, all: readonly T[]): T | undefined {
  const earlier = all.filter(
    (other) => turnName(other) === turnName(one) && other.attempt < one.attempt,
  )
  return earlier.sort((a, b) => b.attempt - a.attempt)[0]
}

/** Points passed by a traced run. */
export function traced(user: RunUser, project: string): Record<string, number> {
  const file = path.join(user.pointsOf(project), 'trace')
  const counts: Record<string, number> = {}
  for (const point of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
    counts[point] = (counts[point] ?? 0) + 1
  return counts
}

/** Begins to trace the points that a run passes. */
export function trace(user: RunUser, project: string): void {
  mkdirSync(user.pointsOf(project), { recursive: true })
  writeFileSync(path.join(user.pointsOf(project), 'trace'), '')
}
