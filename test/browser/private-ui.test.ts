// The Web UI of a private server: opened by the link of `ratchet ui`, it starts, extends and pauses
// runs; without the link nothing of it answers, and the terminal's starts are refused.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureProjectWorker, localStatus, uiLink } from '../../src/dev-server/index.js'
import { CHROMIUM, openWebUi, type WebUi } from '../support/browser/web-ui.js'
import { ANALYSE, makeProject, realUser, type RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

const BUSY_MS = 150_000

describe.skipIf(CHROMIUM === undefined)(
  'the Web UI of a private server (needs chromium on the PATH)',
  { timeout: 4 * BUSY_MS },
  () => {
    let user: RealUser
    let ui: WebUi
    let uiUrl: string
    let project: string
    beforeAll(async () => {
      const config = mkdtempSync(path.join(os.tmpdir(), 'ratchet-config-'))
      mkdirSync(path.join(config, 'ratchet'))
      const local = { local: { private: true } }
      writeFileSync(path.join(config, 'ratchet/config.json'), JSON.stringify(local))
      user = await realUser({ XDG_CONFIG_HOME: config })
      uiUrl = (await localStatus(user.dirs)).server?.uiUrl ?? ''
      ui = await openWebUi(uiUrl)
      const until = path.join(user.root, 'never')
      project = makeProject(user, 'mine', [{ ...ANALYSE, do: [{ wait: { 'until-file': until } }] }])
      await ensureProjectWorker(user.dirs, project, { env: user.env })
    })
    afterAll(async () => {
      await ui.close()
      await user.close()
    })

    const body = (): Promise<string> => ui.page.locator('body').innerText()

    test('answers nothing without the link, which counts once', async () => {
      expect((await fetch(`${uiUrl}/api/v1/namespaces`)).status).toBe(403)
      await ui.page.goto(uiUrl)
      expect(await body()).toContain('Open its Web UI with: ratchet ui')
      const { url, once } = await uiLink(user.dirs)
      expect(once).toBe(true)
      await ui.page.goto(url)
      await waitFor(() => ui.page.url().includes('/namespaces'), {
        what: 'the Web UI behind the link',
        timeoutMs: BUSY_MS,
      })
      expect(ui.page.url()).not.toContain('link=')
      const again = await fetch(url)
      expect(again.status).toBe(403)
      expect(await again.text()).toContain('This link has been used')
    })

    test('starts, pauses, extends and stops a run', async () => {
      const id = await ui.start({ type: 'testFixCycle', input: JSON.stringify({ project }) })
      const run = user.ratchet.attach(id)
      await waitFor(async () => (await run.status()).phase === 'analysis', {
        what: 'the analysis',
        timeoutMs: BUSY_MS,
        everyMs: 200,
      })
      await ui.update(id, 'extend', '{"iterations":3}')
      expect(await run.status()).toMatchObject({ maxIterations: 8 })
      await ui.signal(id, 'pause', '{"reason":"lunch"}')
      await waitFor(async () => (await run.status()).waitingFor.includes('lunch'), {
        what: 'the pause',
        timeoutMs: BUSY_MS,
      })
      await ui.signal(id, 'stop')
      const end = await run.result()
      expect('result' in end && end.result.outcome).toBe('stopped')
    })

    test('a start that is typed by hand says what to use instead', async () => {
      const { server } = await localStatus(user.dirs)
      const connection = await Connection.connect({ address: server?.address ?? '' })
      try {
        const { workflow } = new Client({ connection, namespace: 'ratchet' })
        const typed = await workflow.start('testFixCycle', {
          taskQueue: 'ratchet',
          workflowId: 'typed-by-hand',
          args: [{ project }],
        })
        await expect(typed.result()).rejects.toMatchObject({
          cause: {
            type: 'BadInput',
            message: expect.stringMatching(
              /not signed .*use the form behind "ratchet ui"/,
            ) as unknown,
          },
        })
      } finally {
        await connection.close()
      }
    })
  },
)
