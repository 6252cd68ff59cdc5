import { expect, test } from 'vitest'
import { basicTestPlan, FILES_NAMED } from '../../../../src/core/test-fix/basic-test-plan.js'

const plan = (files: string[], task: unknown = {}) =>
  basicTestPlan({ task, testCommand: 'npm test', files })

test('a basic plan says that it is one, and lists the known facts', () => {
  const text = plan(['src/add.js', 'README.md'], {
    meta: { test_framework: 'vitest', project_type: 'javascript', coverage_target: 'line:80%' },
  })
  for (const part of [
    '# Test analysis (basic)',
    '> **Basic**: no agent gave an analysis',
    '- Test framework: vitest',
    '- Kind: javascript',
    '- Target: line:80%',
    '- Test command: npm test',
    '- Files: 1 of code, 0 of tests',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('README')
  expect(text.match(/^## .*$/gm)).toEqual([
    '## Project',
    '## Coverage: Current and Target',
    '## Test Layers',
    '## Requirements by File',
    '## Risks in the Code',
    '## Success Criteria',
  ])
})

test.each([
  ['src/add.js', 'test/add.test.js'],
  ['lib/add.ts', 'lib/add.spec.ts'],
  ['pkg/add.py', 'tests/test_add.py'],
  ['add.go', 'add_test.go'],
  ['src/main/Add.java', 'src/test/AddTest.java'],
  ['lib/add.rb', 'spec/add_spec.rb'],
])('%s is known to be tested by %s', (source, test) => {
  expect(plan([source, test])).toContain(`- ${source}: ${test}`)
})

test('code without a test of its name comes first; configuration is neither', () => {
  expect(plan(['src/a.js', 'src/b.js', 'src/b.test.js', 'vitest.config.js'])).toMatch(
    /to test first:\n\n- src\/a\.js\n\nFiles with one[^\n]*\n\n- src\/b\.js: src\/b\.test\.js\n\n/,
  )
  expect(plan([])).toContain('Existing tests:\n\nNone.')
})

test('a large project is bounded, with a note', () => {
  const text = plan(Array.from({ length: FILES_NAMED + 5 }, (_, n) => `src/f${n}.js`))
  expect(text).toContain('and 5 more, not shown')
  expect(text.length).toBeLessThan(20_000)
})
