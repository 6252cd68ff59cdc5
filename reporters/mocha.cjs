// Reporter of mocha for Ratchet: prints each test as it ends, and writes what became of all of them to
// the file that RATCHET_TEST_REPORT names, in the shape of mocha's own `json` reporter.
//
// That one prints nothing when it writes to a file, joins suites and title with blanks, and says nothing
// of the tests that a failed hook kept from running. Read by src/adapters/test-runners/reports/mocha-report.ts.
//
// It works with mocha 3 and later: `--no-bail` is unknown before mocha 6, so the reporter sets it on the suites itself;
// `--growl`, which mocha had before version 10, reads `stats` of the reporter, and its notification is dropped: it ends the
// run where the program for it is missing.
'use strict'
const { realpathSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')

module.exports = class {
  constructor(runner) {
    const tests = []
    this.stats = { tests: 0, passes: 0, pending: 0, failures: 0, duration: 0 }
    goOn(runner.suite)
    dropGrowl()
    const lists = { passes: [], failures: [], pending: [], notRun: [] }
    const note = (list, mark) => (test, error) => {
      if (error !== undefined) test.err = error
      lists[list].push(entry(test, error))
      console.log(`${mark} ${titles(test).join(' > ')}`)
      if (error !== undefined)
        console.log(String(error.stack ?? error.message ?? error).replace(/^/gm, '    '))
    }
    // In parallel mode the total is unknown.
    runner.once('start', () => {
      if (runner.total > 0) console.log(`running ${runner.total} tests\n`)
    })
    runner.on('pass', note('passes', '  ok  '))
    runner.on('pending', note('pending', '  skip'))
    runner.on('fail', note('failures', '  FAIL'))
    runner.on('fail', (hook) => {
      // In parallel mode a hook comes without its suite.
      if (hook.type === 'hook' && typeof hook.parent?.eachTest === 'function')
        hook.parent.eachTest((test) => {
          if (test.state === undefined && !test.pending) lists.notRun.push(entry(test))
        })
    })
    runner.on('test end', (test) => tests.push(entry(test, test.err)))
    runner.once('end', () => {
      const ended = new Set(tests.map(key))
      const report = {
        stats: {
          tests: tests.length,
          passes: lists.passes.length,
          pending: lists.pending.length,
          failures: lists.failures.length,
        },
        notLoaded: globalThis[Symbol.for('ratchet.mocha.notLoaded')] ?? [],
        tests,
        ...lists,
        notRun: lists.notRun.filter(
          (test, at, all) =>
            !ended.has(key(test)) && all.findIndex((other) => key(other) === key(test)) === at,
        ),
      }
      Object.assign(this.stats, report.stats)
      console.log(
        `\n${report.stats.passes} passing, ${report.stats.failures} failing, ${report.stats.pending} pending`,
      )
      writeFileSync(process.env.RATCHET_TEST_REPORT, JSON.stringify(report))
    })
  }
}

// A run that stops at its first failure says nothing of the tests behind it.
function goOn(suite) {
  if (typeof suite?.bail !== 'function') return
  suite.bail(false)
  for (const inner of suite.suites ?? []) goOn(inner)
}

function dropGrowl() {
  try {
    const id = require.resolve('growl', { paths: [dirname(realpathSync(process.argv[1]))] })
    require.cache[id] = { id, filename: id, loaded: true, exports: () => undefined }
  } catch {
    // This mocha has none.
  }
}

// Before version 4 a test does not know its path.
function titles(test) {
  if (typeof test.titlePath === 'function') return test.titlePath()
  const path = [test.title]
  for (
    let suite = test.parent;
    suite !== undefined && suite !== null && !suite.root;
    suite = suite.parent
  )
    path.unshift(suite.title)
  return path
}

function key({ file, titlePath }) {
  return JSON.stringify([file, titlePath])
}

function entry(test, error) {
  return {
    title: test.title,
    fullTitle: test.fullTitle(),
    titlePath: titles(test),
    file: test.file ?? test.parent?.file,
    duration: test.duration,
    currentRetry: typeof test.currentRetry === 'function' ? test.currentRetry() : 0,
    err:
      error === undefined || error === null
        ? {}
        : { message: String(error.message ?? error), stack: String(error.stack ?? '') },
  }
}
