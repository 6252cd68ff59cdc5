// A private server by commands: `dev --private`, `ui`, `doctor`, `fix`, and what they refuse.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import type { Failed } from '../support/documents.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

const PATIENCE_MS = 120_000

test('a run is repaired on a private server, which takes no other worker', async () => {
  const gate = path.join(user.root, 'gate')
  const project = user.project('mine', [
    ANALYSE,
    { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
  ])
  const dev = user.start(project, 'dev', '--private')
  await waitFor(() => dev.stdout().includes('Ctrl-C'), {
    what: 'the server',
    timeoutMs: PATIENCE_MS,
  })
  expect(dev.stdout()).toContain('web ui   private; open it with: ratchet ui\n')

  const ui = await user.json<{ url: string; once: boolean }>(project, 'ui')
  expect(ui.document.once).toBe(true)
  const opened = await fetch(ui.document.url)
  expect([opened.status, (await fetch(ui.document.url)).status]).toEqual([200, 403])

  const address = /^server +(\S+)$/m.exec(dev.stdout())?.[1] ?? ''
  const worker = await user.json<Failed>(project, 'worker', '--address', address)
  expect(worker.document.error.message).toContain('this is your private server')

  const fix = user.start(project, 'fix', '--json')
  await waitFor(() => fix.stderr().includes('agent: test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: PATIENCE_MS,
  })
  expect((await user.ratchet(project, 'extend', 'WFS-test-mine', '2')).exitCode).toBe(0)
  writeFileSync(gate, '')
  expect(await fix.ended).toMatchObject({ exitCode: 0 })
  dev.interrupt()
  await dev.ended
})

test('a server with an open run becomes private at its next start', async () => {
  await user.ratchet(user.root, 'dev', '--stop')
  const gate = path.join(user.root, 'another-gate')
  const project = user.project('open', [
    ANALYSE,
    { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
  ])
  const fix = user.start(project, 'fix')
  await waitFor(() => fix.stdout().includes('agent: test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: PATIENCE_MS,
  })
  const refused = await user.ratchet(project, 'dev', '--private')
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('cannot become so while runs are open')
  writeFileSync(gate, '')
  expect((await fix.ended).exitCode).toBe(0)
})
