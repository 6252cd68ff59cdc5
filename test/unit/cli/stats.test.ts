// ratchet stats: the records of a project and the turns of its agents, as files.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  createClaim,
  readClaim,
  saveClaim,
  saveResult,
  turnFiles,
} from '../../../src/adapters/agents/turn/turn-store.js'
import { writeTestFixRecord } from '../../../src/adapters/records/test-fix/test-fix-record.js'
import { layout, projectKey, userDirs, type Dirs } from '../../../src/adapters/state-dir.js'
import type { TurnHeader } from '../../../src/contract/turn.js'
import { withHeader } from '../../../src/core/prompts/prompt-header.js'
import { NAME, recordInput, sessionFiles, stateAfterOne } from '../../support/records.js'
import { failed, repoUser } from './repo-user.js'
import type { CliUser } from './support.js'

const AT = '2026-11-20T12:00:00.000Z'

/** Keeps a turn as its agent has left it; with a header, if its prompt had one. */
function keepTurn(
  dirs: Dirs,
  { run, step, agent, header }: { run: string; step: string; agent: string; header?: TurnHeader },
): void {
  const key = `${run}/e1/${step}`
  const claim = createClaim(dirs, { key, run, cwd: '/w', agent })
  if (claim === undefined) throw new Error('claimed already')
  saveClaim(dirs, { ...claim, startedAt: AT })
  const { transcript, answer } = turnFiles(layout.turn(dirs, key))
  if (header !== undefined)
    writeFileSync(
      transcript,
      `${JSON.stringify({ at: AT, prompt: { attempt: 1, prompt: withHeader(header, 'Do it.\n') } })}\n`,
    )
  saveResult(dirs, key, {
    outcome: 'completed',
    agent,
    usage: { inputTokens: 1_500, cachedTokens: 1_000, outputTokens: 100, estimated: false },
    answer: { path: answer, sha256: '', bytes: 0 },
    tail: '',
    transcript,
    changedFiles: [],
    attempts: 1,
    crashes: 0,
    leftovers: 0,
    durationMs: 30_000,
  })
}

async function userWithTurns(agents: readonly string[]): Promise<CliUser> {
  const user = repoUser()
  sessionFiles(user.cwd)
  const end = { outcome: 'failed', reason: 'the iterations are spent' } as const
  await writeTestFixRecord(
    recordInput(stateAfterOne(user.cwd, path.join(user.root, 'tests')), end),
    { offset: '+08:00' },
  )
  const dirs = userDirs({ XDG_STATE_HOME: user.state, HOME: user.root })
  const run = `${NAME}.${projectKey(user.cwd).slice(0, 6)}`
  for (const [n, agent] of agents.entries())
    keepTurn(dirs, { run, step: `iteration-${n + 1}/fix`, agent })
  return user
}

test('a line for each agent, and tokens for each test that passes since', async () => {
  const user = await userWithTurns(['codex', 'codex', '=claude'])
  const { stdout, exitCode } = await user.run('stats', '--by', 'agent')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^ +runs +turns +in +cached +out /)
  expect(stdout).toMatch(/^codex +1 +2 +3\.0k +2\.0k +200 +1\.6k \(1\.6k-1\.6k\) /m)
  expect(stdout).toMatch(/^all +1 +3 +4\.5k .* 2\.4k$/m) // 4,800 tokens, 2 tests
})

test('as JSON and CSV; a spreadsheet runs no cell of it', async () => {
  const user = await userWithTurns(['codex', '=claude'])
  const json = JSON.parse((await user.run('stats', '--by', 'run', '--json')).stdout) as object
  expect(json).toMatchObject({
    by: 'run',
    rows: [{ name: expect.stringContaining(NAME) as string, outcome: 'failed', gained: 2 }],
    all: { turns: 2, cachedTokens: 2_000 },
  })
  const [head, ...rows] = (await user.run('stats', '--by', 'agent', '--csv')).stdout
    .trimEnd()
    .split('\n')
  expect(head).toMatch(/^name,runs,outcome,iterations,turns,input_tokens,cached_tokens,/)
  expect(rows).toEqual([
    expect.stringMatching(/^'=claude,1,failed,1,1,1500,1000,100,false,,/),
    expect.stringMatching(/^codex,1,failed,1,1,1500,1000,100,false,,/),
  ])
})

test('only turns since, and only runs of a kind', async () => {
  const user = await userWithTurns(['codex'])
  const nothing = 'no turns of agents are recorded here\n'
  expect((await user.run('stats', '--since', '2026-11-21')).stdout).toBe(nothing)
  expect((await user.run('stats', '--kind', 'loop')).stdout).toBe(nothing)
  expect((await user.run('stats', '--since', '2026-11-20', '--kind', 'fix')).stdout).toContain(
    'codex',
  )
})

const dirsOf = ({ state, root }: CliUser): Dirs => userDirs({ XDG_STATE_HOME: state, HOME: root })
type Stats = { rows: { name: string; turns: number; outcome?: string }[] }
const byRun = async (user: CliUser, ...options: string[]): Promise<Stats['rows']> =>
  (JSON.parse((await user.run('stats', '--by', 'run', '--json', ...options)).stdout) as Stats).rows

test('an archived session counts, and its time is that of the clock of its turn', async () => {
  const user = await userWithTurns(['codex'])
  const [before] = await byRun(user)
  expect((await user.run('archive', NAME)).exitCode).toBe(0)
  expect(await byRun(user)).toEqual([before])
  expect(before).toMatchObject({ turns: 1, outcome: 'failed', gained: 2, workedMs: 30_000 })
})

test('an archived loop counts', async () => {
  const user = repoUser()
  const name = 'loop-b-20261120T200000-aaaaaaaa'
  keepTurn(dirsOf(user), { run: name, step: 'iteration-1/develop', agent: 'codex' })
  mkdirSync(path.join(user.cwd, '.workflow/.loop', `${name}.progress`), { recursive: true })
  expect(await byRun(user)).toMatchObject([{ name, turns: 1 }])
  const place = path.join(user.cwd, '.workflow/archives', name)
  mkdirSync(path.join(place, '.workflow'), { recursive: true })
  renameSync(path.join(user.cwd, '.workflow/.loop'), path.join(place, '.workflow/.loop'))
  expect(await byRun(user)).toMatchObject([{ name, turns: 1 }])
})

test('a preparation of this project counts, without iterations', async () => {
  const user = repoUser()
  const header = (project: string): TurnHeader => ({
    run: 'prep',
    kind: 'prep',
    role: 'cli-planning-agent',
    iteration: 0,
    turn: 'work',
    attempt: 1,
    paths: { project, workspace: '/w' },
  })
  const [run, other] = ['prep-20261120T200000-aaaaaaaa', 'prep-20261120T200000-bbbbbbbb']
  keepTurn(dirsOf(user), { run, step: 'draft', agent: 'codex', header: header(user.cwd) })
  keepTurn(dirsOf(user), { run: other, step: 'draft', agent: 'codex', header: header('/other') })
  expect(await byRun(user, '--kind', 'prep')).toMatchObject([
    { name: run, turns: 1, iterations: null, gained: null },
  ])
  expect(await byRun(user, '--kind', 'cycle')).toEqual([])
})

test('of a run that began before the period only its turns count', async () => {
  const user = await userWithTurns(['codex'])
  const run = `${NAME}.${projectKey(user.cwd).slice(0, 6)}`
  const key = `${run}/e1/iteration-2/fix`
  keepTurn(dirsOf(user), { run, step: 'iteration-2/fix', agent: 'codex' })
  const claim = readClaim(layout.turn(dirsOf(user), key))
  if (claim === undefined) throw new Error('it has no claim')
  saveClaim(dirsOf(user), { ...claim, startedAt: '2026-11-22T12:00:00.000Z' })
  expect(await byRun(user, '--since', '2026-11-21')).toMatchObject([
    { turns: 1, partialRuns: 1, iterations: null, gained: null, tokensPerGainedTest: null },
  ])
  expect((await user.run('stats', '--since', '2026-11-21')).stdout).toContain(
    'Runs that began before the period count only with their later turns, and not per test.',
  )
})

test('an unknown grouping', async () => {
  const { stdout, exitCode } = await repoUser().run('stats', '--by', 'day', '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    message: 'unknown grouping "day"',
    next: 'use one of: work, agent, model, role, run',
  })
})
