// Sabotages one test: its body gets a first statement that fails with a given text. Name, marks and
// position stay.
//
// A run that reports the test as passing does not report what the tests did. See
// `adapters/test-runners/confirm`.
import { goWithCanary } from './go.js'
import { javaScriptWithCanary } from './javascript.js'
import { pythonWithCanary } from './python.js'
import { rustWithCanary } from './rust.js'
import type { Sabotage } from './sabotage.js'

export type Language = 'javascript' | 'python' | 'go' | 'rust'

const WRITERS: Readonly<Record<Language, (sabotage: Sabotage) => string | undefined>> = {
  javascript: javaScriptWithCanary,
  python: pythonWithCanary,
  go: goWithCanary,
  rust: rustWithCanary,
}

/** Language of a test file by its name; `undefined` where no canary can be written into it. */
export function languageOf(file: string): Language | undefined {
  if (/\.[cm]?[jt]sx?$/.test(file)) return 'javascript'
  return file.endsWith('.py')
    ? 'python'
    : file.endsWith('_test.go')
      ? 'go'
      : file.endsWith('.rs')
        ? 'rust'
        : undefined
}

/** The source with a canary in the test; `undefined` where the body of the test is not found. */
export function withCanary(sabotage: Sabotage): string | undefined {
  const language = languageOf(sabotage.file)
  return language === undefined ? undefined : WRITERS[language](sabotage)
}
