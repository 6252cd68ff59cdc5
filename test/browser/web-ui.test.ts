// A person who uses only the Temporal Web UI starts, pauses, answers, extends and stops runs in its
// forms, in a real browser. The results are read from the workflow, not from the page. The list
// queries come from docs/web-ui.md.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureProjectWorker, localStatus } from '../../src/dev-server/index.js'
import { everybody } from '../support/cycle/cycle-play.js'
import { workers } from '../support/loop/loop-play.js'
import {
  ANALYSE,
  makeProject,
  markers,
  realUser,
  RIGHT_ADD,
  RIGHT_MUL,
  type RealUser,
  type Step,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'
import { CHROMIUM, openWebUi, type WebUi } from '../support/browser/web-ui.js'

/** Each step renders half a dozen pages, which is slow on a busy machine. */
const BUSY_MS = 150_000
const DOCS = readFileSync(new URL('../../docs/web-ui.md', import.meta.url), 'utf8')

/** The list queries of the docs, in order, for this project and the time of this test. */
function queries(project: string): string[] {
  const shown = [...DOCS.matchAll(/^```sql\n(.+)\n```$/gm)].map(([, query]) => query ?? '')
  return shown.map((query) =>
    query
      .replaceAll('/home/me/shop', project)
      .replaceAll('2026-11-15', new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)),
  )
}

describe.skipIf(CHROMIUM === undefined)(
  'in the Web UI (needs chromium on the PATH)',
  { timeout: 4 * BUSY_MS },
  () => {
    let user: RealUser
    let ui: WebUi
    beforeAll(async () => {
      user = await realUser()
      ui = await openWebUi((await localStatus(user.dirs)).server?.uiUrl ?? '')
    })
    afterAll(async () => {
      await ui.close()
      await user.close()
    })

    const registered = async (name: string, steps: Step[]): Promise<string> => {
      const project = makeProject(user, name, steps)
      await ensureProjectWorker(user.dirs, project, { env: user.env })
      return project
    }
    const until = (
      id: string,
      what: string,
      is: (
        status: Awaited<ReturnType<ReturnType<RealUser['ratchet']['attach']>['status']>>,
      ) => boolean,
    ) =>
      waitFor(
        async () => {
          const s = await user.ratchet.attach(id).status()
          return is(s) ? s : undefined
        },
        { what, timeoutMs: BUSY_MS, everyMs: 100 },
      )
    /** The JSON line that "Current Details" shows for an option of the open question. */
    const answerFor = async (id: string, option: string): Promise<string> => {
      const text = await ui.details(id)
      const line = new RegExp(`\\{"questionId":"[^"]+","choice":"${option}"\\}`).exec(text)?.[0]
      if (line === undefined) throw new Error(`no answer ${option} in:\n${text}`)
      return line
    }

    test('starts, inspects, pauses, resumes, extends and stops a test-fix run', async () => {
      const go = path.join(user.root, 'fix.go')
      const project = await registered('fix', [
        ANALYSE,
        {
          when: { role: 'test-fix-agent' },
          do: [RIGHT_ADD, { wait: { 'until-file': go } }, RIGHT_MUL],
        },
      ])
      const id = await ui.start({ type: 'testFixCycle', input: JSON.stringify({ project }) })
      expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      const run = user.ratchet.attach(id)
      const turns = () =>
        markers(user, 'fix')
          .filter((m) => m.role === 'test-fix-agent')
          .map((m) => m.attempt)
      await waitFor(() => turns().length === 1, { what: 'the fix turn', timeoutMs: BUSY_MS })
      // The agent works before its first heartbeat shows it.
      await waitFor(
        async () =>
          (await ui.pendingActivities(id)).includes('playbook as test-fix-agent: at work'),
        { what: 'the agent at work on the page', timeoutMs: BUSY_MS },
      )

      await ui.signal(id, 'pause', '{"mode":"now","reason":"over night"}')
      await until(
        id,
        'the pause',
        (s) => s.status === 'paused' && s.waitingFor.includes('over night'),
      )
      expect(await ui.details(id)).toMatch(
        /Fixes the failing tests of .*fix\n+paused · fix · iteration 0 of 5 · 33.3 % of the tests pass\n+Waiting for paused \(over night\)/,
      )

      await ui.signal(id, 'resume')
      await waitFor(() => turns().length === 2, { what: 'the resumed turn', timeoutMs: BUSY_MS })
      await ui.update(id, 'extend', '{"iterations":3}')
      expect(await run.status()).toMatchObject({ status: 'running', maxIterations: 8 })
      expect(await ui.query(id, 'status')).toMatch(/"maxIterations": ?8/)
      const told = await ui.metadata(id)
      for (const summary of [
        'analysis iteration 1: playbook as cli-planning-agent',
        'fix iteration 1: playbook as test-fix-agent',
      ])
        expect(told).toContain(summary)

      await ui.signal(id, 'stop', '{"reason":"enough"}')
      expect(await user.finish(run)).toMatchObject({
        outcome: 'stopped',
        reason: 'stopped by request: enough',
      })
      const [, , below] = queries(project)
      await waitFor(async () => (await ui.list(below ?? '')).includes(id), {
        what: 'the run in the list of its project',
        timeoutMs: BUSY_MS,
      })
    })

    test('answers a question of a dev loop with the JSON shown next to its option', async () => {
      const project = await registered('ask', workers([RIGHT_ADD, RIGHT_MUL]))
      const id = await ui.start({
        type: 'devLoop',
        input: JSON.stringify({ project, task: 'Make the calculator right' }),
      })
      await until(id, 'the menu', (s) => s.questions === 1)
      const [needsHuman] = queries(project)
      await waitFor(async () => (await ui.list(needsHuman ?? '')).includes(id), {
        what: 'the run in the list of those that need a human',
        timeoutMs: BUSY_MS,
      })
      expect(await ui.details(id)).toMatch(/Works in .*ask: Make the calculator right/)

      await ui.update(id, 'answer', await answerFor(id, 'develop'))
      await until(id, 'the menu after develop', (s) => s.questions === 1 && s.history.length > 2)
      expect(markers(user, 'ask').map((m) => m.role)).toEqual(['loop-init', 'loop-develop'])
      await ui.update(id, 'answer', await answerFor(id, 'exit'))
      expect(await user.finish(user.ratchet.attach(id))).toMatchObject({ outcome: 'user_exit' })
      await waitFor(async () => !(await ui.list(needsHuman ?? '')).includes(id), {
        what: 'the end in that list',
        timeoutMs: BUSY_MS,
      })
    })

    test('starts a dev cycle under a custom id and shows each of its agents', async () => {
      const project = await registered('build', everybody([RIGHT_ADD, RIGHT_MUL]))
      expect(
        await ui.start({
          type: 'devCycle',
          id: 'calculator-1',
          input: JSON.stringify({ project, task: 'Make the calculator right' }),
        }),
      ).toBe('calculator-1')
      expect(await user.finish(user.ratchet.attach('calculator-1'))).toMatchObject({
        id: 'calculator-1',
        outcome: 'completed',
        passRate: 100,
        branch: 'ratchet/calculator-1',
      })
      const told = await ui.metadata('calculator-1')
      for (const [short, role] of [
        ['RA', 'requirements-analyst'],
        ['EP', 'exploration-planner'],
        ['CD', 'code-developer'],
        ['VAS', 'validation-archivist'],
      ])
        expect(told).toContain(`${short} iteration 1: playbook as ${role}`)
      expect(await ui.details('calculator-1')).toContain(
        'completed · iteration 1 of 5 · 100 % of the tests pass',
      )
    })

    test('invalid JSON fails at once with the name of the field, and is listed among the failures of this week', async () => {
      const project = await registered('wrong', [])
      const id = await ui.start({
        type: 'testFixCycle',
        input: JSON.stringify({ project, maxIterations: 'many' }),
      })
      await expect(user.ratchet.attach(id).result()).resolves.toMatchObject({
        ended: { type: 'BadInput', message: expect.stringContaining('maxIterations: ') as string },
      })
      const [, failed] = queries(project)
      await waitFor(async () => (await ui.list(failed ?? '')).includes(id), {
        what: 'the run in the list of those that failed',
        timeoutMs: BUSY_MS,
      })
      await ui.page.getByRole('link', { name: id }).first().click()
      await waitFor(
        async () => (await ui.page.locator('body').innerText()).includes('maxIterations: '),
        { what: 'the field on the page of the run', timeoutMs: BUSY_MS },
      )
    })

    test('the form shows why it refuses an update that answers no question', async () => {
      const project = await registered('refuse', workers([RIGHT_ADD, RIGHT_MUL]))
      const id = await ui.start({
        type: 'devLoop',
        input: JSON.stringify({ project, task: 'Make the calculator right' }),
      })
      await until(id, 'the menu', (s) => s.questions === 1)
      await expect(ui.update(id, 'answer', '{"choice":"dance"}')).rejects.toThrow(
        '"dance" is not an option of question menu-1',
      )
      await ui.signal(id, 'stop')
      await user.finish(user.ratchet.attach(id))
    })
  },
)
