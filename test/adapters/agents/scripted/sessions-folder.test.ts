// Where the playbook agent keeps its sessions, and that no other user can choose the place.
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  scriptedSessions,
  sessionsFolder,
} from '../../../../src/adapters/agents/scripted/sessions-folder.js'
import { tempDir } from '../../../support/repositories/repos.js'

const modeOf = (file: string): number => statSync(file).mode & 0o777

test('sessions of a run are with its workspace', () => {
  const root = path.join(tempDir(), 'tree')
  const keep = path.join(tempDir(), 'kept')
  const playbook = { protocol: 'playbook' } as const
  expect(scriptedSessions(playbook, { root })).toBe(path.join(root, '../playbook'))
  expect(scriptedSessions(playbook, { root, keep })).toBe(path.join(keep, 'playbook'))
  expect([keep, path.join(keep, 'playbook')].map(modeOf)).toEqual([0o700, 0o700])
  expect(scriptedSessions({ protocol: 'acp' }, { root, keep })).toBeUndefined()
})

describe('sessions of an agent that a person starts by hand', () => {
  /** The folder in an empty temporary directory, in which `make` came first. */
  function folderAfter(make: (folder: string) => void): string {
    const before = process.env['TMPDIR']
    const temporary = tempDir()
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    })
    process.env['TMPDIR'] = temporary
    make(path.join(temporary, `ratchet-playbook-${process.getuid?.()}`))
    return sessionsFolder({})
  }

  test('are in a folder of this user alone', () => {
    expect(modeOf(folderAfter(() => undefined))).toBe(0o700)
    expect(modeOf(folderAfter((folder) => mkdirSync(folder, 0o700)))).toBe(0o700)
  })

  test.each<{ why: string; make: (folder: string) => void }>(
    // prettier-ignore
    [
    { why: 'is open to others', make: (folder) => { mkdirSync(folder); chmodSync(folder, 0o777) } },
    { why: 'is a link', make: (folder) => symlinkSync(tempDir(), folder) },
  ],
  )('are not in one that $why, as another user may have made it', ({ make }) => {
    expect(() => folderAfter(make)).toThrow(/is not a directory of this user alone; remove it/)
  })
})
