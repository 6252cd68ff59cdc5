// A plan of tests where no agent gave one: what can be told from the names of files, and no more.
// It takes the place of the analysis, so that tests are written from something, and says what it
// is.
import { fieldOf } from '../text/field-of.js'
import { bullets, joined, oneLine, section } from '../prompts/prompt-parts.js'
import { fileKind } from '../guard/test-files.js'

/** Files of a kind that a plan names. */
export const FILES_NAMED = 200

/** Files of code. */
export const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|exs?|java|kts?|scala|cs|php|swift|c|cc|cpp|vue|svelte)$/i
/** What names of test files have around the name of what they test. */
const AFFIX = /^test_|[._-](?:test|tests|spec|cy)$|(?<=[a-z0-9])(?:Tests?|Spec)$/g

export type PlanFacts = {
  /** JSON of the task that writes the tests. */
  task: unknown
  testCommand: string
  /** Files of the project, relative to it, forward slashes. */
  files: readonly string[]
}

/** TEST_ANALYSIS_RESULTS.md from what is known without an agent. */
export function basicTestPlan({ task, testCommand, files }: PlanFacts): string {
  const meta = fieldOf(task, 'meta')
  const code = files.filter((file) => SOURCE_FILE.test(file))
  const tests = code.filter((file) => fileKind(file) === 'test')
  const sources = code.filter((file) => fileKind(file) === 'other')
  const tested = new Map(tests.map((file) => [stem(file), file]))
  const untested = sources.filter((file) => !tested.has(stem(file)))
  const covered = sources
    .filter((file) => tested.has(stem(file)))
    .map((file) => `${file}: ${tested.get(stem(file))}`)
  const list = (items: readonly string[], none: string): string[] =>
    items.length === 0 ? [none] : bullets(items, FILES_NAMED)
  return `${joined([
    '# Test analysis (basic)',
    '> **Basic**: no agent gave an analysis. Ratchet made this from file names only. Read the code before you write tests.',
    section('## Project', [
      `- Kind: ${told(fieldOf(meta, 'project_type'))}`,
      `- Test framework: ${told(fieldOf(meta, 'test_framework'))}`,
      `- Test command: ${oneLine(testCommand)}`,
      `- Files: ${sources.length} of code, ${tests.length} of tests`,
    ]),
    section('## Coverage: Current and Target', [
      '- Current: not measured',
      `- Target: ${told(fieldOf(meta, 'coverage_target'))}`,
    ]),
    section('## Test Layers', [
      '- L1 unit first: happy path, bad input, edge cases, state, asynchronous behaviour. L2 integration if parts work together.',
      '',
      'Existing tests:',
      '',
      ...list(tests, 'None.'),
    ]),
    section('## Requirements by File', [
      'Files without a test file of that name, to test first:',
      '',
      ...list(untested, 'None.'),
      '',
      'Files with one, to check for missing tests:',
      '',
      ...list(covered, 'None.'),
    ]),
    section('## Risks in the Code', ['Not looked for.']),
    section('## Success Criteria', [
      `- ${oneLine(testCommand)} finds and runs the new tests.`,
      '- Each new test can fail, and its name states what it promises.',
    ]),
  ])}\n`
}

function told(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? oneLine(String(value)).slice(0, 200)
    : 'not named'
}

// "add" of src/add.js, test/add.test.js, test_add.py, add_test.go, AddTest.java.
function stem(file: string): string {
  return file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/\.[^.]+$/, '')
    .replace(AFFIX, '')
    .toLowerCase()
}
