// The complete help of the command line. A changed text shows up in the diff of the reference.
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.js'
import { EXIT_CODES } from '../../../src/cli/definition.js'
import { commandHelp, reference } from '../../../src/cli/output/help.js'

test('docs/cli-reference.md is the help of the commands', async () => {
  await expect(await reference()).toMatchFileSnapshot('../../../docs/cli-reference.md')
})

test.each(COMMANDS)(
  'help of $name: a line without full stop, an example, the exit codes',
  async (entry) => {
    const { name, summary, load } = entry
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    expect(summary.length).toBeLessThanOrEqual(80)
    const { command } = await load()
    const help = commandHelp(entry, command)
    expect(help).toContain(`Usage: ratchet ${name}`)
    expect(help).toContain(`Exit codes: ${EXIT_CODES}`)
    expect(command.examples.length).toBeGreaterThan(0)
    for (const example of command.examples)
      expect(example).toMatch(new RegExp(`^ratchet ${name}\\b`))
    for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(130)
  },
)
