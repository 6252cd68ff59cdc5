// Twenty concurrent dev cycles in one repository, and one cycle whose four agents write the board
// at once: nothing is mixed up or lost.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processTable } from '../../src/adapters/process/table.js'
import { readBoard } from '../../src/core/dev-cycle/documents/board.js'
import { StoredCycle } from '../../src/adapters/records/dev-cycle/cycle-schema.js'
import { CYCLE_ROLES } from '../../src/contract/dev-cycle/cycle-state.js'
import { DISCOVERY_BYTES, PHASES } from '../../src/contract/dev-cycle/discovery.js'
import { step, vas } from '../support/cycle/cycle-play.js'
import {
  makeProject,
  markers,
  realUser,
  type RealUser,
  type Step,
} from '../support/runs/real-run.js'
import { runGit, type Files, fingerprint, outsideOfRecord } from '../support/repositories/repos.js'

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

const CYCLES = 20
const SLOTS = 4
/** One test, which passes with any change. */
const TINY: Files = {
  'package.json': '{ "name": "tiny", "type": "module", "scripts": { "test": "node --test" } }\n',
  'one.test.js': "import { test } from 'node:test'\n\ntest('one', () => {})\n",
}

const sh = (script: string) => ({ run: ['sh', '-c', script] })
const answer = (phase: string, fields: Record<string, unknown> = {}) => ({
  result: {
    fields: { phase, status: 'success', summary: 'done', issues: [], blockers: [], ...fields },
  },
})

/** Agents write the run they were started for, independent of their working directory. */
function signed(file: string, spans: string): Step[] {
  const ID = '$RATCHET_RUN'
  const say = (phase: string, n: number): string =>
    `echo '{"ts":"2026-01-22T10:00:00Z","agent":"${phase}","type":"utility","data":{"name":"'${ID}'-${phase}-${n}","file":"a","usage":"b"}}' >> "$P/coordination/discoveries.ndjson"`
  const here = 'P=$(echo .ratchet/*.progress)'
  const work: Record<string, string> = {
    ra: `echo "# Requirements of ${ID}" > "$P/ra/requirements.md"`,
    ep: `echo "# ${ID}" > "$P/ep/exploration.md"; echo "# ${ID}" > "$P/ep/architecture.md"; echo '{"tasks":[{"id":"TASK-001","title":"'${ID}'","depends_on":[]}]}' > "$P/ep/plan.json"`,
    cd: `echo "${ID}" > ${file}; echo "# ${ID}" > "$P/cd/implementation.md"`,
    vas: `for f in validation summary; do echo "# ${ID}" > "$P/vas/$f.md"; done; echo '{"summary":{"total":1,"passed":1,"failed":0,"skipped":0}}' > "$P/vas/test-results.json"`,
  }
  return PHASES.map((phase) =>
    step(CYCLE_ROLES[phase], {}, [
      sh(
        `echo "$(date +%s%N) 1" >> ${spans}; ${here}; ${say(phase, 1)}; ${work[phase]}; ${say(phase, 2)}; echo "$(date +%s%N) -1" >> ${spans}`,
      ),
      phase === 'vas'
        ? (vas(100).at(-1) ?? {})
        : answer(phase, phase === 'cd' ? { tasks_completed: ['TASK-001'] } : {}),
    ]),
  )
}

/** The maximum that were open at the same time. */
function mostAtOnce(spans: string): number {
  const events = readFileSync(spans, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as [number, number])
    .sort(([a, x], [b, y]) => a - b || x - y)
  let open = 0
  return Math.max(...events.map(([, change]) => (open += change)))
}

/**
 * The number of concurrent agents of a project, found by their playbook. Reads twice, as one may
 * end and the next begin in between; counts only group leaders, as a child first has its parent's
 * name.
 */
function agentsAlive(project: string): number {
  const seen = new Set(leadersOf(project))
  return leadersOf(project).filter((one) => seen.has(one)).length
}

function leadersOf(project: string): string[] {
  return processTable()
    .filter(({ pid, group }) => pid === group)
    .filter(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          .split('\0')
          .includes(path.join(project, 'ratchet.playbook.yaml'))
      } catch (error) {
        // It has ended meanwhile
        if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
        throw error
      }
    })
    .map(({ pid, startTime }) => `${pid} ${startTime}`)
}

test('twenty concurrent cycles in one repository: no lost line, no mixed workspace or record, slots respected', async () => {
  const spans = path.join(user.root, 'spans')
  const project = makeProject(
    user,
    'twenty',
    signed('own.txt', spans),
    { limits: { agentsPerHost: SLOTS, maxIterations: 1 } },
    TINY,
  )
  const before = fingerprint(project)
  const ids = Array.from({ length: CYCLES }, (_, n) => `cycle-v1-20260122T100000-many${n}`)
  let alive = 0
  const look = setInterval(() => {
    alive = Math.max(alive, agentsAlive(project))
  }, 100)
  const results = await Promise.all(
    ids.map(async (id) => user.finish(await user.cycle(project, id, { task: `Write down ${id}` }))),
  ).finally(() => clearInterval(look))

  expect(
    results.map(({ id, outcome, passRate, reason }) => ({ id, outcome, passRate, reason })),
  ).toEqual(ids.map((id) => ({ id, outcome: 'completed', passRate: 100, reason: null })))
  expect(alive).toBeLessThanOrEqual(SLOTS)
  expect(mostAtOnce(spans)).toBeLessThanOrEqual(SLOTS)
  expect(alive).toBeGreaterThan(1) // the check sees agents at all
  expect(markers(user, 'twenty')).toHaveLength(CYCLES * 5)
  for (const [n, id] of ids.entries()) {
    const branch = results[n]?.branch ?? ''
    const base = runGit(project, 'merge-base', branch, 'HEAD')
    expect(runGit(project, 'diff', '--name-status', `${branch}~1`, branch)).toBe('A\town.txt')
    // The user's uncommitted work, and the iteration
    expect(runGit(project, 'rev-list', '--count', `${base}..${branch}`)).toBe('2')
    expect(runGit(project, 'show', `${branch}:own.txt`)).toBe(id)
    const dir = path.join(project, '.workflow/.cycle')
    const read = (file: string): string =>
      readFileSync(path.join(dir, `${id}.progress`, file), 'utf8')
    const master = StoredCycle.parse(JSON.parse(readFileSync(path.join(dir, `${id}.json`), 'utf8')))
    expect(master).toMatchObject({
      cycle_id: id,
      status: 'completed',
      description: `Write down ${id}`,
      current_iteration: 1,
      iterations: [{ number: 1, resolved: true, issues_found: [] }],
      test_results: { pass_rate: 100, total_tests: 1 },
      plan: { tasks: [{ title: id }] },
      changes: { changes: [{ file: 'own.txt', action: 'create' }] },
      ratchet: { branch, outcome: 'completed', commits: results[n]?.commits, warnings: [] },
    })
    expect(Object.values(master.agents).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
    ])
    for (const file of [
      'ra/requirements.md',
      'ep/exploration.md',
      'cd/implementation.md',
      'vas/validation.md',
      'coordination/timeline.md',
      'coordination/summary.md',
    ])
      expect(
        read(file)
          .match(/cycle-v1-[\w-]+/g)
          ?.filter((found) => found !== id && !found.startsWith(`${id}`)),
      ).toEqual([])
    const said = readBoard(read('coordination/discoveries.ndjson')).entries.map(({ data }) =>
      String((data as { name?: unknown }).name),
    )
    expect(said.sort()).toEqual(
      [
        ...['cd', 'ep', 'ra'].flatMap((phase) => [1, 2].map((k) => `${id}-${phase}-${k}`)),
        `${id}-vas-1`,
        `${id}-vas-1`,
        `${id}-vas-2`,
        `${id}-vas-2`,
      ].sort(),
    )
  }
  expect(outsideOfRecord(project)).toEqual(before)
})

test('four agents that append 4 kB lines at once lose none of them', async () => {
  const LINES = 300
  // Begins when all four are ready, so that they write at the same time.
  const script = `
    const fs = require('node:fs'), path = require('node:path')
    const [agent, count, bytes] = [process.argv[1], +process.argv[2], +process.argv[3]]
    const own = fs.readdirSync('.ratchet').find((name) => name.endsWith('.progress'))
    const dir = path.join('.ratchet', own, 'coordination')
    fs.writeFileSync(path.join('.ratchet', 'there-' + agent), '')
    while (fs.readdirSync('.ratchet').filter((name) => name.startsWith('there-')).length < 4) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    for (let n = 0; n < count; n++) {
      const line = (fill) => JSON.stringify({ ts: '2026-01-22T10:00:00Z', agent, type: 'utility', data: { name: agent + '-' + n, fill } }) + '\\n'
      fs.appendFileSync(path.join(dir, 'discoveries.ndjson'), line('x'.repeat(bytes - line('').length)))
    }`
  const wrote = (phase: string) => ({
    run: [process.execPath, '-e', script, phase, String(LINES), String(DISCOVERY_BYTES)],
  })
  const documents: Record<string, string> = {
    ra: 'requirements.md',
    ep: 'exploration.md architecture.md',
    cd: 'implementation.md',
    vas: 'validation.md summary.md',
  }
  const steps = PHASES.map((phase) =>
    step(CYCLE_ROLES[phase], { turn: 'work' }, [
      wrote(phase),
      sh(
        `for f in ${documents[phase] ?? ''}; do echo "# Done" > .ratchet/*.progress/${phase}/$f; done`,
      ),
      answer(phase),
    ]),
  )
  const project = makeProject(
    user,
    'board',
    [
      ...steps,
      step(CYCLE_ROLES.vas, {}, vas(100)),
      ...PHASES.map((phase) => step(CYCLE_ROLES[phase], {}, [answer(phase)])),
    ],
    { limits: { maxIterations: 1 } },
    TINY,
  )
  const id = 'cycle-v1-20260122T100000-board'
  await user.finish(await user.cycle(project, id, { task: 'Say a lot' }))
  const { entries, skipped } = readBoard(
    readFileSync(
      path.join(project, '.workflow/.cycle', `${id}.progress`, 'coordination/discoveries.ndjson'),
      'utf8',
    ),
  )
  expect(skipped).toBe(0)
  const seen = entries.map(({ data }) => String((data as { name?: unknown }).name)).sort()
  expect(seen).toEqual(
    PHASES.flatMap((phase) => Array.from({ length: LINES }, (_, n) => `${phase}-${n}`)).sort(),
  )
})
