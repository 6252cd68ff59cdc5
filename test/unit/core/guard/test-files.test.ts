import { describe, expect, test } from 'vitest'
import { fileKind, isUndoneForTestWriter } from '../../../../src/core/guard/test-files.js'

test.each([
  { path: 'src/sum.test.ts', kind: 'test' },
  { path: 'conftest.py', kind: 'test' },
  { path: 'tests/helpers/server.py', kind: 'test' },
  { path: 'src/__snapshots__/a.snap', kind: 'test' },
  { path: 'tests/pytest.ini', kind: 'configuration' },
  { path: 'packages/a/vitest.config.ts', kind: 'configuration' },
  { path: 'jest.setup.js', kind: 'configuration' },
  { path: '.mocharc.yml', kind: 'configuration' },
  { path: 'tox.ini', kind: 'configuration' },
  { path: 'ratchet.config.json', kind: 'configuration' },
  { path: '.npmrc', kind: 'configuration' },
  { path: 'packages/a/postcss.config.mjs', kind: 'configuration' },
  { path: '.babelrc.json', kind: 'configuration' },
  { path: 'green-1.0.dist-info/entry_points.txt', kind: 'configuration' },
  { path: 'sitecustomize.py', kind: 'configuration' },
  { path: 'pluggy.py', kind: 'configuration' },
  { path: '_pytest/__init__.py', kind: 'configuration' },
  { path: 'app/packaging.py', kind: 'other' },
  { path: 'go.work', kind: 'configuration' },
  { path: 'package.json', kind: 'shared' },
  { path: 'tests/package.json', kind: 'shared' },
  { path: 'setup.cfg', kind: 'shared' },
  { path: 'package-lock.json', kind: 'shared' },
  { path: 'src/sum.ts', kind: 'other' },
  { path: 'checks/sum.js', kind: 'other' },
])('$path is $kind', ({ path, kind }) => expect(fileKind(path)).toBe(kind))

test('a file named by a report is a test, unless it is configuration', () => {
  expect(fileKind('checks/sum.js', ['checks/sum.js'])).toBe('test')
  expect(fileKind('jest.config.js', ['jest.config.js'])).toBe('configuration')
})

describe('test-gen: what is undone', () => {
  test.each([
    { path: 'src/sum.test.ts', added: false, changed: false, deleted: true },
    { path: 'conftest.py', added: false, changed: false, deleted: true },
    { path: 'vitest.config.ts', added: true, changed: true, deleted: true },
    { path: 'package.json', added: false, changed: false, deleted: true },
    { path: 'src/sum.ts', added: false, changed: true, deleted: true },
  ])('$path', ({ path, ...undone }) => {
    expect({
      added: isUndoneForTestWriter(path, 'added'),
      changed: isUndoneForTestWriter(path, 'changed'),
      deleted: isUndoneForTestWriter(path, 'deleted'),
    }).toEqual(undone)
  })

  test('a test that only a report knows may be changed', () =>
    expect(isUndoneForTestWriter('checks/sum.js', 'changed', ['checks/sum.js'])).toBe(false))
})
