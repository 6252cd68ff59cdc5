// Logs of one run: turns of its agents as they lie on the disk, without a server.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createClaim, turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { runCommandLine } from '../../../src/cli/program.js'
import { writeFiles } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'
import { cliUser, type CliUser } from './support.js'

const AT = '2026-11-20T12:00:00.000Z'
const event = (fields: Record<string, unknown>): string =>
  `${JSON.stringify({ at: AT, ...fields })}\n`
const prompt = (header: Record<string, unknown>): string =>
  event({ prompt: { attempt: 1, prompt: `ratchet-turn: ${JSON.stringify(header)}\n\nDo it.` } })

/** A turn of a run, as its driver leaves it. */
function turn(
  user: CliUser,
  run: string,
  step: string,
  transcript: string,
  outcome?: string,
): string {
  const dirs = userDirs(user.env)
  const key = `${run}/r1/${step}`
  createClaim(dirs, { key, run, cwd: user.cwd, agent: 'claude' })
  const files = turnFiles(layout.turn(dirs, key))
  writeFileSync(files.transcript, transcript)
  if (outcome !== undefined) writeFileSync(files.result, JSON.stringify({ outcome }))
  return files.transcript
}

const FIX = prompt({
  run: 'r',
  kind: 'test-fix',
  role: 'test-fix-agent',
  task: 'IMPL-fix-1',
  iteration: 2,
  turn: 'work',
})

test.each(
  // prettier-ignore
  [
  { kind: 'test-fix', run: 'WFS-test-a.abcdef', header: { role: 'test-fix-agent', task: 'IMPL-fix-1', iteration: 2, turn: 'work' }, title: 'test-fix-agent, IMPL-fix-1, iteration 2, work' },
  { kind: 'dev-cycle', run: 'cycle-v1-20261120T200203-4k2j9x0q', header: { role: 'code-developer', iteration: 1, turn: 'feedback' }, title: 'code-developer, iteration 1, feedback' },
  { kind: 'dev-loop', run: 'loop-b-20261120T200203-4k2j9x0q', header: { role: 'loop-develop', iteration: 3, turn: 'work' }, title: 'loop-develop, iteration 3, work' },
],
)(
  'logs of a $kind by its id show each turn with its step, agent and outcome',
  async ({ run, header, title }) => {
    const user = cliUser()
    turn(
      user,
      run,
      'one',
      prompt(header) +
        event({ text: 'I look at src/add.js' }) +
        event({ died: { reason: 'exit code 1' } }),
      'success',
    )
    turn(user, 'another-run', 'one', prompt(header) + event({ text: 'not this one' }))
    const { exitCode, stdout } = await user.run('logs', run)
    expect(exitCode).toBe(0)
    const [first, ...rest] = stdout.trimEnd().split('\n')
    expect(first).toMatch(
      new RegExp(`^== ${title} \\(claude\\), \\d{4}-\\d\\d-\\d\\dT[\\d:]+Z, success$`),
    )
    expect(rest).toEqual(['  says  I look at src/add.js', '  died  exit code 1'])
    const { run: told, turns } = JSON.parse((await user.run('logs', run, '--json')).stdout) as {
      run: string
      turns: { title: string; outcome: string; lines: string[] }[]
    }
    expect({ told, turns }).toMatchObject({
      told: run,
      turns: [{ title, outcome: 'success', lines: rest }],
    })
  },
)

test('finds a session by its name, -n limits the lines of each turn, and a damaged turn is left out', async () => {
  const user = cliUser()
  await registerProject(userDirs(user.env), user.cwd)
  const run = `WFS-test-a.${projectKey(user.cwd).slice(0, 6)}`
  turn(user, run, 'one', FIX + event({ text: 'first' }) + event({ text: 'second' }))
  turn(user, run, 'two', 'no JSON at all\n')
  mkdirSync(path.join(user.state, 'ratchet/turns/broken'), { recursive: true })
  writeFileSync(path.join(user.state, 'ratchet/turns/broken/claim.json'), '{"schema":')
  const { stdout } = await user.run('logs', 'WFS-test-a', '-n', '1')
  expect(stdout).toContain('second')
  expect(stdout).not.toContain('first')
  expect(stdout).toContain('== two (claude)')
  expect(stdout).toContain('not ended')
})

test('a session without transcripts says why there may be none', async () => {
  const user = cliUser()
  writeFiles(path.join(user.cwd, '.workflow/WFS-test-a'), {
    'workflow-session.json': JSON.stringify({
      session_id: 'WFS-test-a',
      type: 'test',
      workflow_type: 'test_session',
      status: 'completed',
    }),
  })
  expect(await user.run('logs', 'WFS-test-a')).toMatchObject({
    exitCode: 0,
    stdout:
      'no transcript of its agents is here: none has had a turn yet, or `ratchet clean` removed the transcripts\n',
  })
})

test('--follow shows new lines, also of a turn that starts later, until Ctrl-C', async () => {
  const user = cliUser()
  const run = 'loop-b-20261120T200203-4k2j9x0q'
  const file = turn(user, run, 'one', FIX + event({ text: 'before' }))
  const ctrlC = new AbortController()
  let stdout = ''
  const ended = runCommandLine(
    ['logs', run, '--follow', '-n', '5'],
    { env: user.env, cwd: user.cwd, interrupted: ctrlC.signal, version: 'test' },
    { stdout: (text) => (stdout += text), stderr: () => undefined },
  )
  await waitFor(() => stdout.includes('before'), { what: 'what was said before' })
  appendFileSync(file, event({ text: 'after' }))
  await waitFor(() => stdout.includes('after'), { what: 'what is said now' })
  turn(user, run, 'two', FIX + event({ text: 'another turn' }))
  await waitFor(() => stdout.includes('another turn'), { what: 'the new turn' })
  ctrlC.abort()
  expect(await ended).toBe(130)
  expect(stdout.match(/before/g)).toHaveLength(1)
  expect(stdout.match(/^== /gm)).toHaveLength(2)
})

test.each(
  // prettier-ignore
  [
  { why: 'an unknown name', argv: ['WFS-test-nobody'], message: 'no log and no run has the name WFS-test-nobody', next: 'logs and runs: WFS-test-a.abcdef' },
  { why: 'no id at all', argv: ['../../etc'], message: 'the id ', next: 'ratchet status' },
  { why: 'a log that is not there yet', argv: ['server'], message: 'unknown log server', next: 'no log exists yet; start the server with: ratchet dev' },
  { why: 'lines of 0', argv: ['WFS-test-a.abcdef', '-n', '0'], message: '--lines must be a whole number', next: '--lines 5' },
  { why: 'a document without an end', argv: ['WFS-test-a.abcdef', '--follow', '--json'], message: '--follow has no end', next: 'remove --json or --follow' },
],
)('bad input of logs: $why', async ({ argv, message, next }) => {
  const user = cliUser()
  turn(user, 'WFS-test-a.abcdef', 'one', FIX)
  const { exitCode, stderr } = await user.run('logs', ...argv)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).toContain(next)
})
