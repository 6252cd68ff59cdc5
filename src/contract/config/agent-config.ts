// Agents in the configuration: programs that it defines, variants of known ones, and roles.
import { z } from 'zod'
import { KNOWN_NAMES, type KnownName } from '../known-agents.js'

export const AgentName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be lower case letters, digits and dashes')

const Env = z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())

const Common = {
  env: Env.default({}),
  passEnv: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).default([]),
  sandbox: z.array(z.string().min(1)).default([]),
}

/**
 * What the tokens that the answer to a prompt reports count: the prompt, or the session by now.
 * Without it they are the prompt's, unless the reports themselves show that they are not.
 */
const Tokens = z.literal('session').optional()

/** A program that speaks the Agent Client Protocol on stdio. */
export const AcpAgent = z.strictObject({
  protocol: z.literal('acp'),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  mode: z.string().optional(),
  model: z.string().optional(),
  tokens: Tokens,
  ...Common,
})

/** The scripted agent: follows a YAML file. For demos, tests and dry runs. */
export const PlaybookAgent = z.strictObject({
  protocol: z.literal('playbook'),
  file: z.string().min(1).default('ratchet.playbook.yaml'),
  ...Common,
})

/**
 * A command that takes one prompt and exits. The prompt goes to its standard input, or into a file
 * if `args` contain `{promptFile}`.
 */
export const ExecAgent = z.strictObject({
  protocol: z.literal('exec'),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /**
   * Replaces `args` when a session is resumed; `{session}` is its id. Without it every prompt
   * starts a new session.
   */
  resumeArgs: z.array(z.string()).optional(),
  output: z.enum(['text', 'json', 'stream-json']).default('text'),
  ...Common,
})
export type ExecAgent = z.infer<typeof ExecAgent>
export type AcpAgent = z.infer<typeof AcpAgent>

/** A known agent with other settings: the one with the entry's name, or the one it `extends`. */
export const AgentVariant = z.strictObject({
  extends: z.enum(KNOWN_NAMES).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  mode: z.string().optional(),
  model: z.string().optional(),
  tokens: Tokens,
  ...Common,
})
export type AgentVariant = z.infer<typeof AgentVariant>

const Defined = z.discriminatedUnion('protocol', [AcpAgent, ExecAgent, PlaybookAgent])

// By its protocol, so that an error is about the intended kind of entry.
export const AgentEntry = z
  .record(z.string(), z.unknown())
  .transform((raw, ctx): z.infer<typeof Defined> | AgentVariant => {
    const parsed = ('protocol' in raw ? Defined : AgentVariant).safeParse(raw)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) ctx.addIssue({ ...issue, path: issue.path })
    return z.NEVER
  })

/** Parses an entry that names its protocol. */
export const AgentDefinition = Defined

/** What is needed to start an agent, defined or built in. */
export type AgentDefinition = z.infer<typeof Defined> & {
  /** The known agent it is. */
  known?: KnownName
  /** Passed on if they are set, unlike `passEnv`, which must be set. */
  mayPassEnv?: readonly string[]
}

/** Every role there is. */
export const ROLES = [
  'requirements-analyst',
  'exploration-planner',
  'code-developer',
  'validation-archivist',
  'test-fix-agent',
  'cli-planning-agent',
  'loop-init',
  'loop-develop',
  'loop-debug',
  'loop-validate',
  'loop-complete',
] as const

export type Role = (typeof ROLES)[number]

export const RoleAgents = z
  .union([AgentName, z.array(AgentName).min(1)])
  .transform((v) => (Array.isArray(v) ? v : [v]))
