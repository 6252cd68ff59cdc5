// ratchet stats: the records of a project and the turns of its agents, as files.
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  createClaim,
  saveClaim,
  saveResult,
  turnFiles,
} from '../../../src/adapters/agents/turn/turn-store.js'
import { writeTestFixRecord } from '../../../src/adapters/records/test-fix/test-fix-record.js'
import { layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { NAME, recordInput, sessionFiles, stateAfterOne } from '../../support/records.js'
import { failed, repoUser } from './repo-user.js'
import type { CliUser } from './support.js'

const AT = '2026-11-20T12:00:00.000Z'

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
  for (const [n, agent] of agents.entries()) {
    const key = `${run}/e1/iteration-${n + 1}/fix`
    const claim = createClaim(dirs, { key, run, cwd: '/w', agent })
    if (claim === undefined) throw new Error('claimed already')
    saveClaim(dirs, { ...claim, startedAt: AT })
    const { transcript, answer } = turnFiles(layout.turn(dirs, key))
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
      durationMs: 0,
    })
  }
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

test('an unknown grouping', async () => {
  const { stdout, exitCode } = await repoUser().run('stats', '--by', 'day', '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    message: 'unknown grouping "day"',
    next: 'use one of: work, agent, role, run',
  })
})
