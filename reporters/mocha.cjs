// Reporter of mocha for Ratchet: prints each test as it ends, and writes what became of all of them to
// the file that RATCHET_TEST_REPORT names, in the shape of mocha's own `json` reporter.
//
// That one prints nothing when it writes to a file, joins suites and title with blanks, and says nothing
// of the tests that a failed hook kept from running. Read by src/adapters/tests/mocha-report.ts.
'use strict'
const { writeFileSync } = require('node:fs')

module.exports = class {
  constructor(runner) {
    const tests = []
    const lists = { passes: [], failures: [], pending: [], notRun: [] }
    const note = (list, mark) => (test, error) => {
      if (error !== undefined) test.err = error
      lists[list].push(entry(test, error))
      console.log(`${mark} ${titles(test).join(' > ')}`)
      if (error !== undefined) console.log(String(error.stack ?? error.message ?? error).replace(/^/gm, '    '))
    }
    // In parallel mode nobody knows how many there will be.
    runner.once('start', () => { if (runner.total > 0) console.log(`running ${runner.total} tests\n`) })
    runner.on('pass', note('passes', '  ok  '))
    runner.on('pending', note('pending', '  skip'))
    runner.on('fail', note('failures', '  FAIL'))
    runner.on('fail', (hook) => {
      // In parallel mode a hook comes without its suite.
      if (hook.type === 'hook' && typeof hook.parent?.eachTest === 'function')
        hook.parent.eachTest((test) => { if (test.state === undefined && !test.pending) lists.notRun.push(entry(test)) })
    })
    runner.on('test end', (test) => tests.push(entry(test, test.err)))
    runner.once('end', () => {
      const ended = new Set(tests.map(key))
      const report = {
        stats: { tests: tests.length, passes: lists.passes.length, pending: lists.pending.length, failures: lists.failures.length },
        tests, ...lists, notRun: lists.notRun.filter((test, at, all) => !ended.has(key(test)) && all.findIndex((other) => key(other) === key(test)) === at),
      }
      console.log(`\n${report.stats.passes} passing, ${report.stats.failures} failing, ${report.stats.pending} pending`)
      writeFileSync(process.env.RATCHET_TEST_REPORT, JSON.stringify(report))
    })
  }
}

function titles(test) {
  return typeof test.titlePath === 'function' ? test.titlePath() : [test.title]
}

function key({ file, titlePath }) {
  return JSON.stringify([file, titlePath])
}

function entry(test, error) {
  return {
    title: test.title, fullTitle: test.fullTitle(), titlePath: titles(test), file: test.file ?? test.parent?.file,
    duration: test.duration, currentRetry: typeof test.currentRetry === 'function' ? test.currentRetry() : 0,
    err: error === undefined || error === null ? {} : { message: String(error.message ?? error), stack: String(error.stack ?? '') },
  }
}
