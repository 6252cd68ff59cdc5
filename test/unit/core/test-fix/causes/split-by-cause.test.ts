import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FixCause } from '../../../../../src/contract/test-fix/task.js'
import { meet } from '../../../../../src/core/test-fix/causes/choose-causes.js'
import { splitByCause } from '../../../../../src/core/test-fix/causes/split-by-cause.js'

const causes: FixCause[] = [
  { task: 'IMPL-fix-2.1', cause: 'one', files: ['src/a.ts'] },
  { task: 'IMPL-fix-2.2', cause: 'two', files: ['src/b.ts', 'src/dir'] },
  { task: 'IMPL-fix-2.3', cause: 'three', files: ['src/c.ts'] },
]
const short = (changed: string[], own?: (file: string) => string) =>
  splitByCause(changed, causes, own).map(
    ({ task, files }) => `${task.slice(-1)}: ${files.join(' ')}`,
  )

// prettier-ignore
test.each<[string, string[], string[]]>([
  ['each file goes to the cause that names it', ['src/a.ts', 'src/b.ts', 'src/c.ts'], ['1: src/a.ts', '2: src/b.ts', '3: src/c.ts']],
  ['a cause without a changed file has no group', ['src/c.ts'], ['3: src/c.ts']],
  ['files of no cause are joined with the first', ['src/a.ts', 'src/c.ts', 'new.ts'], ['1: src/a.ts new.ts', '3: src/c.ts']],
  ['so are they where the first changed nothing', ['src/c.ts', 'new.ts'], ['1: new.ts', '3: src/c.ts']],
  ['a file where another cause has a directory', ['src/c.ts', 'src/dir', 'src/dir/x.ts', 'src/a.ts'], ['1: src/dir/x.ts src/a.ts src/dir', '3: src/c.ts']],
  ['nothing changed', [], []],
])('%s', (_, changed, expected) => {
  expect(short(changed)).toEqual(expected)
})

test('points name files of the project, changes those of the repository', () => {
  const own = (file: string): string => file.replace(/^packages\/one\//, '')
  expect(short(['packages/one/src/b.ts', 'src/c.ts'], own)).toEqual([
    '2: packages/one/src/b.ts',
    '3: src/c.ts',
  ])
})

test('every changed file is in one group, in any case', () => {
  const file = fc.constantFrom('src/a.ts', 'src/b.ts', 'src/c.ts', 'src/dir', 'src/dir/x', 'y', 'z')
  fc.assert(
    fc.property(fc.uniqueArray(file), (changed) => {
      const groups = splitByCause(changed, causes)
      expect(groups.flatMap(({ files }) => files).sort()).toEqual([...changed].sort())
      expect(groups.every(({ files }) => files.length > 0)).toBe(true)
      expect(new Set(groups.map(({ task }) => task)).size).toBe(groups.length)
      for (const { files } of groups)
        expect(groups.filter((other) => meet(files, other.files))).toHaveLength(1)
    }),
  )
})
