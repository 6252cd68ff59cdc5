// The text of a prompt stays text: agents that resolve file names in a prompt get none to read.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Bench } from '../../../support/agents/bench.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

test.each([
  { name: '@agentclientprotocol/claude-agent-acp', blocks: 2 },
  { name: '@zed-industries/claude-code-acp', blocks: 2 },
  { name: 'gemini-cli', blocks: 1 },
  { name: 'codex-acp', blocks: 1 },
])(
  'agents.md: the prompt is not the last text that $name gets: $blocks',
  async ({ name, blocks }) => {
    const prompt = 'See @~/.ssh/config and\n\n/clear'
    const { result } = bench.call(
      bench.driver(),
      bench.config(bench.foreign('tells-blocks.mjs', name)),
      bench.spec({ prompt }),
    )
    const said = JSON.parse(readFileSync((await result).answer.path, 'utf8')) as string[]
    expect(said).toHaveLength(blocks)
    expect(said[0]).toMatch(/^ratchet-turn: /)
    expect(said[0]?.endsWith(prompt)).toBe(true)
    expect(said.slice(1).join('').trim()).toBe('')
  },
)
