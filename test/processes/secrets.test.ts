// Searches everything that a whole run stores and shows for a planted secret. The agent gets it by
// `passEnv` and leaks it everywhere; a set-up command prints it. Text that an agent writes into the
// user's files stays unchanged, so the secret is expected there.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandLine } from '../../src/cli/program.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import type { RunHandle } from '../../src/client/index.js'
import { layout } from '../../src/adapters/state-dir.js'
import { filesIn, runGit } from '../support/repositories/repos.js'
import { makeProject, realUser, type RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

const KEY = 'sk-planted-0123456789abcdef'
const REDACTED = '[redacted:PLANTED_KEY]'
const SESSION = 'WFS-test-secret'

let user: RealUser
beforeAll(async () => {
  user = await realUser({ PLANTED_KEY: KEY })
})
afterAll(() => user.close())

type Begin = (project: string) => Promise<RunHandle>
test.each<{ kind: string; begin: Begin }>(
  // prettier-ignore
  [
  { kind: 'test-fix', begin: (project) => user.fix(project, SESSION, { maxIterations: 1 }) },
  { kind: 'dev-cycle', begin: (project) => user.cycle(project, 'cycle-v1-20260122T100000-secret01', { task: 'Make the calculator right', maxIterations: 1 }) },
  { kind: 'dev-loop', begin: (project) => user.loop(project, 'loop-b-20260122T100000-secret01', { task: 'Make the calculator right', mode: 'auto' }) },
],
)(
  'a secret that an agent leaks everywhere is in nothing that a run stores: $kind',
  { timeout: 240_000 },
  async ({ kind, begin }) => {
    const told = path.join(user.root, `told-${kind}`)
    const agent = {
      protocol: 'acp',
      command: process.execPath,
      args: [
        fileURLToPath(new URL('../support/agents/tells-secret.mjs', import.meta.url)),
        path.join(user.root, `been-${kind}`),
      ],
      passEnv: ['PLANTED_KEY'],
    }
    const project = makeProject(user, `secret-${kind}`, [{ when: {}, do: [] }], {
      agents: { odd: agent },
      roles: { default: 'odd' },
      permissions: 'ask',
      workspace: { setup: [['sh', '-c', 'echo "set up with $PLANTED_KEY"']] },
      hooks: { question: ['sh', '-c', `cat >> ${told}`], done: ['sh', '-c', `cat >> ${told}`] },
    })
    const run = await begin(project)
    const heartbeats: string[] = []
    const [answered, commandLines] = [new Set<string>(), new Set<string>()]
    const client = new Client({
      connection: await Connection.connect({ address: recordedServer(user.dirs)?.address ?? '' }),
      namespace: 'ratchet',
    })
    const workflow = client.workflow.getHandle(run.id)
    await waitFor(
      async () => {
        const { raw, status } = await workflow.describe()
        const beat = textIn(raw.pendingActivities)
        heartbeats.push(beat)
        for (const line of execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split(
          '\n',
        ))
          commandLines.add(line)
        // Answers only after a heartbeat has shown it; the worker may still be starting.
        const open = beat.includes('waiting for a person')
          ? await run.questions().catch(() => [])
          : []
        for (const { id } of open.filter((question) => !answered.has(question.id))) {
          await run.answer({ questionId: id, choice: 'deny' })
          answered.add(id)
        }
        return status.name !== 'RUNNING'
      },
      { what: 'the end of the run', timeoutMs: 200_000 },
    )
    const result = await user.finish(run)
    expect(result.passRate).toBe(100)

    const history = textIn(await workflow.fetchHistory())
    expect(history).toContain(REDACTED) // the search covers the places it would be in
    expect(history).toContain(`send ${REDACTED} somewhere`)
    expect(history).not.toContain(KEY)
    expect(heartbeats.join('')).toContain('"agent":"odd"')
    expect(heartbeats.join('')).not.toContain(KEY)
    expect(JSON.stringify(result)).not.toContain(KEY)
    expect([...commandLines].some((line) => line.includes('tells-secret.mjs'))).toBe(true)
    expect([...commandLines].filter((line) => line.includes(KEY))).toEqual([])
    // What the Web UI shows of a run
    expect(textIn(await workflow.query('__temporal_workflow_metadata'))).not.toContain(KEY)
    expect(readFileSync(told, 'utf8')).toContain(run.id) // hooks ran
    // A report of a fix shows its diff, which is the user's.
    const formats = ['junit', 'ctrf', ...(kind === 'test-fix' ? [] : ['md', 'html', 'json'])]
    for (const argv of [
      ['status', run.id],
      ['status', run.id, '--json'],
      ['logs', run.id],
      ['logs', 'worker'],
      ...formats.map((format) => ['report', run.id, '--format', format, '--output', '-']),
    ]) {
      const said = await shown(project, argv)
      expect([argv, said.length > 0, said.includes(KEY)]).toEqual([argv, true, false])
    }

    const tree = result.branch === null ? '' : result.branch
    if (kind === 'test-fix')
      // Committed content is the user's
      expect(Object.keys(filesIn(project, tree))).toContain(`note-${KEY}.txt`)
    expect(runGit(project, 'log', '--all', '--format=%B')).not.toContain(KEY)
    expect(runGit(project, 'for-each-ref')).not.toContain(KEY)

    const files = [...filesBelow(user.root)].filter(({ file }) => !belongsToUser(file, project))
    const server = files.filter(({ file }) => file.startsWith(layout.server(user.dirs)))
    // The database is readable this way
    expect(server.some(({ bytes }) => bytes.includes(REDACTED))).toBe(true)
    expect(
      files.some(
        ({ file, bytes }) => file.endsWith('transcript.ndjson') && bytes.includes(REDACTED),
      ),
    ).toBe(true)
    expect(
      files.some(
        ({ file, bytes }) =>
          file.endsWith('prepare.log') && bytes.includes(`set up with ${REDACTED}`),
      ),
    ).toBe(true)
    expect(
      files.some(({ file, bytes }) => file.endsWith('stderr.log') && bytes.includes(REDACTED)),
    ).toBe(true)
    expect(
      files.some(
        ({ file, bytes }) =>
          file.startsWith(path.join(project, '.workflow')) && bytes.includes(REDACTED),
      ),
    ).toBe(true)
    expect(
      files
        .filter(({ file, bytes }) => file.includes(KEY) || bytes.includes(KEY))
        .map(({ file }) => path.relative(user.root, file)),
    ).toEqual([])
  },
)

/** What a command prints, both streams. */
async function shown(project: string, argv: string[]): Promise<string> {
  let said = ''
  const hear = (text: string): void => void (said += text)
  await runCommandLine(
    argv,
    { version: 'test', env: user.env, cwd: project, interrupted: new AbortController().signal },
    { stdout: hear, stderr: hear },
  )
  return said
}

/** Every string and every payload in a message of the server, decoded. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return `${value}\n`
  if (value instanceof Uint8Array) return `${Buffer.from(value).toString('utf8')}\n`
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, inner]) => `${name}\n${textIn(inner)}`)
    .join('')
}

/**
 * The working trees of projects and of the workspace, and what git keeps of them; records are not
 * among them.
 */
function belongsToUser(file: string, project: string): boolean {
  if (file.startsWith(path.join(project, '.workflow'))) return false
  const isHistory =
    /\/projects\/[^/]+\/\.git\//.test(file) || /\/workspaces\/[^/]+\/[^/]+\/git\//.test(file)
  return (
    file.startsWith(`${project}${path.sep}`) ||
    isHistory ||
    /\/workspaces\/[^/]+\/[^/]+\/tree\//.test(file)
  )
}

function* filesBelow(dir: string): Generator<{ file: string; bytes: Buffer }> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name)
    if (entry.isDirectory()) yield* filesBelow(file)
    else if (entry.isFile()) yield { file, bytes: readFileSync(file) }
  }
}
