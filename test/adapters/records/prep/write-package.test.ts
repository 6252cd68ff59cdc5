// The package in its place: the one before it is copied, a repeated write changes nothing, and no
// link is followed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packageFile } from '../../../../src/adapters/records/prep/prep-paths.js'
import { sourceRefs } from '../../../../src/adapters/records/prep/source-refs.js'
import { writePackage } from '../../../../src/adapters/records/prep/write-package.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

const write = (project: string, value: object) => writePackage(project, 'prep-1', 'loop', value)
const recordOf = (project: string) => path.join(project, '.workflow/.prep/prep-1')

test('a package that was there is copied once, and a repeated write answers the same', async () => {
  const project = tempDir()
  const file = packageFile(project, 'loop')
  writeFiles(project, { '.workflow/.loop/prep-package.json': '{"mine": true}' })
  const first = await write(project, { n: 1 })
  expect(await write(project, { n: 1 })).toEqual(first)
  expect(first.file).toBe(file)
  expect(readFileSync(first.earlier ?? '', 'utf8')).toBe('{"mine": true}')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ n: 1 })
  expect(readdirSync(recordOf(project)).sort()).toEqual([
    path.basename(first.earlier ?? ''),
    'package.json',
  ])
  expect(statSync(path.join(recordOf(project), 'package.json')).mode & 0o077).toBe(0)
})

test('without a package before it there is no copy, and git ignores the record', async () => {
  const project = tempDir()
  expect(await write(project, { n: 1 })).toEqual({ file: packageFile(project, 'loop') })
  expect(readFileSync(path.join(project, '.workflow/.gitignore'), 'utf8')).toBe('*\n')
})

test.each([
  { what: 'the package', link: '.workflow/.loop/prep-package.json' },
  { what: 'its directory', link: '.workflow/.loop' },
  { what: 'the directory of the records', link: '.workflow/.prep' },
])('a link in the place of $what is refused, and what it leads to stays', async ({ link }) => {
  const [project, elsewhere] = [tempDir(), tempDir()]
  const target = path.join(elsewhere, 'target')
  if (link.endsWith('.json')) writeFileSync(target, 'kept')
  else mkdirSync(target)
  mkdirSync(path.dirname(path.join(project, link)), { recursive: true })
  symlinkSync(target, path.join(project, link))
  await expect(write(project, { n: 1 })).rejects.toThrow(/move it away/)
  if (link.endsWith('.json')) expect(readFileSync(target, 'utf8')).toBe('kept')
  else expect(readdirSync(target)).toEqual([])
})

test('sources: files of the project are looked up, nothing outside of it is', () => {
  const [project, elsewhere] = [tempDir(), tempDir()]
  writeFiles(project, { 'src/a.ts': '', 'docs/x.md': '' })
  writeFiles(elsewhere, { 'secret.txt': '' })
  symlinkSync(path.join(elsewhere, 'secret.txt'), path.join(project, 'link.txt'))
  expect(existsSync(path.join(project, 'link.txt'))).toBe(true)
  const named = ['src/a.ts', 'docs', 'docs/none.md', 'link.txt', path.join(elsewhere, 'secret.txt')]
  expect(
    sourceRefs(project, [...named, 'src/a.ts', 'https://example.org/a'], 'as in src/a.ts'),
  ).toEqual([
    { path: 'src/a.ts', type: 'local_file', status: 'verified' },
    { path: 'docs', type: 'auto_detected', status: 'verified' },
    { path: 'docs/none.md', type: 'auto_detected', status: 'not_found' },
    { path: 'link.txt', type: 'auto_detected', status: 'not_found' },
    { path: named[4], type: 'auto_detected', status: 'not_found' },
    { path: 'https://example.org/a', type: 'url', status: 'linked' },
  ])
})
