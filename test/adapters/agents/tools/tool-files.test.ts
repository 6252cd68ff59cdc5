// An agent replaces a folder of its tools by a link to a place that only the worker may write to:
// before each single access of the worker, at each depth.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  removeToolFolder,
  removeToolFolders,
  ToolFolder,
  toolFolder,
} from '../../../../src/adapters/agents/tools/tool-files.js'
import { HeldDir, within } from '../../../../src/adapters/files/held-dir.js'
import { filesOf, tempDir } from '../../../support/repositories/repos.js'

const CALLS = [
  'lstatSync',
  'statSync',
  'existsSync',
  'realpathSync',
  'mkdirSync',
  'openSync',
  'readdirSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'writeFileSync',
  'renameSync',
] as const
const real = { ...fs }
const restore = (): void => {
  for (const name of CALLS) Object.assign(fs, { [name]: real[name] })
  syncBuiltinESMExports()
}
afterEach(restore)

/** Calls `act` before the n-th access to the file system from now on; returns how many there were. */
function beforeAccess(n: number, act: () => void): () => number {
  let count = 0
  for (const name of CALLS) {
    const original = real[name] as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]): unknown => {
      if (++count === n) {
        restore()
        act()
      }
      return original(...args)
    }
    Object.assign(fs, { [name]: watched })
  }
  syncBuiltinESMExports()
  return () => count
}

const ID = 'a'.repeat(32)
const CALL = JSON.stringify({ id: ID, tool: 'run_tests', arguments: {} })
const FOREIGN = JSON.stringify({ id: 'b'.repeat(32), tool: 'diff', arguments: {} })

/** A workspace with the folder, and below `outside` the same names with files of another. */
function place(): { cwd: string; outside: string } {
  const dir = tempDir()
  const [cwd, outside] = [path.join(dir, 'cwd'), path.join(dir, 'outside')]
  for (const folder of [toolFolder(cwd, 'm'), toolFolder(outside, 'm')])
    real.mkdirSync(path.join(folder, 'kept'), { recursive: true })
  for (const name of ['req-1.json', 'res-1.json', '.call-x', 'kept/file'])
    real.writeFileSync(path.join(toolFolder(outside, 'm'), name), FOREIGN)
  real.writeFileSync(path.join(outside, '.ratchet', '.gitignore'), 'own')
  real.rmdirSync(path.join(toolFolder(cwd, 'm'), 'kept'))
  real.writeFileSync(path.join(toolFolder(cwd, 'm'), 'req-1.json'), CALL)
  return { cwd, outside }
}

function swap(cwd: string, outside: string, depth: string): void {
  const folder = path.join(cwd, depth)
  if (real.existsSync(folder)) real.renameSync(folder, `${folder}-moved`)
  else real.mkdirSync(path.dirname(folder), { recursive: true })
  real.symlinkSync(path.join(outside, depth), folder)
}

/** What the worker does in a turn; an error ends a step and no more, as in the driver. */
function turn(cwd: string): { read: unknown[] } {
  const read: unknown[] = []
  const trying = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    }
  }
  trying(() => {
    const folder = ToolFolder.open(cwd, 'm')
    trying(() => read.push(folder.request(1)))
    trying(() => folder.respond(1, { id: ID, text: '', isError: false }))
    folder.close()
  })
  trying(() => removeToolFolder(cwd, 'm'))
  trying(() => removeToolFolders(cwd))
  return { read }
}

// Elsewhere a moment is left between comparison and access
test
  .skipIf(!fs.existsSync('/proc/self/fd'))
  .each(['.ratchet', '.ratchet/tools', '.ratchet/tools/m'])(
  'a link in place of %s, swapped in before any access, is neither read nor written nor emptied',
  (depth) => {
    const whole = place()
    const count = beforeAccess(Infinity, () => undefined)
    turn(whole.cwd)
    const accesses = count()
    restore()
    expect(real.readdirSync(whole.cwd)).toEqual([])
    expect(accesses).toBeGreaterThan(20)
    for (let n = 1; n <= accesses; n++) {
      const { cwd, outside } = place()
      const before = filesOf(outside)
      beforeAccess(n, () => swap(cwd, outside, depth))
      const { read } = turn(cwd)
      restore()
      expect({ n, files: filesOf(outside) }).toEqual({ n, files: before })
      expect(JSON.stringify(read)).not.toContain('b'.repeat(32))
    }
  },
)

test('an agent that put files of its own there keeps them, and a turn finds no old call', () => {
  const { cwd } = place()
  const folder = toolFolder(cwd, 'm')
  fs.mkdirSync(path.join(folder, 'res-1.json'))
  fs.writeFileSync(path.join(folder, 'res-1.json', 'deep'), '')
  fs.writeFileSync(path.join(folder, 'notes'), '')
  const held = ToolFolder.open(cwd, 'm')
  expect(held.request(1)).toBeUndefined()
  expect(() => held.respond(1, { id: ID, text: '', isError: false })).toThrow()
  held.close()
  removeToolFolders(cwd)
  expect(fs.readdirSync(folder).sort()).toEqual(['notes', 'res-1.json'])
})

test('without paths by number, a directory that was replaced is not used', () => {
  const { cwd, outside } = place()
  within(HeldDir.open(path.dirname(toolFolder(cwd, 'm')), false), (all) => {
    const held = all.child('m')
    expect(held?.names()).toEqual(['req-1.json'])
    swap(cwd, outside, '.ratchet/tools/m')
    expect(() => held?.remove('req-1.json')).toThrow('was replaced')
    expect(() => held?.write('new', '')).toThrow('was replaced')
    expect(all.child('m')).toBeUndefined()
    held?.close()
  })
})
