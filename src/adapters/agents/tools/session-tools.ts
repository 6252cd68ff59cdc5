// How a session gets the tools: the relay as an MCP server, and the entry that lets the agent call
// them without a question. The entry names this server and its tools; the title of a permission
// request, which is the agent's own word, never counts. gemini and qwen read theirs from
// agent-settings/, opencode needs none.
import { TOOL_NAMES, TOOL_SERVER } from '../../../contract/agent-tools.js'
import type { KnownName } from '../../../contract/known-agents.js'
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

/** @param markers of the agent's process, as some agents start a server with an empty environment */
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
