// A dev cycle of two iterations with every kind of step: four agents at once, two commits and two
// validations in the first iteration. Each agent can be held half-way.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectKey } from '../../../src/adapters/state-dir.js'
import type { RunResult } from '../../../src/client/index.js'
import { CYCLE_ROLES } from '../../../src/contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../../src/contract/dev-cycle/discovery.js'
import { cd, ep, ra, step, vas } from './cycle-play.js'
import {
  endState,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Marker,
  type RunUser,
  type Step,
} from '../runs/real-run.js'
import { waitFor } from '../wait.js'

type Actions = Step['do']
export type CycleMarker = Marker & { session: string }

/** Turns that can be held, as `phase iteration turn`. */
export type HeldTurn = `${Phase} ${1 | 2} work` | 'vas 1 validate'
/** Who works in an iteration. */
const workers = (iteration: number): readonly Phase[] => (iteration === 1 ? PHASES : ['cd', 'vas'])
/** The running agents: all four in the first iteration, in the second those with work. */
export const allAtWork = (iteration: 1 | 2): HeldTurn[] =>
  workers(iteration).map((phase) => `${phase} ${iteration} work` as const)

/** Does half of it, reports that, then waits for its gate to open. */
const held = (actions: Actions, gate: string): Actions => [
  ...actions.slice(0, 2),
  { run: ['touch', reachedAt(gate)] },
  { wait: { 'until-file': gate } },
  ...actions.slice(2),
]
const reachedAt = (gate: string): string => `${gate}.reached`
const MORE_TESTS = {
  write: {
    path: 'tests/test_more.py',
    text: 'from calc import add\n\n\ndef test_more():\n    assert add(2, 2) == 4\n',
  },
}

/**
 * Steps of all agents. Two of three tests pass after the first work, and feedback adds a passing
 * one; the second iteration repairs the rest.
 *
 * @param gateOf file that a turn waits for
 */
function cycleSteps(gateOf: (turn: HeldTurn) => string, turns: readonly HeldTurn[] = []): Step[] {
  const of = (phase: Phase, when: Record<string, unknown>, actions: Actions): Step => {
    const turn = `${phase} ${String(when['iteration'])} ${String(when['turn'])}` as HeldTurn
    return step(
      CYCLE_ROLES[phase],
      when,
      turns.includes(turn) ? held(actions, gateOf(turn)) : actions,
    )
  }
  return [
    of('cd', { iteration: 1, turn: 'work' }, cd([RIGHT_ADD], { status: 'partial' })),
    of('cd', { iteration: 1, turn: 'feedback' }, cd([MORE_TESTS], { status: 'partial' })),
    of('cd', { iteration: 2, turn: 'work' }, cd([RIGHT_MUL])),
    of('vas', { iteration: 1, turn: 'validate', nth: 1 }, vas(66.6)),
    of('vas', { iteration: 1, turn: 'validate' }, vas(75)),
    ...([1, 2] as const).flatMap((iteration) => [
      of('ra', { iteration, turn: 'work' }, ra()),
      of('ep', { iteration, turn: 'work' }, ep()),
      of('vas', { iteration, turn: 'work' }, vas(iteration === 1 ? 33.3 : 75)),
    ]),
    of('vas', {}, vas(100)),
    of('ra', {}, ra()),
    of('ep', {}, ep()),
    of('cd', {}, cd([])),
  ]
}

/**
 * Turns of an undisturbed cycle, as `iteration role turn`, sorted, as concurrent agents begin in
 * any order.
 */
export const CYCLE_TURNS: readonly string[] = [
  ...[1, 2].flatMap((iteration) =>
    workers(iteration).map((phase) => `${iteration} ${CYCLE_ROLES[phase]} work`),
  ),
  '1 validation-archivist validate',
  '1 validation-archivist validate',
  '1 code-developer feedback',
  '2 validation-archivist validate',
].sort()

export type CycleProject = {
  project: string
  id: string
  /** Waits until all of these turns are at their gates. */
  reached: (turns: readonly HeldTurn[]) => Promise<unknown>
  open: (turns: readonly HeldTurn[]) => void
}

/** A project whose agents follow these steps. */
export function cycleProject(
  user: RunUser,
  name: string,
  turns: readonly HeldTurn[] = [],
  more: readonly Step[] = [],
): CycleProject {
  const gateOf = (turn: HeldTurn): string =>
    path.join(user.root, `${name}-${turn.replaceAll(' ', '-')}.go`)
  const project = makeProject(user, name, [...more, ...cycleSteps(gateOf, turns)], {
    limits: { agentsPerHost: 16 },
    permissions: 'ask',
  })
  return {
    project,
    id: `cycle-v1-20260122T100000-${name}`,
    reached: (waited) =>
      waitFor(() => waited.every((turn) => existsSync(reachedAt(gateOf(turn)))), {
        what: `${waited.join(', ')} of ${name}`,
        timeoutMs: 120_000,
      }),
    open: (opened) => opened.forEach((turn) => writeFileSync(gateOf(turn), '')),
  }
}

/** Prompts of the agents of a project. */
export function prompts(user: RunUser, project: string): CycleMarker[] {
  return markers(user, path.basename(project))
}

/** First attempts of turns as `iteration role turn`, sorted. */
export function bought(user: RunUser, project: string): string[] {
  return prompts(user, project)
    .filter(({ attempt }) => attempt === 1)
    .map(turnOf)
    .sort()
}

/**
 * Later attempts, sorted, with the session that each continues: a turn that is not bought twice
 * continues its own.
 */
export function resumed(user: RunUser, project: string): string[] {
  const all = prompts(user, project)
  return all
    .filter(({ attempt }) => attempt > 1)
    .map((marker) => {
      const own = all.some(
        (one) =>
          turnOf(one) === turnOf(marker) &&
          one.attempt === marker.attempt - 1 &&
          one.session === marker.session,
      )
      return `${turnOf(marker)} attempt ${marker.attempt} in ${own ? 'its session' : 'another session'}`
    })
    .sort()
}

/** What `resumed` returns if each of these turns was resumed once. */
export function resumedOnce(turns: readonly HeldTurn[]): string[] {
  return turns
    .map((held) => {
      const [phase, iteration, turn] = held.split(' ')
      return `${iteration} ${CYCLE_ROLES[phase as Phase]} ${turn} attempt 2 in its session`
    })
    .sort()
}

function turnOf({ role, iteration, turn }: Marker): string {
  return `${iteration} ${role} ${turn}`
}

/** `endState` of a cycle, without its id. */
export function cycleEnd(
  { project, id }: CycleProject,
  result: RunResult,
): Record<string, unknown> {
  const end = endState(project, result)
  return { ...end, subjects: String(end['subjects']).replaceAll(id, '<run>') }
}

/**
 * Files of a cycle's record as text that must be the same after any kill: without times, ids, names
 * and costs.
 */
export function cycleRecord(
  user: RunUser,
  { project, id }: CycleProject,
  result: RunResult,
): Record<string, string> {
  const dir = path.join(project, '.workflow/.cycle')
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
  const known = [
    [result.id, '<run>'],
    [id, '<run>'],
    [projectKey(project), '<key>'],
    [projectKey(project).slice(0, 6), '<key>'],
    [project, '<project>'],
    [user.root, '<root>'],
  ] as const
  const plain = (text: string): string =>
    known
      .reduce((all, [one, as]) => all.replaceAll(one, as), text)
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/\b[0-9a-f]{7,64}\b/g, '<digest>')
      .replaceAll(/\b1\d{12}\b/g, '<time>')
      .replaceAll(/"from": "(command|project)"/g, '"from": "…"') // a resume from the CLI changes it
      .replaceAll(/"(inputTokens|outputTokens|durationMs|agentMs|bytes)": ?\d+/g, '"$1": 0')
      .replaceAll(/\d[\d.,]* (ms|s|min|tokens?)\b/g, '<cost>')
      .replaceAll(/<cost> in( \(\d+ cached\))?, \d+ out\b/g, '<cost>')
      // Concurrent agents end in any order.
      .replaceAll(
        /"completed_phases": \[([^\]]*)\]/g,
        (_, phases: string) =>
          `"completed_phases": [${phases
            .split(',')
            .map((one) => one.trim())
            .sort()
            .join()}]`,
      )
  // Concurrent agents append in any order.
  const sorted = (name: string, text: string): string =>
    /\.(ndjson|log)$/.test(name) ? text.split('\n').sort().join('\n') : text
  // The notes hold digests only.
  return Object.fromEntries(
    names
      .filter((name) => !/\.(written|taken)\.json$/.test(name))
      .map(
        (name) =>
          [plain(name), sorted(name, plain(readFileSync(path.join(dir, name), 'utf8')))] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
