import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logTail, openLog, readLog, rotateLog } from '../../../src/dev-server/rotating-log.js'

let dir: string
let log: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-log-'))
  log = path.join(dir, 'logs', 'worker.log')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a log is readable by the user only', () => {
  openLog(log)
  expect(statSync(log).mode & 0o777).toBe(0o600)
})

test('rotation keeps three files, and a process that holds the log open writes to the new one', () => {
  const fd = openLog(log)
  for (const round of ['first', 'second', 'third', 'fourth']) {
    writeSync(fd, `${round} `.repeat(4))
    expect(rotateLog(log, 10)).toBe(true)
  }
  writeSync(fd, 'now')
  expect(rotateLog(log, 10)).toBe(false)
  expect(readdirSync(path.dirname(log)).sort()).toEqual([
    'worker.log',
    'worker.log.1',
    'worker.log.2',
  ])
  expect(readFileSync(log, 'utf8')).toBe('now')
  expect(readFileSync(`${log}.1`, 'utf8')).toContain('fourth')
  expect(readFileSync(`${log}.2`, 'utf8')).toContain('third')
})

test('rotation without space for the copy leaves every log unchanged', () => {
  const fd = openLog(log)
  writeSync(fd, 'older '.repeat(4))
  rotateLog(log, 10)
  writeSync(fd, 'kept '.repeat(4))
  symlinkSync('/dev/full', `${log}.copy`)
  expect(() => rotateLog(log, 10)).toThrow('worker.log.copy')
  expect(readdirSync(path.dirname(log)).sort()).toEqual(['worker.log', 'worker.log.1'])
  expect([readFileSync(log, 'utf8'), readFileSync(`${log}.1`, 'utf8')]).toEqual([
    'kept '.repeat(4),
    'older '.repeat(4),
  ])
  expect(rotateLog(log, 10)).toBe(true) // room again
})

test('reading from an offset gives what was written since, and everything after a rotation', () => {
  const fd = openLog(log)
  writeSync(fd, 'before\n')
  const from = statSync(log).size
  writeSync(fd, 'after\n')
  expect(readLog(log, from)).toBe('after\n')
  rotateLog(log, 1)
  writeSync(fd, 'new\n')
  expect(readLog(log, from)).toBe('new\n')
})

test('the tail has the last lines only; a log that is not there has none', () => {
  const fd = openLog(log)
  writeSync(fd, Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(''))
  expect(logTail(log, 0, 2)).toBe('line 18\nline 19')
  expect(logTail(path.join(dir, 'none.log'))).toBe('')
})
