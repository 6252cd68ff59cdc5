// The first start on a machine without a server builds it with go and shows the progress. A fake go
// prints what go prints, waits for the test, and provides the real server.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/servers/local.js'
import { atTerminal } from '../support/pty.js'
import { temporalPath } from '../support/servers/temporal.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
let gate: string
beforeEach(() => {
  user = cliProcessUser()
  gate = path.join(user.root, 'gate')
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin)
  writeFileSync(
    path.join(bin, 'go'),
    `#!/bin/sh
case "$1 $2" in
  "mod download") printf '{"Dir":"${user.root}","GoMod":"${user.root}/go.mod"}' ;;
  "mod edit") printf '{"Require":[{"Path":"a.example/x"},{"Path":"a.example/y"}]}' ;;
  "list -deps") echo 'go: downloading a.example/x v1.0.0' >&2; printf 'example/one\\nexample/two\\nexample/three\\n' ;;
  "install -v")
    echo example/one >&2
    echo example/two >&2
    while [ ! -e '${gate}' ]; do sleep 0.1; done
    echo example/three >&2
    mkdir -p "$GOBIN" && cp '${temporalPath()}' "$GOBIN/temporal" ;;
esac
`,
  )
  chmodSync(path.join(bin, 'go'), 0o755)
  delete user.env['TEMPORAL_CLI_PATH']
  // No such proxy, so nothing is downloaded.
  Object.assign(user.env, {
    PATH: `${bin}:${user.env['PATH'] ?? ''}`,
    HTTPS_PROXY: 'http://127.0.0.1:1',
  })
})
afterEach(() => user.remove())

test('at a terminal: a bar of packages, a first test run meanwhile, then the run with its own measurement', async () => {
  const project = user.project('bar')
  const terminal = atTerminal([process.execPath, path.join(BUILT, 'cli/main.js'), 'fix'], {
    cwd: project,
    env: user.env,
  })
  await terminal.sees('building the Temporal server with go: getting its modules')
  await terminal.sees('building the Temporal server with go: compiling')
  await terminal.sees(/2 of 3 packages {2}\d+ s {2}example\/two/)
  await terminal.sees('first look: running the tests once, in a copy of your tree')
  await terminal.sees(
    /first look: \d+ of \d+ tests pass \([\d.]+ s while the server starts\); the run will measure them again/,
  )
  writeFileSync(gate, '')
  await terminal.sees('starting the Temporal server and the workers')
  await terminal.sees(/baseline {5}\d/)
  expect(await terminal.ended).toBe(1) // no agent is there to fix anything
  expect(terminal.shown()).toContain('blocked')
})

test('elsewhere: plain lines, and Ctrl-C ends it and all its processes', async () => {
  const project = user.project('plain')
  const fix = user.start(project, 'fix')
  await waitFor(() => fix.stdout().includes('first look: running the tests once'), {
    what: 'the first look',
    timeoutMs: 60_000,
  })
  expect(fix.stdout()).not.toContain('\u001b')
  expect(fix.stdout()).not.toContain('█')
  fix.interrupt()
  const { exitCode, stderr } = await fix.ended
  expect(exitCode).toBe(130)
  expect(stderr).toContain('run it again to continue; the build continues where it stopped')
  const { checks } = (
    await user.json<{ checks: { check: string; detail: string }[] }>(project, 'doctor')
  ).document
  expect(checks.find(({ check }) => check === 'processes')?.detail).toBe(
    'no process of a dead worker is left',
  )
})
