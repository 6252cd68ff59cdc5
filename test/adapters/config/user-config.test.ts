// The user's own configuration.
import path from 'node:path'
import { expect, test } from 'vitest'
import { userConfig, userConfigFile } from '../../../src/adapters/config/user-config.js'
import { tempDir, writeFiles } from '../../support/repositories/repos.js'

const withFile = (text: string | undefined): NodeJS.ProcessEnv => {
  const home = tempDir()
  writeFiles(home, { '.config/ratchet/config.json': text })
  return { HOME: home }
}

test('without a file the defaults hold', () => {
  expect(userConfig(withFile(undefined))).toEqual({
    local: { private: false, keepEnvironment: false },
  })
})

test('a private server', () => {
  expect(userConfig(withFile('{ "local": { "private": true } }')).local.private).toBe(true)
})

test.each(
  // prettier-ignore
  [
  { why: 'an unknown key', text: '{ "local": { "privat": true } }', says: /Unrecognized key: "privat"/ },
  { why: 'a text for a switch', text: '{ "local": { "private": "yes" } }', says: /local\.private/ },
  { why: 'no JSON', text: '{ local', says: /JSON/ },
],
)('$why is refused with the file', ({ text, says }) => {
  const env = withFile(text)
  expect(() => userConfig(env)).toThrow(
    expect.objectContaining({
      type: 'BadConfig',
      where: userConfigFile(env),
      message: expect.stringMatching(says) as unknown,
    }),
  )
})

test('its place follows XDG', () => {
  expect(userConfigFile({ XDG_CONFIG_HOME: '/x' })).toBe(path.join('/x', 'ratchet/config.json'))
})
