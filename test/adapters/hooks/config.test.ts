// Hooks in a configuration: accepted forms, and mistakes that are refused with path, line and fix.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig, passedVariables } from '../../../src/adapters/config/config.js'
import type { Config } from '../../../src/contract/config/config.js'
import { RefusalError } from '../../../src/contract/failures.js'
import { tempDir } from '../../support/repositories/repos.js'

function load(text: string): Config {
  const project = tempDir()
  writeFileSync(path.join(project, 'ratchet.config.json'), text)
  return loadConfig(project).config
}

function refusal(text: string): RefusalError {
  try {
    load(text)
  } catch (error) {
    if (error instanceof RefusalError) return error
    throw error
  }
  throw new Error('the config was accepted')
}

test.each(
  // prettier-ignore
  [
  { why: 'a string', done: 'notify-send "tests are green"', hook: { command: 'notify-send "tests are green"', timeout: 30_000 } },
  { why: 'a command with arguments', done: ['sh', '-c', 'cat > last.json'], hook: { command: ['sh', '-c', 'cat > last.json'], timeout: 30_000 } },
  { why: 'a command with a limit', done: { command: ['slow'], timeout: '2m' }, hook: { command: ['slow'], timeout: 120_000 } },
  { why: 'a webhook', done: { url: 'https://example.org/hook' }, hook: { url: 'https://example.org/hook', headers: {}, passEnv: [], plainHttp: false, timeout: 30_000 } },
  { why: 'a webhook on this machine', done: { url: 'http://127.0.0.1:9000/hook?a=b' }, hook: { url: 'http://127.0.0.1:9000/hook?a=b' } },
  { why: 'a webhook on this machine, by name', done: { url: 'http://localhost/hook' }, hook: { url: 'http://localhost/hook' } },
  { why: 'a webhook on this machine, by its other address', done: { url: 'http://[::1]:1/hook' }, hook: { url: 'http://[::1]:1/hook' } },
  { why: 'plain http, as it is said', done: { url: 'http://chat.internal/hook', plainHttp: true }, hook: { plainHttp: true } },
  { why: 'a token by its name', done: { url: 'https://example.org', headers: { Authorization: 'Bearer ${HOOK_TOKEN}' }, passEnv: ['HOOK_TOKEN'] }, hook: { headers: { Authorization: 'Bearer ${HOOK_TOKEN}' }, passEnv: ['HOOK_TOKEN'] } },
  { why: 'an address that is a secret', done: { url: '${CHAT_URL}', passEnv: ['CHAT_URL'] }, hook: { url: '${CHAT_URL}' } },
  { why: 'a header that is no secret', done: { url: 'https://example.org', headers: { 'X-Team': 'shop' } }, hook: { headers: { 'X-Team': 'shop' } } },
],
)('$why', ({ done, hook }) => {
  expect(load(JSON.stringify({ hooks: { done } })).hooks.done).toMatchObject(hook)
})

const token = 'sk-live-4711'
test.each(
  // prettier-ignore
  [
  { why: 'an event that there is not', hooks: '{ "start": "x" }', message: 'unknown key hooks.start', next: 'remove "start" or correct its spelling' },
  { why: 'a number', hooks: '{ "done": 5 }', message: 'hooks.done must be a string or an array, got 5', next: 'correct hooks.done' },
  { why: 'an empty string', hooks: '{ "done": "" }', message: 'hooks.done must not be empty', next: 'correct hooks.done' },
  { why: 'an empty list', hooks: '{ "done": [] }', message: 'hooks.done must not be empty', next: 'correct hooks.done' },
  { why: 'blanks', hooks: '{ "done": "  " }', message: 'hooks.done holds an empty command', next: 'name a command or remove the entry' },
  { why: 'a pipe', hooks: '{ "done": "jq . | mail" }', message: 'hooks.done needs a shell for "|", got "jq . | mail"', next: 'write ["sh", "-c", "jq . | mail"]' },
  { why: 'a variable', hooks: '{ "done": { "command": "echo $HOME" } }', message: 'hooks.done needs a shell for "$HOME", got "echo $HOME"', next: 'write ["sh", "-c", "echo $HOME"]' },
  { why: 'an object that is nothing', hooks: '{ "done": {} }', message: 'hooks.done has neither a command nor a url', next: 'write { "command": ["notify-send", "…"] } or { "url": "https://…" }' },
  { why: 'a misspelt field of a webhook', hooks: '{ "done": { "url": "https://a.b", "header": {} } }', message: 'unknown key hooks.done.header', next: 'remove "header" or correct its spelling' },
  { why: 'a command with a header', hooks: '{ "done": { "command": "a", "headers": {} } }', message: 'unknown key hooks.done.headers', next: 'remove "headers" or correct its spelling' },
  { why: 'no address', hooks: '{ "done": { "url": "example.org/hook" } }', message: 'hooks.done.url is not the address of a webhook', next: 'write "https://…"' },
  { why: 'another scheme', hooks: '{ "done": { "url": "file:///etc/passwd" } }', message: 'hooks.done.url is not the address of a webhook', next: 'write "https://…"' },
  { why: 'plain http to another machine', hooks: '{ "done": { "url": "http://example.org/hook" } }', message: 'hooks.done.url is plain http to another machine', next: 'write https, or add "plainHttp": true' },
  { why: 'a machine that only begins like this one', hooks: '{ "done": { "url": "http://127.0.0.1.example.org/" } }', message: 'hooks.done.url is plain http to another machine', next: 'write https, or add "plainHttp": true' },
  { why: 'a login in the address', hooks: '{ "done": { "url": "https://ann:pw@example.org/" } }', message: 'hooks.done.url contains a login', next: 'put it into a header, as "Authorization": "Bearer ${HOOK_TOKEN}"' },
  { why: 'a variable that is not passed on', hooks: '{ "done": { "url": "https://example.org/${PART}" } }', message: 'hooks.done.url uses ${PART}, which is not in passEnv', next: 'add "PART" to its passEnv' },
  { why: 'no unit', hooks: '{ "done": { "command": "a", "timeout": 5 } }', message: 'hooks.done.timeout needs a unit, got 5', next: 'write "5s" or "5m"' },
  { why: 'a limit of an hour', hooks: '{ "done": { "command": "a", "timeout": "1h" } }', message: 'hooks.done.timeout must be at most 5 minutes: the end of a run waits for its hook', next: 'write "5m" or less' },
  { why: 'a header of two lines', hooks: '{ "done": { "url": "https://a.b", "headers": { "X-A": "1\\n2" } } }', message: 'hooks.done.headers.X-A must be one line, got "1\\n2"', next: 'correct hooks.done.headers.X-A' },
],
)('$why is refused with path and fix', ({ hooks, message, next }) => {
  expect(refusal(`{\n  "hooks":\n    ${hooks}\n}`)).toMatchObject({
    type: 'BadConfig',
    message,
    next,
    where: expect.stringMatching(/ratchet\.config\.json, line 3$/) as string,
  })
})

test.each([
  'Authorization',
  'authorization',
  'X-Api-Key',
  'Cookie',
  'X-Gitlab-Token',
  'PRIVATE-TOKEN',
])('a secret in %s is refused, and not repeated', (name) => {
  const refused = refusal(
    JSON.stringify({ hooks: { done: { url: 'https://example.org', headers: { [name]: token } } } }),
  )
  expect(refused.message).toBe(`hooks.done.headers.${name} contains a secret`)
  expect(JSON.stringify({ ...refused, message: refused.message })).not.toContain(token)
})

test('the worker is replaced where a variable of a webhook has changed', () => {
  expect(
    passedVariables(
      load(
        JSON.stringify({
          hooks: {
            done: {
              url: '${CHAT_URL}',
              headers: { Authorization: '${HOOK_TOKEN}' },
              passEnv: ['HOOK_TOKEN', 'CHAT_URL'],
            },
          },
        }),
      ),
    ),
  ).toEqual(['CHAT_URL', 'HOOK_TOKEN'])
})
