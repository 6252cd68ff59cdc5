// The hook checks of doctor.
import { expect, test } from 'vitest'
import { Config } from '../../../../src/contract/config/config.js'
import { hookChecks } from '../../../../src/cli/doctor/hook-checks.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

test('issue 8 "doctor": names a hook whose program or variable is missing, and no address', () => {
  const project = tempDir()
  writeFiles(project, { 'mine.sh': { script: '#!/bin/sh\n' } })
  const webhook = { url: '${CHAT_URL}', passEnv: ['CHAT_URL'] }
  const config = Config.parse({
    hooks: {
      question: ['./mine.sh'],
      budget: 'no-such-program-4711 a',
      done: webhook,
      failed: { ...webhook, url: '${OTHER_URL}', passEnv: ['OTHER_URL'] },
      stuck: './gone.sh',
    },
  })
  expect(
    hookChecks(config, {
      project,
      env: { PATH: process.env['PATH'], CHAT_URL: 'http://secret.example.org/abc' },
    }),
  ).toEqual(
    // prettier-ignore
    [
    { check: 'hook question', ok: true, detail: `${project}/mine.sh`, next: '' },
    { check: 'hook budget', ok: true, warning: true, detail: 'no-such-program-4711 is not on PATH', next: 'install it, or correct hooks.budget' },
    { check: 'hook done', ok: true, warning: true, detail: 'its url is plain http to another machine', next: 'write https, or add "plainHttp": true' },
    { check: 'hook failed', ok: true, warning: true, detail: 'a webhook; OTHER_URL is not set', next: 'set the variables of its "passEnv" in this shell' },
    { check: 'hook stuck', ok: true, warning: true, detail: './gone.sh is not there', next: 'install it, or correct hooks.stuck' },
  ],
  )
  expect(hookChecks(Config.parse({}), { project, env: {} })).toEqual([])
})
