// What another user of this machine tries, as another user: a process with another uid reads, writes
// and signals what belongs to a user with a run, and calls the ports of 127.0.0.1.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { layout } from '../../src/adapters/state-dir.js'
import { MAIN_QUEUE, NAMESPACE } from '../../src/contract/names.js'
import { asPayload, scheduleAs } from '../support/hosts/stranger.js'
import { attacker, WITHOUT_SECOND_USER, type Attacker } from '../support/second-user/attacker.js'
import { openUser, victim, type Victim } from '../support/second-user/victim.js'
import { runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

if (WITHOUT_SECOND_USER !== undefined)
  console.log(`skipped: another user of this machine, as that ${WITHOUT_SECOND_USER}`)

/** Names that processes of the first server's user made in the temporary directory. */
let guesses: string[] = []
/** A file in the temporary directory that every user may read: the control of the ambush. */
const OPEN = 'open'
const trapOf = ({ home }: Attacker): string => path.join(home, 'trap')

describe.skipIf(WITHOUT_SECOND_USER !== undefined).each([
  { kind: 'open to every user', isPrivate: false },
  { kind: 'private', isPrivate: true },
])('another user, on a server that is $kind', ({ isPrivate }) => {
  const works = isPrivate ? 'is refused' : 'works, as SECURITY.md says'
  let opened: ReturnType<typeof openUser> | undefined
  let other: Attacker
  let mine: Victim
  let client: Client
  let umask: number

  beforeAll(async () => {
    umask = process.umask(0o022) // as most shells have it
    opened = openUser()
    const { user, temporary } = opened
    other = attacker(user.root)
    const planted = guesses.map((name) => path.join(temporary, name))
    expect(await other.link(planted, trapOf(other))).toBe('done')
    await other.ambush(temporary)
    writeFileSync(path.join(temporary, OPEN), '')
    const isReached = async (): Promise<boolean> => (await other.seen()).reached.length > 0
    await waitFor(isReached, { what: 'the ambush' })
    await other.watchCommands()
    mine = await victim(opened, isPrivate)
    const port = await other.relay(Number(mine.server.address.split(':')[1]))
    const connection = await Connection.connect({ address: `127.0.0.1:${port}` })
    client = new Client({ connection, namespace: NAMESPACE })
  })
  afterAll(async () => {
    process.umask(umask)
    await client?.connection.close()
    await other?.end()
    await opened?.user.remove()
  })

  test('the control: it is another user, who may read the project and see the processes', async () => {
    expect(await other.uid()).not.toBe(process.getuid?.())
    const code = path.join(mine.project, 'calc.py')
    expect(await other.touch(['read', 'write'], [code])).toEqual([`read ${code}`])
    expect((await other.seen()).commands.join('\n')).toContain('supervisor-main.js')
  })

  test('nothing that Ratchet stores can be read, listed, entered or written', async () => {
    const { files, dirs } = mine.made()
    const { state } = mine.dirs
    const kinds = ['server', 'logs', 'locks', 'projects', 'turns', 'workspaces', 'environments']
    const record = path.join(mine.project, '.workflow')
    for (const one of [...kinds.map((kind) => path.join(state, kind)), record])
      expect(dirs).toContain(one)
    expect(files).toContain(layout.serverRecord(mine.dirs))
    expect(files).toContain(layout.supervisor(mine.dirs))
    expect(files.includes(layout.signingKey(mine.dirs))).toBe(isPrivate)
    expect(await other.touch(['read', 'write'], files)).toEqual([])
    expect(await other.touch(['list', 'enter', 'create'], dirs)).toEqual([])
  })

  test('no process can be signalled, and none shows its environment, memory or files', async () => {
    const pids = mine.processes.map(({ pid }) => pid)
    // Supervisor, server, two workers and an agent
    expect(pids.length).toBeGreaterThanOrEqual(5)
    for (const name of ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const)
      expect(await other.signal(pids, name)).toEqual(pids.map(() => 'EPERM'))
    const of = (name: string): string[] => pids.map((pid) => `/proc/${pid}/${name}`)
    const files = ['environ', 'mem', 'maps', 'auxv', 'stack', 'syscall'].flatMap(of)
    expect(await other.touch(['read', 'write'], files)).toEqual([])
    expect(await other.touch(['list'], ['fd', 'map_files'].flatMap(of))).toEqual([])
    expect(await other.touch(['follow link'], ['cwd', 'exe', 'root'].flatMap(of))).toEqual([])
    expect(mine.alive()).toBe(true)
  })

  test('the supervisor answers no call without its token', async () => {
    const { port } = mine.supervisor
    const calls = ['GET /status', 'POST /runs', 'POST /ui', 'POST /wanted', 'POST /stop']
    for (const call of [...calls, 'POST /projects'])
      for (const token of [undefined, '', 'Bearer ', `Bearer ${'0'.repeat(64)}`]) {
        const [method = '', asked = ''] = call.split(' ')
        const headers: Record<string, string> = token === undefined ? {} : { authorization: token }
        const answer = await other.ask({ port, method, path: asked, headers })
        expect([call, token, answer.code]).toEqual([call, token, 401])
      }
    expect(mine.alive()).toBe(true)
  })

  test('the HTTP API of the server answers to no name but the one in a command line', async () => {
    const { port, host: name } = mine.server.api ?? { port: 0, host: '' }
    const at = { port, path: `/api/v1/namespaces/${NAMESPACE}/workflows` }
    for (const host of ['127.0.0.1', 'localhost', 'guessed.invalid'])
      expect(await other.ask({ ...at, headers: { host } })).toMatchObject({
        code: 403,
        text: expect.stringContaining('Host not allowed') as string,
      })
    // The name keeps pages out, not users, who reach the same by gRPC
    expect((await other.seen()).commands.join('\n')).toContain(name)
    expect((await other.ask({ ...at, headers: { host: name } })).code).toBe(200)
  })

  test('the Web UI refuses other hosts and pages; a private one needs a link that counts once', async () => {
    const ui = async (): Promise<URL> =>
      new URL((await mine.user.json<{ url: string }>(mine.project, 'ui')).document.url)
    const link = await ui()
    const port = Number(link.port)
    const code = async (path = '/', headers: Record<string, string> = {}): Promise<number> =>
      (await other.ask({ port, path, headers })).code
    expect(await code('/', { host: 'evil.example' })).toBe(403)
    expect(await code('/', { origin: 'http://evil.example' })).toBe(403)
    expect(await code()).toBe(isPrivate ? 403 : 200)
    if (!isPrivate) return
    const guess = '0'.repeat(64)
    expect(await code('/', { cookie: `ratchet-ui=${guess}` })).toBe(403)
    expect(await code(`${link.pathname}?link=${guess}`)).toBe(403)
    expect((await fetch(link)).status).toBe(200)
    expect(await code(`${link.pathname}${link.search}`)).toBe(403)
    mine.secrets.push(link.searchParams.get('link') ?? '')
  })

  /** How a run starts: `runs` if it has its workspace prepared, else why not. */
  async function fate(id: string): Promise<string> {
    const handle = client.workflow.getHandle(id)
    const look = async (): Promise<string | undefined> => {
      const { events } = await handle.fetchHistory()
      for (const event of events ?? []) {
        const { failure } = event.workflowExecutionFailedEventAttributes ?? {}
        if (failure != null) return `${failure.applicationFailureInfo?.type}: ${failure.message}`
        const { activityType } = event.activityTaskScheduledEventAttributes ?? {}
        if (activityType?.name === 'prepareRun') return 'runs'
      }
      return undefined
    }
    const how = await waitFor(look, { what: `the start of ${id}`, timeoutMs: 30_000 })
    if (how === 'runs') await handle.terminate()
    return how
  }
  const expected = (): unknown =>
    isPrivate ? (expect.stringMatching(/^BadInput: .*not signed/) as unknown) : 'runs'

  test(`a run that it starts: ${works}`, async () => {
    const args = [{ project: mine.project, session: 'WFS-test-theirs' }]
    const run = { taskQueue: MAIN_QUEUE, workflowId: 'theirs', args }
    await client.workflow.start('testFixCycle', run)
    expect(await fate('theirs')).toEqual(expected())
  })

  test(`a run of a schedule that it makes: ${works}`, async () => {
    const args = [{ project: mine.project, session: 'WFS-test-planned' }]
    const schedule = await client.schedule.create({
      scheduleId: 'theirs',
      spec: {},
      action: { type: 'startWorkflow', workflowType: 'testFixCycle', taskQueue: MAIN_QUEUE, args },
    })
    await schedule.trigger()
    const started = async (): Promise<string | undefined> =>
      (await schedule.describe()).info.recentActions[0]?.action.workflow.workflowId
    const id = await waitFor(started, { what: 'the scheduled run', timeoutMs: 30_000 })
    await schedule.delete()
    expect(await fate(id)).toEqual(expected())
  })

  test('an activity that it puts into the queue of the project is refused', async () => {
    const input = { run: mine.run, step: 'x', workspace: { root: '/', cwd: '/' }, command: ['id'] }
    const server = { client, connection: client.connection as Connection }
    for (const name of ['prepareRun', 'runTests', 'agentTurn']) {
      const wanted = { name, queue: mine.queue, input: asPayload(input) }
      const { completed, says } = await scheduleAs(server, `by-hand-${name}`, wanted)
      expect([name, completed]).toEqual([name, false])
      expect(says).toMatch(isPrivate ? /^BadInput: .* is not signed/ : /^BadInput: .* is refused: /)
    }
  })

  test('it may read the run, pause it and let it continue', async () => {
    const handle = client.workflow.getHandle(mine.run)
    expect((await handle.fetchHistory()).events?.length).toBeGreaterThan(0)
    await handle.signal('pause', {})
    await handle.signal('resume', {})
  })

  test(`an extension and an answer from it: ${works}`, async () => {
    const handle = client.workflow.getHandle(mine.run)
    const send = (name: string, input: object): Promise<string> =>
      handle.executeUpdate<string, [object]>(name, { args: [input] }).then(
        () => 'taken',
        (error: Error & { cause?: Error }) => error.cause?.message ?? error.message,
      )
    const how: unknown = isPrivate ? expect.stringMatching(/not signed/) : 'taken'
    expect(await send('extend', { iterations: 1 })).toEqual(how)
    expect(await send('answer', { choice: 'allow' })).toEqual(how)
  })

  test('no command line of a whole run shows a secret or a token', async () => {
    await mine.finish()
    const { commands } = await other.seen()
    for (const program of ['supervisor-main.js', 'worker/main.js', 'scripted/main.js', 'pytest'])
      expect(commands.some((line) => line.includes(program))).toBe(true)
    expect(commands.filter((line) => mine.secrets.some((one) => line.includes(one)))).toEqual([])
  })

  test('no name in the temporary directory can be guessed, and nothing there be reached', async () => {
    expect(await mine.finish()).toMatchObject({ exitCode: 0 })
    const { names, reached } = await other.seen()
    expect(reached).toEqual([`read ${path.join(mine.temporary, OPEN)}`])
    const made = names.filter((name) => name !== OPEN)
    expect(made.some((name) => /^ratchet-index-\w{6}$/.test(name))).toBe(true)
    expect(made).not.toContain(`ratchet-playbook-${process.getuid?.()}`)
    expect(made.filter((name) => guesses.includes(name))).toEqual([])
    guesses = made
    expect(readdirSync(trapOf(other))).toEqual([])
  })

  test('the gap named in SECURITY.md: git shows what is in a file that only the user may read', async () => {
    await mine.finish()
    const own = path.join(mine.project, 'private.txt')
    expect(await other.touch(['read'], [own])).toEqual([])
    const blob = runGit(mine.project, 'hash-object', own)
    const packs = path.join(mine.project, '.git/objects/pack')
    const loose = path.join(mine.project, '.git/objects', blob.slice(0, 2), blob.slice(2))
    const holds = existsSync(loose)
      ? [loose]
      : readdirSync(packs).flatMap((name) =>
          name.endsWith('.idx') && runGit(packs, 'verify-pack', '-v', name).includes(blob)
            ? [path.join(packs, name.replace(/idx$/, 'pack'))]
            : [],
        )
    expect(holds).toHaveLength(1)
    expect(await other.touch(['read', 'write'], holds)).toEqual(holds.map((one) => `read ${one}`))
  })
})
