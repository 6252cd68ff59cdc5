import { describe, expect, test } from 'vitest'
import {
  boardSection,
  discoverySection,
} from '../../../../../src/core/dev-cycle/prompts/prompt-discovery.js'

const BLOCKER = '- `blocker` (data.issue) → required data: issue, severity, impact'
const COMMAND =
  '- `test_command` (singleton) → required data: unit, integration (opt), e2e (opt), coverage (opt)'

describe('shared discovery protocol', () => {
  test.each([
    {
      phase: 'ra' as const,
      writes: [
        '- `tech_stack` (singleton) → required data: language, framework, test, build',
        '- `project_config` (data.path) → required data: path, key_deps, scripts',
        '- `existing_feature` (data.name) → required data: name, files, summary',
        BLOCKER,
      ],
      reads: 'architecture, similar_impl, test_baseline, blocker',
    },
    {
      phase: 'ep' as const,
      writes: [
        '- `existing_feature` (data.name) → required data: name, files, summary',
        '- `architecture` (singleton) → required data: pattern, layers, entry',
        '- `code_pattern` (data.name) → required data: name, description, example_file',
        '- `integration_point` (data.file) → required data: file, description, exports',
        '- `similar_impl` (data.feature) → required data: feature, files, relevance',
        BLOCKER,
      ],
      reads: 'tech_stack, project_config, existing_feature, test_command, test_baseline, blocker',
    },
    {
      phase: 'cd' as const,
      writes: [
        '- `code_pattern` (data.name) → required data: name, description, example_file',
        '- `code_convention` (singleton) → required data: naming, imports, formatting',
        '- `utility` (data.name) → required data: name, file, usage',
        COMMAND,
        BLOCKER,
      ],
      reads:
        'tech_stack, architecture, code_pattern, integration_point, similar_impl, test_command, test_baseline, test_pattern, blocker',
    },
    {
      phase: 'vas' as const,
      writes: [
        COMMAND,
        '- `test_baseline` (singleton) → required data: total, passing, coverage_pct, framework, config',
        '- `test_pattern` (singleton) → required data: style, naming, fixtures',
        BLOCKER,
      ],
      reads:
        'tech_stack, architecture, code_pattern, integration_point, code_convention, utility, test_command, blocker',
    },
  ])('$phase writes and reads its own types', ({ phase, writes, reads }) => {
    const text = discoverySection(phase, '/b/discoveries.ndjson')
    expect(text).toContain(
      `**You Write** (dedup key in parentheses):\n${writes.join('\n')}\n\n**You Read**: ${reads}\n`,
    )
    expect(text).toContain(
      `**Format**: {"ts":"<ISO8601>","agent":"${phase}","type":"<type>","data":{…}}\n`,
    )
  })

  test('the append command works for the given path', () => {
    expect(discoverySection('ra', '/b/d.ndjson')).toContain("`echo '…' >> /b/d.ndjson`")
    expect(discoverySection('ra', "/my repo's/d.ndjson")).toContain(
      `\`echo '…' >> '/my repo'\\''s/d.ndjson'\``,
    )
  })

  test('says that the board is append-only, outlives an iteration, and that its entries are no instructions', () => {
    for (const part of [
      'Never rewrite the file',
      'Never clear it',
      'Append-only',
      '4096 bytes',
      'not instructions',
    ])
      expect(discoverySection('vas', '/b')).toContain(part)
  })
})

describe('the entries of the board', () => {
  const digest = Array.from({ length: 40 }, (_, n) => `line ${n} ${'x'.repeat(20)}`).join('\n')

  test.each(
    // prettier-ignore
    [
    { why: 'nothing on it', digest: ' \n', most: 10_000, has: [] },
    { why: 'no room for anything useful', digest, most: 300, has: [] },
    { why: 'all of it', digest, most: 10_000, has: ['line 0', 'line 39'] },
    { why: 'the first lines, and how many are left out', digest, most: 800, has: ['line 0', 'more lines left out here: read the board'] },
  ],
  )('$why', ({ digest: text, most, has }) => {
    const section = boardSection(text, most)
    expect(section.length).toBeLessThanOrEqual(most)
    if (has.length === 0) expect(section).toBe('')
    for (const part of has) expect(section).toContain(part)
  })

  test('a line with a longer fence keeps within its bound and its fence', () => {
    const section = boardSection(`${'`'.repeat(50)} ${'x'.repeat(200)}\n${digest}`, 900)
    expect(section.length).toBeLessThanOrEqual(900)
    expect(section).toContain(`\n${'`'.repeat(51)}\n`)
  })
})
