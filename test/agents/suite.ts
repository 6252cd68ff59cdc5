// What Ratchet needs from an agent, tested on a real one through our driver. Its particulars list
// what it cannot do; nothing is skipped silently.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { KNOWN_AGENTS, type KnownName } from '../../src/contract/known-agents.js'
import type { TurnResult } from '../../src/contract/turn.js'
import type { PermissionRequest } from '../../src/adapters/agents/agent-port.js'
import type { TurnTools } from '../../src/adapters/agents/tools/tool-server.js'
import { editedFiles } from '../../src/adapters/agents/turn/edited-files.js'
import { isAlive } from '../../src/adapters/process/identity.js'
import { convergePrompt } from '../../src/core/test-fix/prompts/prompt-test-fix.js'
import { driverProgram } from '../support/agents/driver-program.js'
import { CALL_TOKENS } from '../support/model-stub/conversation.js'
import { waitFor } from '../support/wait.js'
import { PARTICULARS } from './particulars.js'
import { ageSessions, Rig } from './rig.js'

const MINUTES = 60_000

export function suite(name: KnownName): void {
  const particulars = PARTICULARS[name]
  const program = driverProgram()

  /** Runs `body` on its own rig. */
  const on = (body: (rig: Rig) => Promise<void>) => async () => {
    const rig = await Rig.start(name)
    try {
      await body(rig)
    } finally {
      await rig.end()
    }
  }

  describe.concurrent(`${name} ${KNOWN_AGENTS[name].package.version}`, () => {
    test(
      'writes a file in its directory without a permission question; the file and the usage are reported',
      on(async (rig) => {
        rig.stub.script('write', [
          { write: 'below/a.txt', content: 'written\n' },
          { say: 'All done.' },
        ])
        const result = await rig.turn(rig.spec('write'))
        expect(result).toMatchObject({
          outcome: 'completed',
          tail: expect.stringContaining('All done.') as string,
        })
        expect(rig.read('below/a.txt')).toBe('written\n')
        expect(editedFiles(result.transcript, rig.cwd)).toEqual(['below/a.txt'])
        const calls = particulars.counts === 'last' ? 1 : 2
        expect(result.usage).toMatchObject({
          inputTokens: calls * CALL_TOKENS.input,
          outputTokens: calls * CALL_TOKENS.output,
          estimated: false,
        })
        expect(result.usage.costUsd !== undefined).toBe(KNOWN_AGENTS[name].reports.cost)
      }),
      2 * MINUTES,
    )

    test(
      'a follow-up in another process knows the earlier messages',
      on(async (rig) => {
        rig.stub.script('first', [{ say: 'The word is heron.' }])
        rig.stub.script('second', [{ say: 'Again.' }])
        const first = await rig.turn(rig.spec('first'))
        ageSessions(rig.home)
        const second = await rig.turn(rig.spec('second', { sessionId: sessionOf(first) }))
        expect(second).toMatchObject({ outcome: 'completed', sessionId: first.sessionId })
        const call = rig.stub.calls('second').at(-1)
        expect(call?.marks).toEqual(['first', 'second'])
        if (particulars.answerKept)
          expect(
            call?.asked.turns.some((turn) => turn.from === 'model' && turn.text.includes('heron')),
          ).toBe(true)
      }),
      3 * MINUTES,
    )

    test(
      'cancelled at its limit it stops, and the convergence turn knows the task',
      on(async (rig) => {
        rig.stub.script('long', [{ slowS: 100 }])
        rig.stub.script('converge', [{ say: 'Handed over.' }])
        const driver = rig.driver()
        const cut = await rig.call(driver, rig.spec('long', { limitMs: 4_000, followUp: true }))
          .result
        expect(cut).toMatchObject({
          outcome: 'timed_out',
          reason: expect.stringContaining('stopped when it was asked to') as string,
        })
        await waitFor(() => rig.stub.calls('long').every((call) => call.cut), {
          what: 'the agent to hang up on the model',
          timeoutMs: 60_000,
        })
        const task = 'Fix the heron test.'
        const prompt = `${convergePrompt({ role: 'test-fix-agent', task, limitMs: 60_000 })}\nMARK:converge`
        const converged = await rig.call(
          driver,
          rig.spec('converge', { prompt, sessionId: sessionOf(cut) }),
        ).result
        expect(converged).toMatchObject({
          outcome: 'completed',
          sessionId: cut.sessionId,
          tail: expect.stringContaining('Handed over.') as string,
        })
        expect(
          rig.stub
            .calls('converge')
            .at(-1)
            ?.asked.turns.findLast(
              (turn) => turn.from === 'user' && turn.text.includes('MARK:converge'),
            )?.text,
        ).toContain(task)
      }),
      2 * MINUTES,
    )

    test(
      'killed in mid-turn it restarts in the same turn and session',
      on(async (rig) => {
        rig.stub.script('killed', [{ slowS: 100 }])
        const spec = rig.spec('killed', { limitMs: 2 * MINUTES })
        const call = rig.call(rig.driver(), spec)
        await waitFor(() => rig.stub.calls('killed').length > 0, {
          what: 'the first model call',
          timeoutMs: 30_000,
        })
        rig.stub.script('killed', [{ say: 'Finished after all.' }])
        process.kill(rig.agentOf(spec).pid, 'SIGKILL')
        const result = await call.result
        expect(result).toMatchObject({
          outcome: 'completed',
          attempts: 2,
          crashes: 1,
          tail: expect.stringContaining('Finished after all.') as string,
        })
        expect(rig.claim(spec)?.attempts.map((attempt) => attempt.sessionId)).toEqual([
          result.sessionId,
          result.sessionId,
        ])
      }),
      3 * MINUTES,
    )

    test(
      'when its driver is killed in mid-turn it dies too, and another process continues the session',
      on(async (rig) => {
        // Busy with a command: an agent that writes to its driver would notice the broken pipe.
        rig.stub.script('orphan', [{ shell: 'node -e "setInterval(() => {}, 1000)"' }])
        const spec = rig.spec('orphan', { limitMs: 2 * MINUTES })
        const driver = rig.driverProcess(program(), spec, {
          roles: { default: name },
          permissions: 'allow',
        })
        await waitFor(
          () => rig.transcript(spec).some((line) => JSON.stringify(line).includes('setInterval')),
          { what: 'the command to be called', timeoutMs: 30_000 },
        )
        const agent = rig.agentOf(spec)
        process.kill(driver, 'SIGKILL')
        await waitFor(() => !isAlive(agent), {
          what: 'the agent to end without its driver',
          timeoutMs: 15_000,
        })
        ageSessions(rig.home)
        rig.stub.script('orphan', [{ say: 'Finished after all.' }])
        const result = await rig.turn(spec)
        expect(result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
        expect(rig.claim(spec)?.attempts.map((attempt) => attempt.sessionId)).toEqual([
          result.sessionId,
          result.sessionId,
        ])
      }),
      3 * MINUTES,
    )

    test(
      'permissions: deny, ask and allow',
      on(async (rig) => {
        const outside = path.join(rig.root, 'outside.txt')
        rig.stub.script('deny', [{ shell: writing('denied.txt') }, { say: 'On.' }])
        rig.stub.script('ask', [{ shell: writing('asked.txt') }, { say: 'On.' }])
        rig.stub.script('allow', [{ shell: writing(outside) }, { say: 'On.' }])
        if (particulars.shellDenied !== 'no shell') {
          const denied = await rig.turn(rig.spec('deny'))
          expect(denied.outcome).toBe('completed')
          expect(rig.read('denied.txt')).toBe(
            particulars.shellDenied === 'refused' ? undefined : 'ran\n',
          )
          expect(denied.denied?.length ?? 0).toBe(particulars.shellDenied === 'refused' ? 1 : 0)
        } else {
          rig.stub.script('deny', [{ say: 'On.' }])
          await rig.turn(rig.spec('deny'))
          expect(rig.stub.calls('deny')[0]?.asked.tools).not.toContain('bash')
        }
        const asked: PermissionRequest[] = []
        const onPermission = (request: PermissionRequest) => {
          asked.push(request)
          return Promise.resolve('allow' as const)
        }
        expect(
          (await rig.turn(rig.spec('ask'), rig.config({ permissions: 'ask' }), { onPermission }))
            .outcome,
        ).toBe('completed')
        expect(rig.read('asked.txt')).toBe('ran\n')
        expect(asked.map((request) => request.kind)).toEqual(
          particulars.asksForShell ? ['execute'] : [],
        )
        expect(
          (await rig.turn(rig.spec('allow'), rig.config({ permissions: 'allow' }))).outcome,
        ).toBe('completed')
        expect(rig.read(outside)).toBe('ran\n')
      }),
      3 * MINUTES,
    )

    test(
      'calls the tools of Ratchet without a question',
      on(async (rig) => {
        rig.stub.script('tools', [
          { mcp: 'run_tests', input: { files: ['a.test.js'] } },
          { mcp: 'failures', input: {} },
          { mcp: 'diff', input: {} },
          { say: 'Green.' },
        ])
        const ran: (readonly string[])[] = []
        const tools: TurnTools = {
          mayUse: true,
          runTests(files) {
            ran.push(files)
            return Promise.resolve({
              kind: 'measured',
              passed: 1,
              failed: 1,
              skipped: 0,
              failures: [{ file: 'a.test.js', test: 'adds', error: 'the heron is grey' }],
              restored: [],
            })
          },
          failures: () => [],
          diff: () => Promise.resolve({ files: ['a.js'], patch: 'diff --git a.js\n+the otter\n' }),
        }
        const result = await rig.turn(rig.spec('tools'), rig.config(), { tools })
        expect(result).toMatchObject({ outcome: 'completed', tests: { runs: 1 }, leftovers: 0 })
        expect(result.denied).toBeUndefined()
        expect(ran).toEqual([['a.test.js']])
        const read = rig.stub
          .calls('tools')
          .at(-1)
          ?.asked.turns.filter(({ from }) => from === 'tool')
          .map(({ text }) => text)
          .join('\n')
        expect(read).toContain('the heron is grey')
        expect(read).toContain('+the otter')
      }),
      2 * MINUTES,
    )

    test(
      `a limit of the provider ${particulars.onLimit === 'rate_limited' ? 'is an outcome of its own' : 'is hidden by its own retries, and the turn ends at its limit'}`,
      on(async (rig) => {
        rig.stub.script('limited', [{ fail: { status: 429, resetsInS: 3_600 } }])
        const result = await rig.turn(
          rig.spec('limited', { limitMs: particulars.onLimit === 'retries' ? 12_000 : 60_000 }),
        )
        expect(result.outcome).toBe(
          particulars.onLimit === 'rate_limited' ? 'rate_limited' : 'timed_out',
        )
        if (particulars.onLimit === 'rate_limited')
          expect(result.limitedUntil).toBeGreaterThan(Date.now())
      }),
      2 * MINUTES,
    )

    test(
      'a bad request, a refused key and a missing key fail with a remedy',
      on(async (rig) => {
        rig.stub.script('bad', [{ fail: { status: 400, message: 'the stub takes no such thing' } }])
        rig.stub.script('unknown', [{ fail: { status: 401 } }])
        expect(await rig.turn(rig.spec('bad'))).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining('the stub takes no such thing') as string,
        })
        const refused = await rig.turn(rig.spec('unknown'))
        expect(refused.outcome).toBe('failed')
        expect(refused.reason).toMatch(particulars.refusedKey)
        // Where it stores its providers and their keys
        rmSync(path.join(rig.home, '.config/opencode'), { recursive: true, force: true })
        const keyless = Object.fromEntries(
          Object.entries(rig.env).filter(
            ([variable]) =>
              !KNOWN_AGENTS[name].keyEnv.includes(variable) && !variable.endsWith('BASE_URL'),
          ),
        )
        const missing = await rig
          .call(rig.driver(keyless), rig.spec('bad'))
          .result.catch((error: Error) => ({ outcome: 'failed', reason: error.message }))
        expect(missing.outcome).toBe('failed')
        expect(missing.reason).toMatch(particulars.noKey)
      }),
      3 * MINUTES,
    )

    test(
      'agents: calls the model set in the config',
      on(async (rig) => {
        const { name: model, seen } = particulars.model
        rig.stub.script('model', [{ say: 'Here.' }])
        expect(
          await rig.turn(rig.spec('model'), rig.config({ agents: { [name]: { model } } })),
        ).toMatchObject({ outcome: 'completed' })
        // Not by its tools: the newest models of codex get theirs in another way (agents.md C5).
        expect(
          rig.stub.seen.filter((call) => call.mark === 'model').map((call) => call.asked.model),
        ).toContain(seen)
      }),
      2 * MINUTES,
    )
  })
}

/** A command that no agent treats as an edit, as claude treats a redirected echo. */
function writing(file: string): string {
  return `node -e "require('fs').writeFileSync('${file}', 'ran\\n')"`
}

function sessionOf({ sessionId }: TurnResult): string {
  if (sessionId === undefined) throw new Error('the turn has no session')
  return sessionId
}
