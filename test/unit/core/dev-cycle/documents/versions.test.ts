import { describe, expect, test } from 'vitest'
import {
  cycleVersion,
  historyName,
  versionOf,
  withVersion,
} from '../../../../../src/core/dev-cycle/documents/versions.js'

test.each([
  [1, '1.0.0'],
  [2, '1.1.0'],
  [11, '1.10.0'],
])('iteration %i has version %s', (iteration, version) =>
  expect(cycleVersion(iteration)).toBe(version),
)

test.each([
  { file: 'requirements.md', version: '1.0.0', name: 'requirements-v1.0.0.md' },
  { file: 'test-results.json', version: '1.2.0', name: 'test-results-v1.2.0.json' },
  { file: 'NOTES', version: '1.0.0', name: 'NOTES-v1.0.0' },
  { file: 'plan.json', version: '../../../etc', name: 'plan-v.-.-.-etc.json' },
])('$file of $version is kept as $name', ({ file, version, name }) =>
  expect(historyName(file, version)).toBe(name),
)

describe('the version of a Markdown document', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'a row of a table',              before: '# R\n\n| Field | Value |\n|---|---|\n| Version | 2.3.0 |\n| Previous | 1.0.0 |\n', after: '# R\n\n| Field | Value |\n|---|---|\n| Version | 1.1.0 |\n| Previous | 1.0.0 |\n', replaced: '2.3.0' },
    { why: 'a bold row',                    before: '| **Version** | 2.3.0 |', after: '| **Version** | 1.1.0 |', replaced: '2.3.0' },
    { why: 'a table that begins with it',   before: '| Version | v2 |\n|---|---|\n| Iteration | 2 |', after: '| Version | 1.1.0 |\n|---|---|\n| Iteration | 2 |', replaced: 'v2' },
    { why: 'a column of a table',           before: '| Document | Version | Updated |\n|---|---|---|\n| R | 3.0 | today |', after: '| Document | Version | Updated |\n|---|---|---|\n| R | 1.1.0 | today |', replaced: '3.0' },
    { why: 'a first column of a table',     before: '| Version | Previous |\n| :-- | --: |\n| 3.0 | 2.0 |', after: '| Version | Previous |\n| :-- | --: |\n| 1.1.0 | 2.0 |', replaced: '3.0' },
    { why: 'an empty cell',                 before: '| Version |  |', after: '| Version | 1.1.0 |', replaced: undefined },
    { why: 'a bold label',                  before: '# R\n**Version**: 9.9.9 (draft)\n', after: '# R\n**Version**: 1.1.0\n', replaced: '9.9.9 (draft)' },
    { why: 'a bold label with its colon',   before: '- **Version:** `9.9`\n', after: '- **Version:** `1.1.0`\n', replaced: '9.9' },
    { why: 'a plain label',                 before: 'Version: X.Y.Z\r\nText\r\n', after: 'Version: 1.1.0\r\nText\r\n', replaced: 'X.Y.Z' },
    { why: 'a label without a value',       before: 'Version:\n', after: 'Version: 1.1.0\n', replaced: undefined },
    { why: 'front matter',                  before: '---\ntitle: R\nversion: "0.1"\n---\n# R\nVersion: 7\n', after: '---\ntitle: R\nversion: "1.1.0"\n---\n# R\nVersion: 7\n', replaced: '0.1' },
    { why: 'the surest of several',         before: 'Version: 7\n\n| Version | 8 |\n', after: 'Version: 7\n\n| Version | 1.1.0 |\n', replaced: '8' },
    { why: 'the right one already',         before: '# R\n\n**Version**: 1.1.0\n', after: '# R\n\n**Version**: 1.1.0\n', replaced: undefined },
    { why: 'none',                          before: '# R\n\nText\n', after: '# R\n\n**Version**: 1.1.0\n\nText\n', replaced: undefined },
    { why: 'none, and no heading',          before: 'Text\n', after: '**Version**: 1.1.0\n\nText\n', replaced: undefined },
    { why: 'none, below front matter',      before: '---\ntitle: R\n---\nText\n', after: '---\ntitle: R\n---\n\n**Version**: 1.1.0\n\nText\n', replaced: undefined },
    { why: 'one in code only',              before: '# R\n```yaml\nVersion: 3\n```\n', after: '# R\n\n**Version**: 1.1.0\n\n```yaml\nVersion: 3\n```\n', replaced: undefined },
    { why: 'a sentence about one',          before: '# R\nNode version: 20 is needed.\n', after: '# R\n\n**Version**: 1.1.0\n\nNode version: 20 is needed.\n', replaced: undefined },
    { why: 'one far below',                 before: `# R\n${'line\n'.repeat(80)}Version: 3\n`, after: `# R\n\n**Version**: 1.1.0\n\n${'line\n'.repeat(80)}Version: 3\n`, replaced: undefined },
  ],
  )('$why', ({ before, after, replaced }) => {
    const set = withVersion('requirements.md', before, '1.1.0')
    expect(set).toEqual({ text: after, ...(replaced === undefined ? {} : { replaced }) })
    expect(versionOf('requirements.md', set.text)).toBe('1.1.0')
    expect(withVersion('requirements.md', set.text, '1.1.0')).toEqual({ text: set.text })
  })
})

describe('the version of a JSON document', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'another one',             before: '{"version":"2.0.0","tasks":[]}', after: { version: '1.1.0', tasks: [] }, replaced: '2.0.0' },
    { why: 'a number',                before: '{"version":2}', after: { version: '1.1.0' }, replaced: '2' },
    { why: 'none',                    before: '{"tasks":[{"version":"3"}]}', after: { version: '1.1.0', tasks: [{ version: '3' }] }, replaced: undefined },
    { why: 'a byte order mark',       before: '\ufeff{"version":"2"}', after: { version: '1.1.0' }, replaced: '2' },
  ],
  )('$why', ({ before, after, replaced }) => {
    const set = withVersion('plan.json', before, '1.1.0')
    expect(JSON.parse(set.text)).toEqual(after)
    expect(set.replaced).toBe(replaced)
    expect(versionOf('plan.json', set.text)).toBe('1.1.0')
  })

  test.each([
    { why: 'broken JSON', file: 'plan.json', text: '{"version": "2.0.0",' },
    { why: 'a list', file: 'plan.json', text: '[1]' },
    { why: 'the right one already', file: 'plan.json', text: '{ "version" : "1.1.0" }' },
    { why: 'a file of another kind', file: 'changes.log', text: 'Version: 3' },
  ])('leaves $why unchanged', ({ file, text }) =>
    expect(withVersion(file, text, '1.1.0')).toEqual({ text }),
  )
})
