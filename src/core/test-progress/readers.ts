// How far a test run is, from what its runner prints while it runs.
//
// Best effort: a line that nothing is known of counts for nothing, and a test that prints such lines
// itself miscounts only its own progress. The result of a run never comes from here, but from its report.
// Sources: the output of pytest 8 and 9 (also with xdist 3), vitest 4, jest 29, go 1.2x, node 20, mocha 12,
// as it is without a terminal; nexte.st "Running tests".

/** What a run has told so far; `total` only where the runner says it. */
export type Told = { unit: 'tests' | 'files'; done: number; failed: number; total?: number }

/** Reads one run. */
export type Reader = {
  /** Takes a line that has ended. */
  line(text: string): void
  /** What it has told; `unfinished` is a line that goes on. */
  told(unfinished: string): Told
}

const READERS: Readonly<Record<string, () => Reader>> = { pytest, vitest, jest, mocha, go, node, nextest }

/** The reader for a runner, by its name; `undefined` for one that does not tell. */
export function readerFor(runner: string): Reader | undefined {
  return Object.hasOwn(READERS, runner) ? READERS[runner]?.() : undefined
}

/** A reader whose lines stand for themselves: each adds to the counts. */
function byLine(unit: Told['unit'], read: (line: string, told: Told) => void): Reader {
  const told: Told = { unit, done: 0, failed: 0 }
  return { line: (text) => read(text, told), told: () => ({ ...told }) }
}

const COLLECTED = /^(?:collecting \.\.\. ?)?collected (\d+) items?(?:.* (\d+) selected)?/
/** xdist, since version 3 and before. */
const SHARED_OUT = /^(?:\d+ workers? \[(\d+) items?\]|gw\d+ \[(\d+)\])/
/** "test_a.py .FsxE...  [ 80%]", and the lines that go on with it. */
const LETTERS = /^(?:\S.*\.\w+ )?([.FEsxXRu,-]+)\s*(?:\[ *(?:\d+%|\d+\/\d+)\])?$/
/** With -v, also behind the output of a test, and with xdist. */
const WORD = /(?:^| )(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*)?\s*(?:\[ *\d+.*\])?$/
const SHARED_WORD = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) /
const SECTION = /^={3,} (?!test session starts)/

// Each letter is a test as it ends; a line of them grows for a while.
function pytest(): Reader {
  const told: Told = { unit: 'tests', done: 0, failed: 0 }
  let isOver = false
  const add = (to: Told, line: string) => {
    const letters = LETTERS.exec(line)?.[1] ?? ''
    const word = letters === '' ? wordIn(line) : undefined
    to.done += letters.replace(/[^.FEsxX]/g, '').length + (word === undefined ? 0 : 1)
    to.failed += letters.replace(/[^FE]/g, '').length + (word === 'FAILED' || word === 'ERROR' ? 1 : 0)
  }
  return {
    line(text) {
      if (isOver || SECTION.test(text)) return void (isOver = true)
      const found = told.total === undefined ? (COLLECTED.exec(text) ?? SHARED_OUT.exec(text)) : null
      if (found === null) add(told, text)
      else told.total = Number(found[2] ?? found[1])
    },
    told(unfinished) {
      const now = { ...told }
      if (!isOver) add(now, unfinished)
      // What fails behind a test that has ended is a letter more.
      if (now.total !== undefined) now.done = Math.min(now.done, now.total)
      return now
    },
  }
}

function wordIn(line: string): string | undefined {
  const found = WORD.exec(line)
  // In the middle of a line only behind the name of a test: what a log prints ends in such words, too.
  return found !== null && (found.index === 0 || line.includes('::')) && !line.startsWith('[gw') ? found[1] : SHARED_WORD.exec(line)?.[1]
}

/** " ❯ a.test.js (3 tests | 1 failed | 1 skipped) 62ms"; also with the name of a project before the file. */
const VITEST_FILE = /^ ?[✓❯↓×√>] .*? \((\d+) tests?((?: \| \d+ \w+)*)\)/

// A file as it ends, with its tests.
function vitest(): Reader {
  return byLine('tests', (line, told) => {
    const [, tests, rest = ''] = VITEST_FILE.exec(line) ?? []
    told.done += Number(tests ?? 0)
    told.failed += Number(/ (\d+) failed/.exec(rest)?.[1] ?? 0)
  })
}

// A file as it ends; of its tests nothing is said. Where many failed, they are told again at the end.
function jest(): Reader {
  let isOver = false
  return byLine('files', (line, told) => {
    isOver ||= /^(Summary of all failing tests|Test Suites: )/.test(line)
    const ended = isOver ? undefined : /^(PASS|FAIL)\s+\S/.exec(line)?.[1]
    if (ended !== undefined) told.done++
    if (ended === 'FAIL') told.failed++
  })
}

// The words of reporters/mocha.cjs. A hook that fails is no test.
function mocha(): Reader {
  return byLine('tests', (line, told) => {
    const total = told.done === 0 ? /^running (\d+) tests?$/.exec(line)?.[1] : undefined
    if (total !== undefined) told.total ??= Number(total)
    const ended = /"(before|after) (all|each)" hook/.test(line) ? undefined : /^ {2}(ok {2}|skip|FAIL) \S/.exec(line)?.[1]
    if (ended !== undefined) told.done++
    if (ended === 'FAIL') told.failed++
  })
}

const GO_ENDED = /^\{(?:"Time":"[^"]*",)?"Action":"(pass|fail|skip)","Package":"([^"]*)","Test":"((?:[^"\\]|\\.)*)"/
/** More tests that have subtests are not under way at once. */
const PARENTS = 10_000

// A test ends behind its subtests, of which it is the sum.
function go(): Reader {
  const parents = new Set<string>()
  return byLine('tests', (line, told) => {
    const [, action, module = '', name = ''] = GO_ENDED.exec(line) ?? []
    if (action === undefined) return
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) parents.add(`${module} ${name.slice(0, at)}`)
    if (parents.size > PARENTS) parents.clear()
    if (parents.delete(`${module} ${name}`)) return
    told.done++
    if (action === 'fail') told.failed++
  })
}

const NODE_ENDED = /^\{"type":"test:(pass|fail)","nesting":(\d+),"suite":(true|false)(,"todo":)?/

// The lines of reporters/node-test.mjs: what is in a test ends right before it.
function node(): Reader {
  let before = 0
  return byLine('tests', (line, told) => {
    const [, ended, level, suite, todo] = NODE_ENDED.exec(line) ?? []
    if (ended === undefined) return
    const isSum = suite === 'true' || before > Number(level)
    before = Number(level)
    if (isSum) return
    told.done++
    if (ended === 'fail' && todo === undefined) told.failed++
  })
}

const NEXTEST_ENDED = /^\s*(?:TRY \d+ )?(PASS|LEAK|FLAKY \d+\/\d+|FAIL|TIMEOUT|SIG[A-Z]+|ABORT) \[/

// What is tried again is not over with a failure; at the end the failures are told once more.
function nextest(): Reader {
  let isOver = false
  return byLine('tests', (line, told) => {
    const total = /^\s*Starting (\d+) tests? across /.exec(line)?.[1]
    if (total !== undefined) told.total ??= Number(total)
    isOver ||= /^\s*Summary \[/.test(line)
    const ended = isOver ? undefined : NEXTEST_ENDED.exec(line)?.[1]
    if (ended === undefined) return
    const isBad = !/^(PASS|LEAK|FLAKY)/.test(ended)
    if (isBad && /^\s*TRY /.test(line)) return
    told.done++
    if (isBad) told.failed++
  })
}
