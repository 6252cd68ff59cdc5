// The progress of a test run in `ratchet status`, in the live view, and in the Web UI.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/servers/local.js'
import { atTerminal } from '../support/pty.js'
import { waitFor } from '../support/wait.js'
import { CHROMIUM, openWebUi } from '../support/browser/web-ui.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

const BUSY_MS = 150_000
const WORDS = 'pytest: 2 of 3, 1 failed'

test(
  'issue 8: while pytest runs, status, watch and the Web UI show its progress',
  { timeout: 4 * BUSY_MS },
  async () => {
    const gate = path.join(user.root, 'gate')
    const project = user.project(
      'slow',
      undefined,
      {},
      {
        'pytest.ini': '[pytest]\n',
        'test_slow.py': `import os, time\n\ndef test_a():\n    assert False\n\ndef test_b():\n    pass\n\ndef test_c():\n    while not os.path.exists(${JSON.stringify(gate)}):\n        time.sleep(0.05)\n`,
      },
    )
    const {
      document: { id, uiUrl },
    } = await user.json<{ id: string; uiUrl: string }>(project, 'fix', '--detach')

    const shown = await waitFor(
      async () => {
        const { stdout } = await user.ratchet(project, 'status', id)
        return stdout.includes(WORDS) ? stdout : undefined
      },
      { what: `${WORDS} in ratchet status`, timeoutMs: BUSY_MS, everyMs: 500 },
    )
    expect(shown).toMatch(/^ +at work {6}tests {2}pytest: 2 of 3, 1 failed {2}\d+s$/m)

    const { CI: _, ...env } = user.env
    const terminal = atTerminal([process.execPath, path.join(BUILT, 'cli/main.js'), 'watch', id], {
      cwd: project,
      columns: 100,
      rows: 30,
      env,
    })
    try {
      await waitFor(
        async () =>
          (await terminal.screen()).some((line) =>
            new RegExp(`^● tests +\\d+s +${WORDS}`).test(line),
          ),
        { what: `${WORDS} in the live view`, timeoutMs: BUSY_MS, everyMs: 100 },
      )
      if (CHROMIUM !== undefined) {
        const ui = await openWebUi(new URL(uiUrl).origin)
        try {
          expect(await ui.pendingActivities(id)).toContain(`${WORDS}, under way for`)
        } finally {
          await ui.close()
        }
      }
      writeFileSync(gate, '')
      expect(await terminal.ended).toBe(1)
      expect(terminal.shown()).toContain('baseline     66.6 %  (2 of 3)')
    } finally {
      terminal.close()
    }
  },
)
