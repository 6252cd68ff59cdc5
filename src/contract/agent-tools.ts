// The tools that Ratchet gives an agent in a turn, and the files that carry their calls between the
// relay in the agent's sandbox and the project's worker.
import { z } from 'zod'

/** Name of the MCP server. Agents' allow-lists name it, and so do prompts. */
export const TOOL_SERVER = 'ratchet'

export const TOOL_NAMES = ['run_tests', 'failures', 'diff'] as const
export type ToolName = (typeof TOOL_NAMES)[number]

/** `requests`: of one process of an agent. Sizes are bytes, `pathChars` is characters. */
export const TOOL_LIMITS = {
  requestBytes: 64 * 1024,
  answerBytes: 16 * 1024,
  requests: 100,
  files: 50,
  pathChars: 300,
} as const

const Files = z.array(z.string().min(1).max(TOOL_LIMITS.pathChars)).max(TOOL_LIMITS.files)

/** Of `req-N.json`: made by the relay, so that an old answer is not taken for a new one. */
export const ToolRequestId = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) })

/** Content of `req-N.json`. */
export const ToolRequest = z.discriminatedUnion('tool', [
  z.strictObject({
    ...ToolRequestId.shape,
    tool: z.literal('run_tests'),
    arguments: z.strictObject({ files: Files.optional() }),
  }),
  z.strictObject({
    ...ToolRequestId.shape,
    tool: z.literal('failures'),
    arguments: z.strictObject({ from: z.number().int().min(1).max(1e6).optional() }),
  }),
  z.strictObject({
    ...ToolRequestId.shape,
    tool: z.literal('diff'),
    arguments: z.strictObject({}),
  }),
])
export type ToolRequest = z.infer<typeof ToolRequest>

/** Content of `res-N.json`. `isError`: the tool did not do what was asked. */
export type ToolResponse = { id: string; text: string; isError: boolean }

/** Test runs of a turn that its agent asked for, and the time they took, with waits. */
export const AgentTests = z.object({ runs: z.number().int(), ms: z.number() })
export type AgentTests = z.infer<typeof AgentTests>

/** A test run in an agent's tree. It decides nothing. */
export type AgentTestRun =
  | {
      kind: 'measured'
      passed: number
      failed: number
      skipped: number
      failures: { file: string; test: string; error: string }[]
      note?: string | undefined
      /** Files that changed meanwhile and were restored. */
      restored: string[]
    }
  | { kind: 'problem'; reason: string; tail: string; restored: string[] }
