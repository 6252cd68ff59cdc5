import { describe, expect, test } from 'vitest'
import { isGuarded, restoreGuardedParts } from '../../../../src/core/guard/test-guard.js'

describe('files that decide what a test run measures', () => {
  test.each([
    'src/sum.test.ts',
    'sum.spec.jsx',
    'a/b.test.mts',
    'tests/helpers.py',
    'test/fixture.bin',
    'src/__tests__/deep/x.js',
    'src/__snapshots__/x.snap',
    'test_sum.py',
    'pkg/sum_test.py',
    'pkg/conftest.py',
    'pkg/sum_test.go',
    'vitest.config.ts',
    'vitest.workspace.json',
    'packages/a/vite.config.mjs',
    'jest.config.json',
    'pytest.ini',
    '.pytest.toml',
    'tox.ini',
    '.mocharc',
    '.mocharc.json',
    '.nycrc',
    'ratchet.config.yaml',
    'tests/ü b/x.txt',
    'src/sum-test.js',
    'src/sum_test.mjs',
    'sum-spec.ts',
    'test.js',
    'lib/test.cjs',
    'src/__mocks__/fs.js',
    'pkg/testdata/in.golden',
    'src/tests.rs',
    'src/sum_test.rs',
    'crate/tests/it.rs',
    '.config/nextest.toml',
    'jest.unit.config.js',
    'jest-e2e.config.json',
    'jest.setup.ts',
    'jest-setup.js',
    'jest.preset.js',
    'jest-global-setup.mjs',
    'src/setupTests.ts',
    '.mocharc.yml',
    'mocha.opts',
    '.taprc',
    'tsconfig.spec.json',
    'test/.hidden/x',
    'pkg/.swcrc',
  ])('%s is guarded', (path) => expect(isGuarded(path)).toBe(true))

  test.each([
    'src/sum.ts',
    'src/testing.ts',
    'latest.js',
    'contest.py',
    'package.json',
    'src/attest/x.ts',
    'docs/test.md',
    'src/vitest.ts',
    'src/test-utils.ts',
    'src/contest.js',
    'src/jest-like.ts',
    'Cargo.toml',
    'go.mod',
    'src/test.ts',
    'src/fastest.rs',
  ])('%s is not guarded', (path) => expect(isGuarded(path)).toBe(false))

  test.each([
    { glob: 'helpers.py', path: 'a/helpers.py', guarded: true },
    { glob: 'checks/**', path: 'checks/a/b.js', guarded: true },
    { glob: 'checks/', path: 'checks/a/b.js', guarded: true },
    { glob: './checks/*.js', path: 'checks/b.js', guarded: true },
    { glob: 'checks/*.js', path: 'src/checks/b.js', guarded: false },
  ])('test.guard $glob on $path: $guarded', ({ glob, path, guarded }) =>
    expect(isGuarded(path, [glob])).toBe(guarded),
  )

  test('a file that a report named is guarded, by its path and not as a pattern', () => {
    expect(isGuarded('checks/[id].js', [], ['checks/[id].js'])).toBe(true)
    expect(isGuarded('checks/i.js', [], ['checks/[id].js'])).toBe(false)
  })
})

const pkg = (value: object, indent: string | number = 2) =>
  `${JSON.stringify(value, null, indent)}\n`

describe('package.json: only changes of its guarded keys are undone', () => {
  const before = pkg({ name: 'a', scripts: { test: 'vitest run' }, dependencies: { x: '1' } })

  test('restores a changed test script byte by byte', () =>
    expect(
      restoreGuardedParts(
        'package.json',
        before,
        pkg({ name: 'a', scripts: { test: 'true' }, dependencies: { x: '1' } }, 4),
      ),
    ).toBe(before))

  test('keeps an added dependency and restores the test script', () =>
    expect(
      restoreGuardedParts(
        'a/package.json',
        before,
        pkg(
          { name: 'a', scripts: { test: 'true' }, jest: {}, dependencies: { x: '1', y: '2' } },
          '\t',
        ),
      ),
    ).toBe(
      pkg({ name: 'a', scripts: { test: 'vitest run' }, dependencies: { x: '1', y: '2' } }, '\t'),
    ))

  test.each(['babel', 'postcss'])(
    'removes an added %s key, which compiles the code under test',
    (key) =>
      expect(
        restoreGuardedParts(
          'package.json',
          '{"name":"a"}',
          JSON.stringify({ name: 'b', [key]: { plugins: ['./swallow'] } }),
        ),
      ).toBe('{\n  "name": "b"\n}'),
  )
  test('restores a removed scripts key and keeps the other changes', () =>
    expect(restoreGuardedParts('package.json', before, pkg({ name: 'b' }))).toBe(
      pkg({ name: 'b', scripts: { test: 'vitest run' } }),
    ))

  test.each(
    // prettier-ignore
    [
    { why: 'only a dependency changed', after: pkg({ name: 'a', scripts: { test: 'vitest run' }, dependencies: {} }) },
    { why: 'only the layout changed', after: JSON.stringify(JSON.parse(before)) },
    { why: 'nothing changed', after: before },
  ],
  )('$why: nothing to restore', ({ after }) =>
    expect(restoreGuardedParts('package.json', before, after)).toBeUndefined(),
  )

  test('restores a package.json that became invalid JSON completely', () =>
    expect(restoreGuardedParts('package.json', before, '{')).toBe(before))
  test('a new package.json stays as it is', () =>
    expect(restoreGuardedParts('package.json', '', before)).toBeUndefined())
  test('a package.json that was broken before stays as it is', () =>
    expect(restoreGuardedParts('package.json', '{', before)).toBeUndefined())
})

describe('pyproject.toml, Cargo.toml and setup.cfg are restored completely when a test section changed', () => {
  const toml = '[project]\nname = "a" # kept\n[tool.pytest.ini_options]\naddopts = "-q"\n'
  const cargo = '[package]\nname = "a"\nautotests = true\n[lib]\npath = "src/a.rs"\n'
  const cfg = '[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n'
  test.each(
    // prettier-ignore
    [
    { path: 'pyproject.toml', before: toml, after: toml.replace('-q', '--co'), restored: toml },
    { path: 'pyproject.toml', before: toml, after: `${toml}[tool.coverage.run]\nbranch = true\n`, restored: toml },
    { path: 'pyproject.toml', before: toml, after: '[broken', restored: toml },
    { path: 'pyproject.toml', before: '', after: toml, restored: '' },
    { path: 'pyproject.toml', before: toml, after: toml.replace('"a"', '"b"'), restored: undefined },
    { path: 'pyproject.toml', before: toml, after: `${toml}[tool.black]\nline-length = 99\n`, restored: undefined },
    { path: 'setup.cfg', before: cfg, after: cfg.replace('-q', '--co'), restored: cfg },
    { path: 'setup.cfg', before: cfg, after: '[metadata]\nname = a\n', restored: cfg },
    { path: 'setup.cfg', before: cfg, after: cfg.replace('name = a', 'name = b'), restored: undefined },
    { path: 'Cargo.toml', before: cargo, after: cargo.replace('autotests = true', 'autotests = false'), restored: cargo },
    { path: 'a/Cargo.toml', before: cargo, after: cargo.replace('[lib]', '[lib]\ntest = false'), restored: cargo },
    { path: 'Cargo.toml', before: cargo, after: `${cargo}[[test]]\nname = "it"\nharness = false\n`, restored: cargo },
    { path: 'Cargo.toml', before: cargo, after: `${cargo}[dependencies]\nserde = "1"\n`, restored: undefined },
    { path: 'README.md', before: 'a', after: 'b', restored: undefined },
  ],
  )('$path, row %#', ({ path, before, after, restored }) =>
    expect(restoreGuardedParts(path, before, after)).toBe(restored),
  )
})
