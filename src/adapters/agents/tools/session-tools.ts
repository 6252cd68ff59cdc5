// How a session gets the tools: the relay as an MCP server, and the entry that lets the agent call
// them without a question. The entry names this server and its tools; the title of a permission
// request, which is the agent's own word, never counts. qwen reads its entry from the settings in
// agent-settings/, opencode needs none.
import { TOOL_NAMES, TOOL_SERVER } from '../../../contract/agent-tools.js'
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import { KNOWN_AGENTS, type KnownName } from '../../../contract/known-agents.js'
import { MARKERS } from '../../../contract/names.js'
import { packaged } from '../../package.js'
import { relayMarker } from '../leftovers.js'
import { toolFolder } from './tool-files.js'

/** Parameters of `session/new`, `session/resume` and `session/load`. */
export type SessionTools = {
  mcpServers: {
    name: string
    command: string
    args: string[]
    env: { name: string; value: string }[]
  }[]
  _meta?: Record<string, unknown>
}

export const NO_TOOLS: SessionTools = { mcpServers: [] }

/**
 * Arguments that allow the tools; none where a configuration sets the agent's own arguments. gemini
 * reads a file of settings only if root owns it.
 */
export function toolArguments({ known, ...definition }: AgentDefinition): string[] {
  if (known !== 'gemini' || !('args' in definition)) return []
  return String(definition.args) === String(KNOWN_AGENTS.gemini.args)
    ? ['--policy', packaged('agent-settings/gemini-tools.toml')]
    : []
}

/** @param markers of the agent's process: some agents start a server with an empty environment */
export function sessionTools(
  known: KnownName | undefined,
  cwd: string,
  markers: { run: string; step: string },
): SessionTools {
  return {
    mcpServers: [
      {
        name: TOOL_SERVER,
        command: process.execPath,
        args: [packaged('sandbox/agent-tools.cjs'), toolFolder(cwd, markers.step)],
        env: [
          { name: MARKERS.run, value: markers.run },
          { name: MARKERS.step, value: relayMarker(markers.step) },
        ],
      },
    ],
    ...(known === 'claude'
      ? {
          _meta: {
            claudeCode: {
              options: { allowedTools: TOOL_NAMES.map((tool) => `mcp__${TOOL_SERVER}__${tool}`) },
            },
          },
        }
      : {}),
  }
}
