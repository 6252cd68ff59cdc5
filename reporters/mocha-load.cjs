// Loaded into mocha by `--require`: a test file that cannot be loaded does not end the run. mocha stops at the first one
// and runs nothing; here each is noted for reporters/mocha.cjs, and the other files run.
//
// It works with mocha 3 and later. The processes of `--parallel` load their files themselves, and are left as they are.
'use strict'
const { realpathSync } = require('node:fs')
const path = require('node:path')

const mocha = path.basename(process.argv[1] ?? '') === 'worker.js' ? undefined : ownMocha()
const prototype = mocha?.prototype ?? mocha?.default?.prototype
if (prototype !== undefined) {
  const notLoaded = (globalThis[Symbol.for('ratchet.mocha.notLoaded')] ??= [])
  const { loadFiles, loadFilesAsync, run } = prototype

  prototype.loadFiles = function (done) {
    const { files } = this
    for (const file of files) {
      this.files = [file]
      try {
        loadFiles.call(this)
      } catch (error) {
        note(file, error)
      }
    }
    this.files = files
    if (typeof done === 'function') done()
  }
  if (loadFilesAsync !== undefined)
    prototype.loadFilesAsync = async function (...options) {
      const { files } = this
      for (const file of files) {
        this.files = [file]
        try {
          await loadFilesAsync.apply(this, options)
        } catch (error) {
          note(file, error)
        }
      }
      this.files = files
    }

  // Its exit code is the number of failures.
  prototype.run = function (done) {
    return run.call(this, (failures) => done?.(failures + notLoaded.length))
  }

  function note(file, error) {
    notLoaded.push({ file: path.resolve(file), error: String(error?.stack ?? error) })
    console.error(`could not be loaded: ${file}\n${String(error?.stack ?? error)}`)
  }
}

// The one that runs: `require.main` is not known to a file that mocha imports.
function ownMocha() {
  try {
    return require(
      require.resolve('mocha', { paths: [path.dirname(realpathSync(process.argv[1]))] }),
    )
  } catch {
    return undefined // then mocha stops at a file that it cannot load
  }
}
