// Atomic writes: temporary file, fsync, rename, also on a full disk.
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { execa } from 'execa'
import ts from 'typescript'
import { afterEach, expect, test, vi } from 'vitest'
import { replaceFile, replaceFileSync } from '../../../src/adapters/files/replace-file.js'
import { tempDir } from '../../support/repositories/repos.js'

const SOURCE = path.resolve(import.meta.dirname, '../../../src/adapters/files/replace-file.ts')
const BOTH = [
  { how: 'replaceFile', write: replaceFile },
  { how: 'replaceFileSync', write: replaceFileSync },
] as const

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** `path/file` in a directory of its own, with a text in it. */
function old(text = 'old\n'): string {
  const file = path.join(tempDir(), 'record.json')
  writeFileSync(file, text)
  return file
}

// A limit on the size of files acts like a full disk: the write before the error is partial.
test.each(BOTH)(
  '$how: a text that does not fit leaves no file, and the old text is complete',
  async ({ how }) => {
    const file = old()
    const { outputText } = ts.transpileModule(readFileSync(SOURCE, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    const lib = path.join(tempDir(), 'replace-file.mjs')
    writeFileSync(lib, outputText)
    const code = `import { ${how} } from ${JSON.stringify(lib)}
    try { await ${how}(process.argv[1], 'x'.repeat(100_000)); console.log('written') } catch (error) { console.log(error.code) }`
    const { stdout } = await execa('sh', [
      '-c',
      'ulimit -f 20; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      code,
      file,
    ])
    expect(stdout).toBe('EFBIG')
    expect(readFileSync(file, 'utf8')).toBe('old\n')
    expect(readdirSync(path.dirname(file))).toEqual(['record.json'])
  },
)

test('flushes a file before its rename, unless it need not', () => {
  const file = old()
  const done: string[] = []
  vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    done.push('flushed')
  })
  const { renameSync } = fs
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    done.push(readFileSync(file, 'utf8'))
    renameSync(from, to)
    done.push(readFileSync(file, 'utf8'))
  })
  syncBuiltinESMExports()
  replaceFileSync(file, 'new\n')
  replaceFileSync(file, 'newer\n', { fsync: false })
  expect(done).toEqual(['flushed', 'old\n', 'new\n', 'new\n', 'newer\n'])
})

test('the same for the asynchronous write', async () => {
  const file = old()
  const done: string[] = []
  const { open, rename } = fs.promises
  vi.spyOn(fs.promises, 'open').mockImplementation(async (...args) => {
    const handle = await open(...args)
    vi.spyOn(handle, 'sync').mockImplementation(() => {
      done.push('flushed')
      return Promise.resolve()
    })
    return handle
  })
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    done.push(readFileSync(file, 'utf8'))
    await rename(from, to)
    done.push(readFileSync(file, 'utf8'))
  })
  syncBuiltinESMExports()
  await replaceFile(file, 'new\n')
  await replaceFile(file, 'newer\n', { fsync: false })
  expect(done).toEqual(['flushed', 'old\n', 'new\n', 'new\n', 'newer\n'])
})

test('of many parallel writes the last remains, complete', async () => {
  const file = old()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      replaceFile(file, `${n}\n`.repeat(n === 0 ? 10_000_000 : 1_000)),
    ),
  ) // the first takes long
  expect(readFileSync(file, 'utf8') === '19\n'.repeat(1_000)).toBe(true)
  expect(readdirSync(path.dirname(file))).toEqual(['record.json'])
})

test('a failed write does not block the next', async () => {
  const file = path.join(tempDir(), 'dir', 'record.json')
  const both = [replaceFile(file, 'a'), replaceFile(file, 'b')]
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  mkdirSync(path.dirname(file))
  await replaceFile(file, 'c')
  expect(readFileSync(file, 'utf8')).toBe('c')
})

test.each(BOTH)(
  '$how: permissions are the given ones, else those of the old file; a link still leads to its file',
  async ({ write }) => {
    const file = old()
    chmodSync(file, 0o640)
    await write(file, 'a')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    await write(file, 'b', { mode: 0o600 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const link = path.join(tempDir(), 'link')
    symlinkSync(file, link)
    await write(link, 'c')
    expect([readFileSync(file, 'utf8'), fs.readlinkSync(link)]).toEqual(['c', file])
  },
)
