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
import { expect, onTestFinished, test } from 'vitest'
import { faultPoints } from '../../../src/adapters/failpoint.js'
import {
  archive,
  archivedPlace,
  finishArchiving,
  readManifest,
  type Archivable,
} from '../../../src/adapters/records/archive.js'

const AT = { now: Date.parse('2026-11-25T10:00:00Z'), offset: '+00:00' }
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
  await finishArchiving(project)
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
      entry: { session_id: 'x', archive_path: '.workflow/archives/x' },
      parts: [
        { from: '.workflow/../src', to: '.workflow/archives/x' },
        { from: 'src', to: '.workflow/archives/y' },
      ],
    }),
  )
  expect(await finishArchiving(project)).toEqual([])
  expect(readFileSync(path.join(project, 'src/app.js'), 'utf8')).toBe('mine')
})

test('a manifest that cannot be read is refused before anything moves', async () => {
  const project = scratch('archive')
  const run = session(project)
  put(project, '.workflow/archives/manifest.json', '{')
  await expect(archive(run, AT)).rejects.toThrow('the manifest of the archive')
  expect(existsSync(path.join(run.dir, 'workflow-session.json'))).toBe(true)
})
