// Changes the code under test, one place at a time, runs the tests, and restores the bytes: do the
// tests notice?
//
// Each run has a limit, all of them together another one. What a killed attempt leaves in the tree
// goes with the next measuring tree, as tracked files are compared by bytes there.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { StoredTest } from '../../contract/test-run.js'
import type { MutantsRun } from '../../contract/test-fix/test-quality.js'
import type { FileCoverage } from '../../core/test-gen/coverage-report.js'
import { mutantLimit, mutantOutcome, passingIn } from '../../core/test-gen/mutant-run.js'
import {
  inTurn,
  MUTANTS,
  MUTANTS_MS,
  mutantsOf,
  mutantText,
  withMutant,
  type Mutant,
} from '../../core/test-gen/mutants.js'
import { NO_SECRETS } from '../../core/text/redact.js'
import { firstChars } from '../../core/text/test-text.js'
import { failpoint } from '../failpoint.js'
import { replaceFile } from '../files/replace-file.js'
import { stopwatch } from '../stopwatch.js'
import { selectable } from '../test-runners/command.js'
import { execute, type ExecuteInput } from '../test-runners/execute.js'

export type MutantsInput = {
  shared: Omit<ExecuteInput, 'phase' | 'name' | 'files'>
  /** Source of a tracked file of the project. */
  sourceOf: (file: string) => string | undefined
  /** Files in question, and files of the tests that are asked. */
  files: readonly string[]
  tests: readonly string[]
  /** The run without a mutant, by the same selection of files. */
  without: { tests: readonly StoredTest[]; durationMs: number; files?: FileCoverage[] | undefined }
  /** Chooses among the mutants: the same seed, the same mutants. */
  seed: string
  /** For all mutants together; 5 minutes. */
  limitMs?: number
}

/** Characters of a mutant in a result. */
const SHOWN = 160

export async function runMutants(input: MutantsInput): Promise<MutantsRun> {
  const { shared, sourceOf, files, tests, without, limitMs = MUTANTS_MS } = input
  const { redact = NO_SECRETS } = shared
  const passing = passingIn(without.tests, tests)
  const none = { tried: 0, killed: 0, survivors: [] }
  if (passing.size === 0) return { ...none, notChecked: 'none of the written tests passes' }
  const sources = new Map(files.flatMap((file) => entryOf(file, sourceOf(file))))
  const all = candidates(sources, without.files)
  if (all.length === 0)
    return { ...none, notChecked: 'the files in question have no code that Ratchet can change' }
  const passed = stopwatch()
  const result: MutantsRun = { ...none, survivors: [] }
  for (const [n, mutant] of inTurn(all, input.seed)
    .slice(0, 3 * MUTANTS)
    .entries()) {
    const left = limitMs - passed()
    if (result.tried === MUTANTS || left < without.durationMs) break
    const outcome = await tried(shared, mutant, {
      source: sources.get(mutant.file) as string,
      tests,
      passing,
      name: `output-mutant-${n + 1}`,
      // With less, an end says nothing.
      limitMs: Math.min(left, mutantLimit(without.durationMs)),
      isWhole: left >= mutantLimit(without.durationMs),
    })
    if (outcome === 'void') continue
    result.tried++
    if (outcome === 'killed') result.killed++
    else result.survivors.push(firstChars(redact.text(mutantText(mutant)), SHOWN))
  }
  return result.tried > 0
    ? result
    : { ...result, notChecked: 'no changed line could be run within the limit of 5 minutes' }
}

function entryOf(file: string, source: string | undefined): [string, string][] {
  return source === undefined ? [] : [[file, source]]
}

/** On lines that the tests run; on all of them where no line is known to. */
function candidates(
  sources: ReadonlyMap<string, string>,
  coverage: readonly FileCoverage[] | undefined,
): Mutant[] {
  const among = (lines: (file: string) => ReadonlySet<number> | undefined): Mutant[] =>
    [...sources].flatMap(([file, source]) => mutantsOf(file, source, lines(file)))
  if (coverage === undefined) return among(() => undefined)
  const covered = new Map(coverage.map(({ file, covered: lines }) => [file, new Set(lines)]))
  const run = among((file) => covered.get(file) ?? new Set())
  return run.length > 0 ? run : among(() => undefined)
}

async function tried(
  shared: MutantsInput['shared'],
  mutant: Mutant,
  to: {
    source: string
    tests: readonly string[]
    passing: ReadonlySet<string>
    name: string
    limitMs: number
    isWhole: boolean
  },
): Promise<ReturnType<typeof mutantOutcome>> {
  const { plan, cwd, env, outDir } = shared
  const place = path.join(cwd, mutant.file)
  // A cached module of Python is known by its time and size, which a mutant may share.
  const cache = path.join(outDir, `${to.name}-cache`)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  try {
    await replaceFile(place, withMutant(to.source, mutant), { fsync: false })
    failpoint('mutants:changed')
    const passed = stopwatch()
    const run = await execute({
      ...shared,
      env: { ...env, PYTHONPYCACHEPREFIX: cache },
      phase: 'mutants',
      name: to.name,
      files: selectable(plan, to.tests, cwd) ? to.tests : [],
      timeoutMs: Math.max(1_000, to.limitMs),
    })
    const timedOut = run.kind !== 'measured' && passed() >= to.limitMs
    if (timedOut && !to.isWhole) return 'void'
    return mutantOutcome(to.passing, run.kind === 'measured' ? run.tests : run.reported, timedOut)
  } finally {
    if (readFileSync(place, 'utf8') !== to.source)
      await replaceFile(place, to.source, { fsync: false })
  }
}
