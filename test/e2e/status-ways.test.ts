// `ratchet status` through the supervisor and with Temporal's client says the same.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { analysis, repository, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

const ASKING = 'WFS-test-asking'
const WORKING = 'WFS-test-working'
const ENDED = 'WFS-test-ended'
const REPORT = 'The tests call add and mul with small numbers and compare the results. '.repeat(10)
const planned = (first: Step['do'] = []): Step => ({
  when: { role: 'cli-planning-agent' },
  do: [
    ...first,
    {
      say: `${REPORT}${analysis(['calc.py:add:1-2'], ['tests/test_calc.py'], {
        fix_strategy: {
          approach: 'repair add',
          modification_points: ['calc.py:add:1-2'],
          expected_outcome: 'all pass',
        },
      })}`,
    },
  ],
})

let user: InProcessUser
let project: string
let gate: string
let ids: Record<string, string>
beforeAll(async () => {
  user = await inProcessUser()
  gate = path.join(user.root, 'gate')
  const fixed = repository(user, 'ended', [planned(), { do: [RIGHT_ADD, RIGHT_MUL] }])
  const run = await user.fix(fixed, ENDED)
  await user.finish(run)
  project = repository(user, 'asking', [planned()])
  const asking = user.start(project, ['fix', '--interactive', '--json'])
  await waitFor(() => asking.stderr().includes('ratchet answer '), {
    what: 'the question',
    timeoutMs: 60_000,
  })
  const busy = repository(user, 'working', [planned([{ wait: { 'until-file': gate } }])])
  const working = await user.fix(busy, WORKING)
  ids = { '<ended>': run.id, '<working>': working.id }
  await waitFor(
    async () => (await working.pending()).some(({ progress }) => progress?.['state'] === 'running'),
    { what: 'an agent at work', timeoutMs: 60_000 },
  )
})
afterAll(async () => {
  for (const name of [ASKING, WORKING]) await user.run(project, 'stop', name).catch(() => undefined)
  writeFileSync(gate, '')
  await user.close()
})

async function said(way: 'supervisor' | 'client', argv: string[]) {
  user.supervisor.knowsRuns = way === 'supervisor'
  const connects = vi.spyOn(Connection, 'connect')
  const ran = await user.run(project, ...argv)
  const connected = connects.mock.calls.length
  connects.mockRestore()
  return { ran, connected }
}

// prettier-ignore
const TYPED: { argv: string[]; knows: boolean; shows: string | RegExp }[] = [
  { argv: [], knows: true, shows: WORKING },
  { argv: ['--open', '--limit', '1'], knows: true, shows: WORKING },
  { argv: ['--waiting'], knows: true, shows: 'Approve the plan of IMPL-fix-1' },
  { argv: ['--kind', 'fix', '--since', '1h'], knows: true, shows: ASKING },
  { argv: ['--kind', 'loop'], knows: true, shows: /no run matches|"runs":\[\]/ },
  { argv: ['--project', '.'], knows: true, shows: ASKING },
  { argv: [ASKING], knows: true, shows: 'Approve the plan of IMPL-fix-1' },
  { argv: ['<working>'], knows: true, shows: 'iteration' },
  { argv: [WORKING], knows: false, shows: 'iteration' }, // a session of another project
  { argv: ['<ended>'], knows: false, shows: 'completed' },
  { argv: ['--closed'], knows: false, shows: ENDED },
  { argv: ['--all'], knows: false, shows: ENDED },
  { argv: ['WFS-test-nowhere'], knows: false, shows: 'there is no run WFS-test-nowhere' },
]

test.each(TYPED.flatMap((one) => [one, { ...one, argv: [...one.argv, '--json'] }]))(
  'status $argv',
  async ({ argv, knows, shows }) => {
    const line = ['status', ...argv.map((word) => ids[word] ?? word)]
    // Times of a run at work pass while they are compared.
    await waitFor(
      async () => {
        const first = await said('supervisor', line)
        const direct = await said('client', line)
        const again = await said('supervisor', line)
        if (first.ran.stdout !== again.ran.stdout) return false
        expect(direct.ran).toEqual(first.ran)
        expect([first.connected, direct.connected]).toEqual([knows ? 0 : 1, 1])
        expect(first.ran.stdout + first.ran.stderr).toMatch(shows)
        return true
      },
      { what: 'two equal looks', timeoutMs: 30_000 },
    )
  },
)

test('a question is shown as soon as it is asked, and not after it was answered', async () => {
  const waits = async (): Promise<string> =>
    (await said('supervisor', ['status', ASKING])).ran.stdout
  expect(await waits()).toContain('ratchet answer')
  await user.run(project, 'answer', ASKING, 'stop')
  await waitFor(async () => !(await waits()).includes('ratchet answer'), {
    what: 'the answered question to go',
    timeoutMs: 30_000,
  })
})
