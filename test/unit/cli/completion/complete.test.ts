// What Tab offers at a place of the command line, and how the scripts get it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { complete } from '../../../../src/cli/completion/complete.js'
import { serveCompletion } from '../../../../src/cli/completion/serve.js'
import { cliUser } from '../support.js'

const sources = {
  runs: () =>
    [
      'WFS-test-shop',
      'cycle-v1-20261122T080000-abcdefgh',
      'loop-b-20261122T080000-abcdefgh',
      'nightly-2026:1',
      'bad$(id)',
      'a b',
    ].map((value) => ({ value })),
  agents: () => ['codex', 'my-acp'].map((value) => ({ value })),
}
const offered = async (line: string): Promise<string[] | 'files'> => {
  const found = await complete(line.split(' '), sources)
  return found === 'files' ? found : found.map(({ value }) => value)
}
const RUNS = [
  'WFS-test-shop',
  'cycle-v1-20261122T080000-abcdefgh',
  'loop-b-20261122T080000-abcdefgh',
  'nightly-2026:1',
]

test.each(
  // prettier-ignore
  [
  { why: 'commands by their beginning', line: 'wa', offers: ['watch'] },
  { why: 'options of a command', line: 'fix --max', offers: ['--max-iterations'] },
  { why: 'common options', line: 'fix --jso', offers: ['--json'] },
  { why: 'common options before the command', line: '--json st', offers: ['status', 'stop', 'stats'] },
  { why: 'ids; what a shell would evaluate is none', line: 'watch ', offers: RUNS },
  { why: 'ids by their beginning', line: 'stop loop', offers: ['loop-b-20261122T080000-abcdefgh'] },
  { why: 'ids behind an option with a value', line: 'pause --reason lunch ', offers: RUNS },
  { why: 'no second id', line: 'watch WFS-test-shop ', offers: [] },
  { why: 'ids where one is optional', line: 'status WFS', offers: ['WFS-test-shop'] },
  { why: 'values of an option', line: 'loop --mode p', offers: ['parallel'] },
  { why: 'values behind "="', line: 'status --kind=c', offers: ['--kind=cycle'] },
  { why: 'values where the shell breaks at "="', line: 'status --kind = l', offers: ['loop'] },
  { why: 'a cycle to resume', line: 'cycle --cycle-id ', offers: ['cycle-v1-20261122T080000-abcdefgh', 'nightly-2026:1'] },
  { why: 'a session to resume', line: 'fix --resume-session ', offers: ['WFS-test-shop'] },
  { why: 'what agents can do', line: 'agents ', offers: ['try'] },
  { why: 'agents to try', line: 'agents try ', offers: ['codex', 'my-acp'] },
  { why: 'logs and runs', line: 'logs s', offers: ['supervisor', 'server'] },
  { why: 'options behind `help`', line: 'help logs --fo', offers: ['--follow'] },
  { why: 'the shells', line: 'completion ', offers: ['bash', 'zsh', 'fish'] },
  { why: 'a directory is the shell\'s', line: 'status --project ', offers: 'files' },
  { why: 'nothing for a task', line: 'cycle ', offers: [] },
  { why: 'nothing after an unknown command', line: 'frobnicate ', offers: [] },
],
)('$why: ratchet $line', async ({ line, offers }) => expect(await offered(line)).toEqual(offers))

/** A project with a session, a cycle and an agent of its own. */
function project(): ReturnType<typeof cliUser> {
  const user = cliUser()
  mkdirSync(path.join(user.cwd, '.workflow/active/WFS-test-shop'), { recursive: true })
  writeFileSync(
    path.join(user.cwd, 'ratchet.config.json'),
    JSON.stringify({ agents: { 'my-acp': {} } }),
  )
  mkdirSync(path.join(user.state, 'ratchet/owners/key'), { recursive: true })
  writeFileSync(path.join(user.state, 'ratchet/owners/key/x.json'), '{"workflowId":"nightly-1"}')
  return user
}

test.each(
  // prettier-ignore
  [
  { why: 'bash gets the words alone', shell: '/bin/bash', line: ['watch', ''], says: 'WFS-test-shop\nnightly-1\n' },
  { why: 'zsh what they are', shell: 'zsh', line: ['watch', ''], says: 'WFS-test-shop:session\nnightly-1:run\n' },
  { why: 'fish the same behind a tab', shell: 'fish', line: ['watch', ''], says: 'WFS-test-shop\tsession\nnightly-1\trun\n' },
  { why: 'an agent of the project', shell: 'bash', line: ['agents', 'try', 'my'], says: 'my-acp\n' },
  { why: 'bash completes files by itself', shell: 'bash', line: ['fix', '--ci-dir', ''], says: '' },
  { why: 'the others are asked to', shell: 'zsh', line: ['fix', '--ci-dir', ''], says: '__tabtab_complete_files__\n' },
],
)('$why', async ({ shell, line, says }) => {
  const user = project()
  expect(
    await serveCompletion(['ratchet', ...line], user.cwd, {
      ...user.env,
      SHELL: shell,
      COMP_CWORD: String(line.length),
    }),
  ).toBe(says)
})

test('where nothing can be read, nothing is offered, and nothing is started', async () => {
  const user = cliUser()
  expect(
    await serveCompletion(['ratchet', 'watch', ''], '/nowhere', { ...user.env, COMP_CWORD: '2' }),
  ).toBe('')
})

test('the script of bash asks ratchet and offers what it says; what was typed is not evaluated', async () => {
  const user = project()
  const { stdout: script } = await user.run('completion', 'bash')
  // A fake command that prints its arguments and its directory.
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin)
  writeFileSync(
    path.join(bin, 'ratchet'),
    '#!/bin/sh\nshift 2\nprintf "%s\\n" "$COMP_CWORD" "$@"\n',
    { mode: 0o755 },
  )
  const tab = (words: string[]): string[] =>
    execFileSync(
      'bash',
      [
        '--norc',
        '--noprofile',
        '-c',
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ratchet_completion; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ],
      { env: { ...user.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }, encoding: 'utf8' },
    )
      .trimEnd()
      .split('\n')
  expect(tab(['ratchet', 'watch', 'W'])).toEqual(['2', 'ratchet', 'watch', 'W'])
  const typed = '$(touch${IFS}evaluated)'
  expect(tab(['ratchet', 'watch', typed])).toContain(typed)
  expect(execFileSync('ls', [user.cwd], { encoding: 'utf8' })).not.toContain('evaluated')
})
