// How the text of a prompt travels.
//
// Claude inserts the files that its newest text names with an @, anywhere in the text and on the
// disk, without asking: a test's output or a task that holds "@~/.ssh/config" would send it. It
// looks at the last block only, so the prompt is not the last one. Measured with claude-agent-acp
// 0.49: one block, and files in the workspace, outside of it and in the home were read; two, and
// none. The other four take text over ACP as it is, and both blocks.

type TextBlock = { type: 'text'; text: string }

/** The blocks of a prompt. @param agent name by which the program called itself */
export function promptBlocks(text: string, agent: unknown): TextBlock[] {
  const prompt: TextBlock = { type: 'text', text }
  return typeof agent === 'string' && /claude/i.test(agent)
    ? [prompt, { type: 'text', text: '\n' }]
    : [prompt]
}
