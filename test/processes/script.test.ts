// A user's script, as in docs/scripts.md, which only needs the package and the project.
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layout, userDirs } from '../../src/adapters/state-dir.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { runScript } from '../support/scripts.js'

let user: CliProcessUser
let project: string
beforeAll(async () => {
  user = cliProcessUser()
  const waits = { wait: { 'until-file': path.join(user.root, 'go') } }
  project = user.project('shop', [ANALYSE, { do: [RIGHT_ADD, waits, RIGHT_MUL] }])
  // Once per host: registers the project and starts the server.
  expect(
    (await user.ratchet(project, 'fix', '--detach', '--session', 'WFS-test-first')).exitCode,
  ).toBe(0)
})
afterAll(() => user.remove())

test('a script starts a run with only a project, follows it through a server restart, and exits', async () => {
  const { stdout, stderr } = await runScript(
    user,
    `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { connect } from 'ratchet-cycles'
    const [project, server, go] = process.argv.slice(2)
    const ratchet = await connect()
    const run = await ratchet.startTestFix({ project })
    const events = []
    let killed
    for await (const progress of run.progress({ everyMs: 100 })) {
      events.push(progress)
      if (progress.type !== 'waiting' || !progress.waitingFor.includes('test-fix-agent') || killed !== undefined) continue
      killed = JSON.parse(readFileSync(server, 'utf8')).identity.pid
      process.kill(killed, 'SIGKILL')
      writeFileSync(go, '')
    }
    console.log(JSON.stringify({ id: run.id, events, killed, again: await run.result() }))
    await ratchet.close()`,
    [project, layout.serverRecord(userDirs(user.env)), path.join(user.root, 'go')],
  )
  expect(stderr).toBe('')
  type Event = {
    type: string
    phase?: string
    iteration?: { iteration: number; passRate: number }
    end?: { result: { id: string } }
  }
  const { id, events, killed, again } = JSON.parse(stdout) as {
    id: string
    events: Event[]
    killed?: number
    again: unknown
  }
  expect(id).toMatch(/^WFS-test-shop-[0-9a-f]{4}\.[0-9a-f]{6}$/)
  expect(killed).toBeGreaterThan(0)
  expect(
    events
      .filter(({ type }) => type === 'iteration')
      .map(({ iteration }) => [iteration?.iteration, iteration?.passRate]),
  ).toEqual([
    [0, 33.3],
    [1, 100],
  ])
  expect(events.filter(({ type }) => type === 'phase').length).toBeGreaterThan(1)
  expect(events.at(-1)).toMatchObject({
    type: 'ended',
    end: { result: { id, outcome: 'success', branch: `ratchet/${id.split('.')[0] ?? ''}` } },
  })
  expect(events.at(-1)?.end).toEqual(again)
  // The command finds it by the generated name.
  expect((await user.json(project, 'status', id.split('.')[0] ?? '')).document).toMatchObject({
    runs: [{ id, phase: 'success' }],
  })
})

test('a script finds runs by session name and filters, gets helpful errors, and leaves nothing behind', async () => {
  const { stdout, stderr, code } = await runScript(
    user,
    `
    import { connect } from 'ratchet-cycles'
    const [project] = process.argv.slice(2)
    const ratchet = await connect()
    const said = async (ask) => { try { await ask(); return 'nothing' } catch (error) { return error.name + ': ' + error.message } }
    const first = await ratchet.run('WFS-test-first', { project })
    await first.result()
    const ids = async (filter) => (await ratchet.list(filter)).map(({ id }) => id)
    const all = await ids()
    // The index follows within about a second.
    while ((await ids({ open: true })).length > 0) await new Promise((resolve) => setTimeout(resolve, 100))
    const schedule = await ratchet.schedule('nightly', { kind: 'test-fix', input: { project }, cron: '0 2 * * *' })
    const planned = (await schedule.describe()).info.nextActionTimes[0].getUTCHours()
    const other = await ratchet.schedule('nightly', { kind: 'test-fix', input: { project }, cron: '0 3 * * *', note: 'later' })
    const changed = await other.describe()
    const broken = await said(() => ratchet.schedule('nightly', { kind: 'test-fix', input: { project }, cron: 'at night' }))
    const nowhere = await said(() => ratchet.schedule('nightly', { kind: 'test-fix', input: { project }, cron: '0 2 * * *', timezone: 'Mars/Base' }))
    await other.delete()
    const left = new AbortController()
    const events = []
    for await (const progress of first.progress()) { events.push(progress.type); break }
    const answer = {
      first: first.id, byName: (await ratchet.run('WFS-test-first')).id, all,
      ofKind: await ids({ kind: 'test-fix', project }), loops: await ids({ kind: 'dev-loop' }), closed: await ids({ open: false, limit: 1 }), waiting: await ids({ needsHuman: true }),
      later: await ids({ since: new Date(Date.now() + 3600_000) }), elsewhere: await ids({ project: '/elsewhere' }), planned, changed: [changed.info.nextActionTimes[0].getUTCHours(), changed.state.note], broken, nowhere, events,
      aborted: await said(async () => { left.abort(new Error('enough')); for await (const _ of first.progress({ signal: left.signal })); }),
      unknown: await said(() => ratchet.run('nightly-1')), unknownStatus: await said(() => ratchet.attach('nightly-1').status()), ended: await said(() => first.pause()),
      twice: await said(() => ratchet.startTestFix({ project: '/no/such' })), bad: await said(() => ratchet.startLoop({ project })),
    }
    const hanging = said(() => ratchet.attach(first.id).result())
    await ratchet.close()
    console.log(JSON.stringify({ ...answer, hanging: await hanging, closed2: await said(() => first.status()) }))`,
    [project],
  )
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const told = JSON.parse(stdout) as Record<string, unknown> & { all: string[]; first: string }
  expect(told.first).toMatch(/^WFS-test-first\.[0-9a-f]{6}$/)
  expect(told.all).toContain(told.first)
  expect(told).toMatchObject({
    byName: told.first,
    ofKind: told.all,
    loops: [],
    waiting: [],
    later: [],
    elsewhere: [],
    planned: 2,
    changed: [3, 'later'],
    broken: 'RefusalError: CronString does not have 5-7 fields',
    nowhere: expect.stringMatching(/^RefusalError: .*Mars/) as string,
    aborted: 'Error: enough',
    unknown: 'RunNotFoundError: there is no run nightly-1',
    unknownStatus: 'RunNotFoundError: there is no run nightly-1',
    ended: `RunClosedError: the run ${told.first} has ended`,
    twice: 'RefusalError: project: there is no directory /no/such on this machine',
    bad: expect.stringContaining('RefusalError: task: Missing loopId or task') as string,
    closed2: 'ConnectionClosedError: the connection to the server was closed by close()',
  })
  expect(told['events']).toHaveLength(1)
  expect(told['closed']).toHaveLength(1)
})
