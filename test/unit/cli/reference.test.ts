// The whole command line as users read it. A text that changes shows up in the diff of the reference.
import { expect, test } from 'vitest'
import { COMMANDS, EXIT_CODES } from '../../../src/cli/commands.js'
import { commandHelp, reference } from '../../../src/cli/help.js'

test('docs/cli-reference.md is what the commands say of themselves', async () => {
  await expect(reference()).toMatchFileSnapshot('../../../docs/cli-reference.md')
})

test.each(COMMANDS)('help of $name: a line without full stop, an example, the exit codes', (spec) => {
  expect(spec.summary).toMatch(/^[A-Z].*[^.]$/)
  expect(spec.summary.length).toBeLessThanOrEqual(80)
  const help = commandHelp(spec)
  expect(help).toContain(`Usage: ratchet ${spec.name}`)
  expect(help).toContain(`Exit codes: ${EXIT_CODES}`)
  expect(spec.examples.length).toBeGreaterThan(0)
  for (const example of spec.examples) expect(example).toMatch(new RegExp(`^ratchet ${spec.name}\\b`))
  for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(130)
})
