// The files that tool calls of a turn name, in transcripts as agents write them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { editedFiles } from '../../../../src/adapters/agents/turn/edited-files.js'
import { Transcript } from '../../../../src/adapters/agents/turn/transcript.js'
import { redactor } from '../../../../src/core/text/redact.js'
import { Bench } from '../../../support/agents/bench.js'

let bench: Bench
let file: string
beforeEach(() => {
  bench = new Bench()
  file = path.join(bench.root, 'transcript.ndjson')
})
afterEach(() => bench.end())

/** Files that these updates name, for an agent that works in /w. */
function namedBy(updates: readonly object[]): string[] {
  writeFileSync(
    file,
    updates
      .map((update) => `${JSON.stringify({ at: '2026-11-20T12:00:00.000Z', update })}\n`)
      .join(''),
  )
  return editedFiles(file, '/w')
}

const call = (more: object) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't1',
  title: 'a tool',
  status: 'completed',
  ...more,
})
const update = (more: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't1', ...more })
const at = (...paths: string[]) => ({ locations: paths.map((p) => ({ path: p })) })
const diff = (p: string) => ({ content: [{ type: 'diff', path: p, oldText: null, newText: 'x' }] })

describe('ACP tool calls', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'an edit by its locations', updates: [call({ kind: 'edit', ...at('/w/src/a.ts') })], files: ['src/a.ts'] },
    { why: 'an edit by its diff, of any kind', updates: [call({ kind: 'other', ...diff('/w/src/a.ts') })], files: ['src/a.ts'] },
    { why: 'location and diff of one file count once', updates: [call({ kind: 'edit', ...at('/w/a'), ...diff('/w/a') })], files: ['a'] },
    { why: 'a deletion', updates: [call({ kind: 'delete', ...at('/w/a') })], files: ['a'] },
    { why: 'a move by both of its ends', updates: [call({ kind: 'move', ...at('/w/a', '/w/b') })], files: ['a', 'b'] },
    { why: 'a read names what it looked at', updates: [call({ kind: 'read', ...at('/w/a') })], files: [] },
    { why: 'a command', updates: [call({ kind: 'execute', ...at('/w') })], files: [] },
    { why: 'what the updates add later', updates: [call({ kind: 'edit', status: 'pending' }), update({ ...at('/w/a') }), update({ status: 'completed' })], files: ['a'] },
    { why: 'an update without its call', updates: [update({ kind: 'edit', status: 'completed', ...at('/w/a') })], files: ['a'] },
    { why: 'a null in an update changes nothing', updates: [call({ kind: 'edit', ...at('/w/a') }), update({ kind: null, locations: null })], files: ['a'] },
    { why: 'one that failed, as after a refusal', updates: [call({ kind: 'edit', status: 'in_progress', ...at('/w/a') }), update({ status: 'failed' })], files: [] },
    { why: 'one that still waits for a permission', updates: [call({ kind: 'edit', status: 'pending', ...at('/w/a') })], files: [] },
    { why: 'one that the end of the turn interrupted', updates: [call({ kind: 'edit', status: 'in_progress', ...at('/w/a') })], files: ['a'] },
    { why: 'one without any status', updates: [call({ kind: 'edit', status: undefined, ...at('/w/a') })], files: ['a'] },
    { why: 'ids that a restarted agent uses again', updates: [call({ kind: 'edit', ...at('/w/a') }), call({ kind: 'edit', ...at('/w/b') })], files: ['a', 'b'] },
    { why: 'files outside of the directory, also next to it', updates: [call({ kind: 'edit', ...at('/etc/x', '/w2/a', '/w/../b') })], files: ['/etc/x', '/w2/a', '/b'] },
    { why: 'a name that begins with dots', updates: [call({ kind: 'edit', ...at('/w/..a') })], files: ['..a'] },
    { why: 'relative paths, which the protocol does not have', updates: [call({ kind: 'edit', ...at('src/a.ts') })], files: ['src/a.ts'] },
    { why: 'a diff that has only the name of the located file, as qwen writes it', updates: [call({ kind: 'edit', status: 'in_progress', ...at('/w/docs/plan.json') }), update({ status: 'completed', ...diff('plan.json') })], files: ['docs/plan.json'] },
    { why: 'a diff of another file than the located one', updates: [call({ kind: 'edit', ...at('/w/docs/plan.json'), ...diff('an.json') })], files: ['docs/plan.json', 'an.json'] },
    { why: 'values of other types', updates: [call({ kind: 'edit', locations: 'x', content: [null, 1, { type: 'diff' }] }), call({ kind: 'edit', ...at(''), content: {} })], files: [] },
  ],
  )('$why -> $files', ({ updates, files }) => expect(namedBy(updates)).toEqual(files))

  test('at most 200 files are named', () => {
    expect(
      namedBy([call({ kind: 'edit', ...at(...Array.from({ length: 300 }, (_, n) => `/w/${n}`)) })]),
    ).toHaveLength(200)
  })

  test('a torn line and lines that are no updates are skipped', () => {
    const good = JSON.stringify({ update: call({ kind: 'edit', ...at('/w/a') }) })
    writeFileSync(
      file,
      `{"at":"x","text":"\\"tool_call\\""}\n${good.slice(0, 60)}\n${good}\n[]\n{"update":{"sessionUpdate":"tool_call"`,
    )
    expect(editedFiles(file, '/w')).toEqual(['a'])
  })

  test('a transcript that is not there names none', () =>
    expect(editedFiles(path.join(bench.root, 'none'), '/w')).toEqual([]))

  test('a directory behind a link is known by both of its names', () => {
    const link = path.join(bench.root, 'link')
    mkdirSync(path.join(bench.root, 'dir'))
    symlinkSync(path.join(bench.root, 'dir'), link)
    namedBy([call({ kind: 'edit', ...at(path.join(bench.root, 'dir/a'), path.join(link, 'b')) })])
    expect(editedFiles(file, link)).toEqual(['a', 'b'])
  })

  test('a file of 100 kB that an agent writes is still named in its transcript', () => {
    const transcript = new Transcript(file, redactor([]))
    transcript.event(
      'update',
      call({
        kind: 'edit',
        content: [{ type: 'diff', path: '/w/big', newText: 'x'.repeat(100_000) }],
      }),
    )
    transcript.close()
    expect(editedFiles(file, '/w')).toEqual(['big'])
  })
})

test('the edits of a turn, of the agent as it runs', async () => {
  const agent = bench.playbook([
    {
      do: [
        { write: { path: 'src/a', text: 'x' } },
        { patch: { path: 'src/a', find: 'x', replace: 'y' } },
        { append: { path: 'log', text: 'x' } },
        { run: ['true'] },
        { delete: 'log' },
      ],
    },
  ])
  const result = await bench.call(bench.driver(), bench.config(agent)).result
  expect(editedFiles(result.transcript, bench.cwd)).toEqual(['src/a', 'log'])
})

test('a failed edit is none', async () => {
  const agent = bench.playbook([{ do: [{ patch: { path: 'none', find: 'x', replace: 'y' } }] }])
  const result = await bench.call(bench.driver(), bench.config(agent)).result
  expect([result.outcome, editedFiles(result.transcript, bench.cwd)]).toEqual(['failed', []])
})
