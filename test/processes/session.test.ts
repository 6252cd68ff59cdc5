// A session without the database of the server, then with only its files.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/contract/result.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, TWO_FIXES, type Step } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

type Failed = { error: { type: string; message: string; next: string } }

test('a session resumes from its record: without the database of the server, then with only the project left', async () => {
  const state = user.env['XDG_STATE_HOME'] ?? ''
  const stopAndRemove = async (dir: string): Promise<void> => {
    expect((await user.ratchet(user.root, 'dev', '--stop', '--force')).exitCode).toBe(0)
    rmSync(dir, { recursive: true })
  }
  const [, add, mul] = TWO_FIXES as [Step, Step, Step]
  const project = user.project('alone', [
    ANALYSE,
    add,
    {
      when: { role: 'test-fix-agent', iteration: 2 },
      do: [{ write: { path: 'README.md', text: 'no fix\n' } }],
    },
    { ...mul, when: { ...mul.when, iteration: 3 } },
  ])
  const rates = (result: RunResult): (number | null)[] =>
    result.history.map((entry) => entry.passRate)

  const first = await user.json<RunResult>(project, 'fix', '--max-iterations', '1')
  expect({ code: first.exitCode, rates: rates(first.document) }).toEqual({
    code: 1,
    rates: [33.3, 66.6],
  })
  expect(await user.json<Failed>(project, 'resume', 'WFS-test-alone')).toMatchObject({
    exitCode: 2,
    document: {
      error: {
        type: 'BadInput',
        message: '1 iteration is spent on IMPL-002, none is left',
        next: expect.stringContaining('--max-iterations 2') as string,
      },
    },
  })

  await stopAndRemove(path.join(state, 'ratchet/server'))
  expect((await user.ratchet(project, 'status', 'WFS-test-alone')).stdout).toContain(
    'failed  iteration 1  66.6 %',
  )
  const second = await user.json<RunResult>(project, 'extend', 'WFS-test-alone', '1')
  expect({ code: second.exitCode, id: second.document.id, rates: rates(second.document) }).toEqual({
    code: 1,
    id: first.document.id,
    rates: [33.3, 66.6, 66.6],
  })

  await stopAndRemove(state)
  const { exitCode, document } = await user.json<RunResult>(
    project,
    'fix',
    '--resume-session',
    first.document.id,
    '--max-iterations',
    '3',
  )
  expect({ exitCode, id: document.id, outcome: document.outcome, rates: rates(document) }).toEqual({
    exitCode: 0,
    id: first.document.id,
    outcome: 'success',
    rates: [33.3, 66.6, 66.6, 100],
  })
  expect(
    runGit(project, 'log', '--format=%s', `HEAD..${document.branch}`)
      .match(/IMPL-fix-\d(?=\))/gm)
      ?.sort(),
  ).toEqual(['IMPL-fix-1', 'IMPL-fix-2', 'IMPL-fix-3'])
  expect(runGit(project, 'show', `${document.branch}:calc.py`)).toContain('return a * b')
})
