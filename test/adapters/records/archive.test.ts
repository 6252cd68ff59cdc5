// The archive: what a move writes, links in its way, and a move that is interrupted at every point.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { faultPoints } from '../../../src/adapters/failpoint.js'
import {
  archive,
  archivedPlace,
  finishArchiving,
  type Archivable,
} from '../../../src/adapters/records/archive.js'
import { readManifest } from '../../../src/adapters/records/archive-manifest.js'
import { archivedDir } from '../../../src/adapters/records/test-fix/session-paths.js'
import { archiveAtEnd, archivedBefore } from '../../../src/activities/archive-at-end.js'
import { Config } from '../../../src/contract/config/config.js'

const state = mkdtempSync(path.join(os.tmpdir(), 'ratchet-archive-state-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))
const dirs = { state, cache: state }
const AT = { now: Date.parse('2026-11-25T10:00:00Z'), offset: '+00:00', dirs }
const ALL = { dirs, wants: () => true }
const NAME = 'WFS-test-shop'

function scratch(name: string): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), `ratchet-${name}-`))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const put = (project: string, file: string, text = file): void => {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
  writeFileSync(path.join(project, file), text)
}

function session(project: string, place = '.workflow'): Archivable {
  put(project, `${place}/${NAME}/workflow-session.json`)
  put(project, `${place}/${NAME}/.process/fix-history.json`)
  return {
    ...facts('test-fix', NAME),
    project,
    dir: path.join(project, place, NAME),
  }
}

function cycle(project: string): Archivable {
  put(project, '.workflow/.cycle/c1.json')
  put(project, '.workflow/.cycle/c1.progress/coordination/timeline.md')
  return { ...facts('dev-cycle', 'c1'), project, dir: '' }
}

function loop(project: string): Archivable {
  put(project, '.workflow/.loop/l1.json')
  put(project, '.workflow/.loop/l1.progress/summary.md')
  put(project, '.workflow/.loop/l1.workers/init.output.json')
  return { ...facts('dev-loop', 'l1'), project, dir: '' }
}

const facts = (kind: Archivable['kind'], name: string) => ({
  name,
  workflowId: `${name}.0a1b2c`,
  kind,
  description: 'Repair the shop',
  outcome: 'success',
  result: undefined,
  fixes: [],
  open: ['T2 is not done'],
})

const own = (name: string) => ({
  session_id: name,
  workflow_id: `${name}.0a1b2c`,
  archive_path: `.workflow/archives/${name}`,
})

/** A session of another name. */
function named(project: string, name: string): Archivable {
  put(project, `.workflow/${name}/workflow-session.json`)
  return { ...facts('test-fix', name), project, dir: path.join(project, '.workflow', name) }
}

/** The journal of a session whose move has begun. */
function begun(project: string, name: string, from = `.workflow/${name}`): string {
  const file = `.workflow/archives/.archiving-${name}.json`
  const parts = [{ from, to: `.workflow/archives/${name}` }]
  put(project, file, JSON.stringify({ entry: { ...own(name), kind: 'test-fix' }, parts }))
  return file
}

const filesOf = (project: string): string[] =>
  readdirSync(path.join(project, '.workflow'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name)))
    .sort()

const KINDS = { session, cycle, loop }
const KEPT: Record<keyof typeof KINDS, string[]> = {
  session: [
    `.workflow/archives/${NAME}/.process/fix-history.json`,
    `.workflow/archives/${NAME}/workflow-session.json`,
  ],
  cycle: [
    '.workflow/archives/c1/.workflow/.cycle/c1.json',
    '.workflow/archives/c1/.workflow/.cycle/c1.progress/coordination/timeline.md',
  ],
  loop: [
    '.workflow/archives/l1/.workflow/.loop/l1.json',
    '.workflow/archives/l1/.workflow/.loop/l1.progress/summary.md',
    '.workflow/archives/l1/.workflow/.loop/l1.workers/init.output.json',
  ],
}
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]

test.each(kinds)('a %s is moved as it is, and listed', async (kind) => {
  const project = scratch('archive')
  const entry = await archive(KINDS[kind](project), AT)
  expect(filesOf(project)).toEqual([...KEPT[kind], '.workflow/archives/manifest.json'])
  expect(readManifest(project).entries).toEqual([entry])
  expect(entry).toMatchObject({
    archived_at: '2026-11-25T10:00:00+00:00',
    follow_ups: [{ number: 1, kind: 'code', text: 'Finish T2 is not done' }],
  })
  if (kind !== 'session')
    expect(archivedPlace(project, path.basename(entry.archive_path))).toBeDefined()
})

test('entries of other tools stay, and a name that is taken gets a number', async () => {
  const project = scratch('archive')
  put(project, '.workflow/archives/manifest.json', '[{"session_id":"WFS-old","note":1}]')
  await archive(session(project), AT)
  const second = await archive(session(project, '.workflow/active'), AT)
  expect(second).toMatchObject({
    archive_path: `.workflow/archives/${NAME}-2`,
    follow_ups: [{ number: 2 }],
  })
  expect(readManifest(project).entries).toMatchObject([
    { session_id: 'WFS-old', note: 1 },
    { archive_path: `.workflow/archives/${NAME}` },
    { archive_path: `.workflow/archives/${NAME}-2` },
  ])
})

const POINTS = kinds.flatMap((kind) =>
  ['begun', 'moved', '2 moved', 'listed'].map((point) => ({ kind, point })),
)
test.each(POINTS)('a $kind, interrupted at $point, loses nothing', async ({ kind, point }) => {
  const project = scratch('archive')
  const points = scratch('archive-points')
  const [nth, name = nth] = point.split(' ')
  writeFileSync(path.join(points, `archive-${name}`), point.includes(' ') ? `${nth} die` : '')
  const die = (): never => {
    throw new Error('died')
  }
  const run = KINDS[kind](project)
  const before = filesOf(project).length
  await faultPoints
    .run({ directory: points, die }, () => archive(run, AT))
    .catch((error: unknown) => expect(String(error)).toContain('died'))
  const left = filesOf(project).filter((file) => !/manifest|archiving/.test(file))
  expect(left).toHaveLength(before)
  await finishArchiving(project, ALL)
  expect(filesOf(project)).toEqual([...KEPT[kind], '.workflow/archives/manifest.json'])
  expect(readManifest(project).entries).toHaveLength(1)
})

test.each([
  { what: 'the archive', link: '.workflow/archives' },
  { what: 'the place of sessions', link: '.workflow/active' },
  { what: 'the session', link: `.workflow/active/${NAME}` },
])('a link in place of $what is refused, and nothing moves', async ({ link }) => {
  const project = scratch('archive')
  const outside = scratch('outside')
  const run = session(project, '.workflow/active')
  const own = path.join(project, link)
  rmSync(own, { recursive: true, force: true })
  if (link.endsWith('active')) put(outside, `${NAME}/workflow-session.json`)
  symlinkSync(outside, own)
  const before = readdirSync(outside)
  await expect(archive(run, AT)).rejects.toThrow('a link or a file is in the place of')
  expect(readdirSync(outside)).toEqual(before)
  expect(lstatSync(own).isSymbolicLink()).toBe(true)
})

test('a journal that leads out of .workflow is not followed', async () => {
  const project = scratch('archive')
  put(project, 'src/app.js', 'mine')
  put(
    project,
    '.workflow/archives/.archiving-x.json',
    JSON.stringify({
      entry: { ...own('x'), kind: 'test-fix' },
      parts: [
        { from: '.workflow/../src', to: '.workflow/archives/x' },
        { from: 'src', to: '.workflow/archives/y' },
      ],
    }),
  )
  expect((await finishArchiving(project, ALL)).finished).toEqual([])
  expect(readFileSync(path.join(project, 'src/app.js'), 'utf8')).toBe('mine')
})

test('a manifest that cannot be read is refused before anything moves', async () => {
  const project = scratch('archive')
  const run = session(project)
  put(project, '.workflow/archives/manifest.json', '{')
  await expect(archive(run, AT)).rejects.toThrow('the manifest of the archive')
  expect(existsSync(path.join(run.dir, 'workflow-session.json'))).toBe(true)
})

test('four archives at once list four entries, and no number twice', async () => {
  const project = scratch('archive')
  const runs = ['WFS-a', 'WFS-b', 'WFS-c', 'WFS-d'].map((name) => named(project, name))
  const entries = await Promise.all(runs.map((run) => archive(run, AT)))
  expect(readManifest(project).entries).toHaveLength(4)
  const numbers = entries.flatMap(({ follow_ups: left = [] }) => left.map(({ number }) => number))
  expect(numbers.sort()).toEqual([1, 2, 3, 4])
})

test('a run that is archived twice at once has one entry', async () => {
  const project = scratch('archive')
  const run = session(project)
  const [first, second] = await Promise.all([archive(run, AT), archive(run, AT)])
  expect(second).toEqual(first)
  expect(readManifest(project).entries).toHaveLength(1)
})

test.each([
  { what: 'another record', name: 'WFS-x', from: '.workflow/WFS-other' },
  { what: 'all cycles', name: '.cycle', from: '.workflow/.cycle' },
  { what: 'the place of sessions', name: 'active', from: '.workflow/active' },
])('a journal that moves $what is ignored, and named', async ({ name, from }) => {
  const project = scratch('archive')
  put(project, `${from}/file.json`)
  const file = begun(project, name, from)
  const { finished, warnings } = await finishArchiving(project, ALL)
  expect(finished).toEqual([])
  expect(warnings).toEqual([expect.stringContaining(path.basename(file))])
  expect(existsSync(path.join(project, from, 'file.json'))).toBe(true)
  expect(existsSync(path.join(project, file))).toBe(true)
})

test('a journal that moves to another place than its entry says is ignored', async () => {
  const project = scratch('archive')
  const run = named(project, 'WFS-x')
  const file = begun(project, 'WFS-x')
  const text = readFileSync(path.join(project, file), 'utf8')
  put(project, file, text.replace('"to":".workflow/archives/WFS-x"', '"to":".workflow/archives/y"'))
  expect((await finishArchiving(project, ALL)).finished).toEqual([])
  expect(existsSync(run.dir)).toBe(true)
})

test('a journal of another run of the same name is not taken for the own one', async () => {
  const project = scratch('archive')
  const run = { ...session(project), workflowId: `${NAME}.other` }
  begun(project, NAME)
  expect(await archive(run, AT)).toMatchObject({
    workflow_id: `${NAME}.other`,
    archive_path: `.workflow/archives/${NAME}-2`,
  })
})

test('only the journals that are wanted are finished', async () => {
  const project = scratch('archive')
  for (const name of ['WFS-open', 'WFS-ended']) named(project, name)
  for (const name of ['WFS-open', 'WFS-ended']) begun(project, name)
  await archive(session(project), AT)
  expect(existsSync(path.join(project, '.workflow/WFS-ended'))).toBe(true)
  const { finished } = await finishArchiving(project, {
    dirs,
    wants: ({ session_id: name }) => Promise.resolve(name !== 'WFS-open'),
  })
  expect(finished).toMatchObject([{ session_id: 'WFS-ended' }])
  expect(existsSync(path.join(project, '.workflow/WFS-open'))).toBe(true)
})

test('a journal that is stuck stops its own record only', async () => {
  const project = scratch('archive')
  const stuck = named(project, 'WFS-a')
  named(project, 'WFS-z')
  put(project, '.workflow/archives/WFS-a/in-the-way')
  begun(project, 'WFS-a')
  begun(project, 'WFS-z')
  expect(await archive(session(project), AT)).toMatchObject({ session_id: NAME })
  const { finished, warnings } = await finishArchiving(project, ALL)
  expect(finished).toMatchObject([{ session_id: 'WFS-z' }])
  expect(warnings).toEqual([expect.stringContaining('the archive of WFS-a is not finished')])
  await expect(archive(stuck, AT)).rejects.toThrow('something is in the way of the archive')
})

const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const config = Config.parse({ archive: 'ended' })

test.each([
  { what: 'a manifest that is nested deeply', manifest: DEEP },
  { what: 'a manifest with an entry that is nested deeply', manifest: `[{"x":${DEEP}}]` },
  { what: 'a manifest that is a directory', manifest: undefined },
])('at the end of a run, $what is a warning', async ({ manifest }) => {
  const project = scratch('archive')
  const run = session(project)
  const file = '.workflow/archives/manifest.json'
  if (manifest === undefined) put(project, `${file}/x`)
  else put(project, file, manifest)
  const ended = { config, run, at: AT.now, record: run.dir, dirs }
  expect(await archiveAtEnd(ended)).toEqual({
    warnings: [expect.stringContaining('the record was not archived: the manifest')],
  })
  expect(existsSync(run.dir)).toBe(true)
})

test('at the end of a run, an error of the system is a warning', async () => {
  const project = scratch('archive')
  const run = session(project)
  const file = path.join(state, 'no-directory')
  writeFileSync(file, '')
  const ended = { config, run, at: AT.now, record: run.dir, dirs: { state: file, cache: file } }
  expect((await archiveAtEnd(ended)).warnings).toEqual([expect.stringContaining('ENOTDIR')])
})

test('a record that an earlier attempt has moved is archived, also if the manifest is damaged', async () => {
  const project = scratch('archive')
  const run = session(project)
  await archive(run, AT)
  put(project, '.workflow/archives/manifest.json', '{')
  const before = await archivedBefore({ config, run, record: run.dir, dirs })
  expect(before).toEqual({
    archived: path.join(project, `.workflow/archives/${NAME}`),
    warnings: [expect.stringContaining('the manifest of the archive')],
  })
})

test('the newest archived session of a name is found by its number', () => {
  const project = scratch('archive')
  const file = (dir: string): string => `.workflow/archives/${dir}/workflow-session.json`
  for (const n of ['', '-2', '-10']) put(project, file(`WFS-a${n}`), '{"session_id":"WFS-a"}')
  put(project, file('WFS-a-11'), '{"session_id":"WFS-a-11"}')
  expect(archivedDir(project, 'WFS-a')).toBe(path.join(project, '.workflow/archives/WFS-a-10'))
  expect(archivedDir(project, 'WFS-a-11')).toBe(path.join(project, '.workflow/archives/WFS-a-11'))
})
