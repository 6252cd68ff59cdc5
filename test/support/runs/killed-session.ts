// A session with these turns: a plan, test generation, two gates, an analysis with its retry, a
// fix. Each turn can be held half-way.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { localStatus } from '../../../src/dev-server/index.js'
import { projectKey } from '../../../src/adapters/state-dir.js'
import type { RunResult } from '../../../src/client/index.js'
import {
  analysis,
  CALCULATOR,
  makeProject,
  markers,
  type Marker,
  type RealUser,
  type RunUser,
  type Step,
} from './real-run.js'
import { writeFiles, type Files } from '../repositories/repos.js'
import { plannedTask } from './sessions.js'
import { waitFor } from '../wait.js'

/** The turns in their order, as `role task turn`. */
export const TURNS = [
  'cli-planning-agent IMPL-001 work', // the plan
  'code-developer IMPL-001 work',
  'test-fix-agent IMPL-001.3 work',
  'test-fix-agent IMPL-001.5 work',
  'cli-planning-agent - work', // the analysis: a report without its JSON
  'cli-planning-agent - retry',
  'test-fix-agent IMPL-fix-1 work',
] as const
export type Turn = (typeof TURNS)[number]

const RIGHT_CODE = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n'
// With these, 41 of 43 tests pass.
const MORE_TESTS =
  'import pytest\n\n\n@pytest.mark.parametrize("n", range(40))\ndef test_more(n):\n    assert n < 40\n'
// Waits in the test runs of the repaired code until its number is allowed; does not wait without
// its directory.
const CONFTEST = `import os, time
place = os.environ.get('RATCHET_FAULT_POINTS', '')
if os.path.exists(place + '/hold-tests') and 'a * b' in open('calc.py').read():
    with open(place + '/held-tests', 'a') as lines:
        lines.write(str(os.getpid()) + '\\n')
    number = open(place + '/held-tests').read().count('\\n')
    while not os.path.exists(place + '/test-' + str(number)):
        time.sleep(0.05)
`
export const FILES: Files = { ...CALCULATOR, 'conftest.py': CONFTEST }
const REPORT = `## Root Cause Analysis\n\n${'The functions of calc.py use operators that do not fit their names, and nothing else in the project is wrong. '.repeat(7)}`
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`
const NO_ISSUES = json({
  critical: 0,
  error: 0,
  warning: 0,
  coverage: null,
  anti_patterns: [],
  issues: [],
})

const SAID = [
  '\\[playbook\\] scripted agent: nothing here was written by a model\\.',
  'I am looking.',
  'I am reading.',
  'Once more.',
] as const
const DO: Record<Turn, [half: Step['do'][number], rest: Step['do'][number]]> = {
  'cli-planning-agent IMPL-001 work': [{ say: `${SAID[1]}\n\n` }, { say: REPORT }],
  'cli-planning-agent - work': [{ say: `${SAID[1]}\n\n` }, { say: REPORT }],
  'code-developer IMPL-001 work': [
    { write: { path: 'tests/test_more.py', text: 'def test_half():\n    pass\n' } },
    { write: { path: 'tests/test_more.py', text: MORE_TESTS } },
  ],
  'test-fix-agent IMPL-001.3 work': [{ say: `${SAID[2]}\n\n` }, { say: NO_ISSUES }],
  'test-fix-agent IMPL-001.5 work': [{ say: `${SAID[2]}\n\n` }, { say: NO_ISSUES }],
  'cli-planning-agent - retry': [
    { say: `${SAID[3]}\n\n` },
    {
      say: `${REPORT}\n\n${analysis(['calc.py:add:1-2', 'calc.py:mul:5-6'], ['tests/test_calc.py'])}`,
    },
  ],
  'test-fix-agent IMPL-fix-1 work': [
    { write: { path: 'calc.py', text: RIGHT_CODE.replace('a * b', 'a + b') } },
    { write: { path: 'calc.py', text: RIGHT_CODE } },
  ],
}

/** `forever`: its first attempt never ends. A file: it waits for that. */
export type Held = Partial<Record<Turn, 'forever' | { file: string }>>

/** Steps for every turn. */
export function steps(held: Held = {}): Step[] {
  // Steps with a task first: a step without one matches all.
  return (Object.keys(DO) as Turn[]).flatMap((turn) => {
    const [role = '', task = '-', kind = ''] = turn.split(' ')
    const when = { role, turn: kind, ...(task === '-' ? {} : { task }) }
    const [half, rest] = DO[turn]
    const how = held[turn]
    if (how === undefined) return [{ when, do: [half, rest] }]
    if (how === 'forever')
      return [
        { when: { ...when, attempt: 1 }, do: [half, { wait: 'forever' }] },
        { when, do: [half, rest] },
      ]
    return [{ when, do: [half, { wait: { 'until-file': how.file } }, rest] }]
  })
}

/** A project with a planned session: IMPL-001, two gates, IMPL-002. */
export function plannedProject(user: RunUser, name: string, script: Step[]): string {
  const project = makeProject(user, name, script, { limits: { agentsPerHost: 12 } }, FILES)
  const task = (id: string, type: string, agent: string, after?: string) => ({
    [`.task/${id}.json`]: plannedTask(id, type, agent, {
      context: { depends_on: after === undefined ? [] : [after] },
    }),
  })
  writeFiles(project, { '.workflow/.gitignore': '*\n' })
  writeFiles(recordOf(project), {
    'workflow-session.json': JSON.stringify({
      session_id: path.basename(recordOf(project)),
      workflow_type: 'test_session',
      status: 'planning',
      created_at: '2026-11-20T10:00:00+08:00',
    }),
    ...task('IMPL-001', 'test-gen', '@code-developer'),
    ...task('IMPL-001.3', 'code-validation', '@test-fix-agent', 'IMPL-001'),
    ...task('IMPL-001.5', 'test-quality-review', '@test-fix-agent', 'IMPL-001.3'),
    ...task('IMPL-002', 'test-fix', '@test-fix-agent', 'IMPL-001.5'),
  })
  return project
}

export function sessionName(project: string): string {
  return `WFS-test-${path.basename(project)}`
}

export function recordOf(project: string): string {
  return path.join(project, '.workflow', sessionName(project))
}

/** Turns of the agents in order: the first attempts, or the later ones. */
export function asked(
  user: RunUser,
  project: string,
  which: 'first' | 'again' = 'first',
): string[] {
  return markers(user, path.basename(project))
    .filter((marker) => (marker.attempt === 1) === (which === 'first'))
    .map((marker) => `${marker.role} ${marker.task ?? '-'} ${marker.turn}`)
}

/** Waits until the nth turn, from 1, begins. */
export function turnBegun(user: RunUser, project: string, nth: number): Promise<Marker> {
  return waitFor(
    () => markers(user, path.basename(project)).filter((marker) => marker.attempt === 1)[nth - 1],
    {
      what: `turn ${nth} of ${path.basename(project)} (${TURNS[nth - 1] ?? ''})`,
      timeoutMs: 120_000,
    },
  )
}

/** Pid of the worker of a project. */
export async function workerOf(user: RealUser, project: string): Promise<number> {
  return waitFor(
    async () =>
      (await localStatus(user.dirs)).workers.find((worker) =>
        worker.queue.endsWith(projectKey(project)),
      )?.pid,
    { what: `the worker of ${project}`, timeoutMs: 60_000 },
  )
}

/**
 * Files of a record as text that must be the same after any kill: without times, ids, names and
 * costs.
 */
export function recordState(
  user: RunUser,
  project: string,
  result: RunResult,
): Record<string, string> {
  const dir = recordOf(project)
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
  const known = [
    [result.id, '<run>'],
    [projectKey(project), '<key>'],
    [projectKey(project).slice(0, 6), '<key>'],
    [user.root, '<root>'],
    [path.basename(project), '<name>'],
  ] as const
  const plain = (text: string): string =>
    known
      .reduce((all, [one, as]) => all.replaceAll(one, as), text)
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/\b[0-9a-f]{7,64}\b/g, '<digest>')
      .replaceAll(/\b1\d{12}\b/g, '<time>')
      .replaceAll(/=+ [^=\\]* in [\d.]+s =+/g, '<end of the tests>')
      .replaceAll(
        /"(durationMs|duration_ms|inputTokens|outputTokens|agentMs|bytes|size)": ?[\d.]+/g,
        '"$1": 0',
      )
      .replaceAll(/\d[\d.,]* (ms|s|min|tokens?)\b/g, '<cost>')
      .replaceAll(/, \d+ out \(/g, ', <cost> out (')
      // A resumed turn does not repeat its earlier output, and the scripted agent introduces itself
      // again.
      .replaceAll(new RegExp(`\\n*(${SAID.join('|')})\\s*`, 'g'), '\n')
      .replaceAll(/\n{2,}/g, '\n')
  // The notes hold digests only; the output of the tests says how long they took.
  return Object.fromEntries(
    names
      .filter((name) => !name.endsWith('.written.json') && !name.endsWith('test-output.log'))
      .sort()
      .map((name) => [
        name,
        plain(withoutSessions(readFileSync(path.join(dir, name), 'utf8'), name)),
      ]),
  )
}

// After a crash the next turn has a session of its own.
function withoutSessions(text: string, name: string): string {
  if (!name.endsWith('.json')) return text
  const kept = (key: string, value: unknown): unknown =>
    key === 'sessions' || key === 'session' ? undefined : value
  return JSON.stringify(JSON.parse(text), kept, 2)
}

/**
 * How many test runs of the repaired code have begun. Needs `hold-tests` among the points.
 */
export function heldTests(user: RunUser, project: string): number[] {
  const file = path.join(user.pointsOf(project), 'held-tests')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}
