// Calls an agent's own tool, selected from those it offers.
import type { Answer, Asked } from './conversation.js'

type Action =
  | { write: string; content: string }
  | { shell: string }
  | { read: string }
  | { mcp: string; input: Record<string, unknown> }
  | { edit: string; find: string; replace: string }

/**
 * The tool call for a requested action.
 *
 * @throws if the agent offers no tool for it; the message names the tools it offers
 */
export function toolCall({ tools, turns }: Asked, action: Action): Answer {
  const has = (name: string) => tools.includes(name)
  const call = (name: string, input: Record<string, unknown> | string): Answer => ({
    tool: { name, input },
  })
  if ('mcp' in action) {
    // Each has its own prefix for the server's name
    const name = tools.find((one) => one.endsWith(action.mcp) && one.includes('ratchet'))
    if (name !== undefined) return call(name, action.input)
    // Not offered before they are searched for: codex, qwen
    if (has('exec_command'))
      return { tool: { name: action.mcp, namespace: 'mcp__ratchet', input: action.input } }
    if (has('tool_search')) return call(`mcp__ratchet__${action.mcp}`, action.input)
  } else if ('shell' in action) {
    const { shell } = action
    if (has('exec_command')) return call('exec_command', { cmd: shell }) // codex
    if (has('shell_command')) return call('shell_command', { command: shell })
    // Claude
    if (has('Bash')) return call('Bash', { command: shell, description: 'runs a command' })
    if (has('run_shell_command'))
      return call('run_shell_command', {
        command: shell,
        description: 'runs a command',
        is_background: false,
      }) // gemini, qwen
    // Opencode
    if (has('bash')) return call('bash', { command: shell, description: 'runs a command' })
  } else if ('read' in action) {
    const file = absolute(action.read, turns)
    if (has('exec_command')) return call('exec_command', { cmd: `cat '${file}'` }) // codex
    if (has('shell_command')) return call('shell_command', { command: `cat '${file}'` })
    if (has('Read')) return call('Read', { file_path: file }) // claude
    // Gemini, qwen
    if (has('read_file')) return call('read_file', { file_path: file, absolute_path: file })
    if (has('read')) return call('read', { filePath: file }) // opencode
  } else if ('edit' in action) {
    const file = absolute(action.edit, turns)
    const { find, replace } = action
    const lines = (text: string, sign: string) =>
      text
        .split('\n')
        .map((line) => `${sign}${line}`)
        .join('\n')
    if (has('apply_patch'))
      return call(
        'apply_patch',
        `*** Begin Patch\n*** Update File: ${action.edit}\n@@\n${lines(find, '-')}\n${lines(replace, '+')}\n*** End Patch\n`,
      ) // codex
    // Claude
    if (has('Edit')) return call('Edit', { file_path: file, old_string: find, new_string: replace })
    if (has('replace'))
      return call('replace', {
        file_path: file,
        old_string: find,
        new_string: replace,
        instruction: 'fix it',
      }) // gemini
    if (has('edit'))
      return call(
        'edit',
        has('read_file')
          ? { file_path: file, old_string: find, new_string: replace }
          : { filePath: file, oldString: find, newString: replace },
      ) // qwen, opencode
  } else {
    const file = absolute(action.write, turns)
    const { content } = action
    if (has('apply_patch'))
      return call(
        'apply_patch',
        `*** Begin Patch\n*** Add File: ${action.write}\n${content
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `+${line}`)
          .join('\n')}\n*** End Patch\n`,
      ) // codex
    if (has('Write')) return call('Write', { file_path: file, content }) // claude
    if (has('write_file')) return call('write_file', { file_path: file, content }) // gemini, qwen
    if (has('write')) return call('write', { filePath: file, content }) // opencode
  }
  throw new Error(`no tool for ${JSON.stringify(action)} among ${tools.join(', ')}`)
}

function absolute(file: string, turns: Asked['turns']): string {
  return file.startsWith('/') ? file : `${workspace(turns)}/${file}`
}

// The first line of every prompt names the working directory.
function workspace(turns: Asked['turns']): string {
  const header = turns.findLast((t) => t.from === 'user' && t.text.includes('ratchet-turn: '))?.text
  return /"workspace":"([^"]+)"/.exec(header ?? '')?.[1] ?? '.'
}
