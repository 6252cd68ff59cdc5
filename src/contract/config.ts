// ratchet.config.json|yaml and package.json#ratchet. Strict: an unknown key is an error.
import { z } from 'zod'
import { OnRateLimit } from './budget.js'
import { Duration } from './duration.js'
import { Hooks } from './hooks.js'
import { KNOWN_AGENTS, KNOWN_NAMES, type KnownName } from './known-agents.js'
import { Criticality } from './test-run.js'

const AgentName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be lower case letters, digits and dashes')
const Env = z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())

const Common = {
  env: Env.default({}),
  passEnv: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).default([]),
  sandbox: z.array(z.string().min(1)).default([]),
}

/** A program that speaks the Agent Client Protocol on stdio. */
export const AcpAgent = z.strictObject({
  protocol: z.literal('acp'),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  mode: z.string().optional(),
  model: z.string().optional(),
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
  ...Common,
})
export type AgentVariant = z.infer<typeof AgentVariant>

const Defined = z.discriminatedUnion('protocol', [AcpAgent, ExecAgent, PlaybookAgent])

// By its protocol, so that an error is about the intended kind of entry.
const AgentEntry = z
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

/** Formats of test reports that can be read. */
export const REPORT_FORMATS = ['junit', 'ctrf', 'vitest', 'jest', 'mocha', 'tap', 'go'] as const
// Most runners whose own format cannot be read, as cargo and TRX, can write JUnit XML.
const ReportFormat = z.enum(
  REPORT_FORMATS,
  'must be a known format; let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }',
)

const RoleAgents = z
  .union([AgentName, z.array(AgentName).min(1)])
  .transform((v) => (Array.isArray(v) ? v : [v]))
const count = (least: number) => z.number().int().min(least)
const RegExpText = z
  .string()
  .min(1)
  .superRefine((text, ctx) => {
    try {
      new RegExp(text, 'i')
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      ctx.addIssue({
        code: 'custom',
        message: `must be a regular expression, got ${JSON.stringify(text)}: ${error.message.replace(/^.*: /, '')}`,
      })
    }
  })

/**
 * The criticality of failures whose `file > test` matches the regular expression, ignoring case.
 * The first match counts.
 */
export const CriticalityRule = z.strictObject({ match: RegExpText, level: Criticality })
export type CriticalityRule = z.infer<typeof CriticalityRule>

const ListenAddress = z
  .string()
  .regex(
    /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost):)?\d{1,5}$/,
    'must be a port or an address and a port, like "127.0.0.1:9464"',
  )
// A password in the address would end up in every copy of the configuration.
const CollectorUrl = z
  .string()
  .regex(
    /^(?:env$|https?:\/\/[^\s/@]+(?:\/[^\s@]*)?$)/,
    'must be the address of an OTLP/HTTP collector, like "http://127.0.0.1:4318/v1/traces", or "env"; credentials go into OTEL_EXPORTER_OTLP_HEADERS, with "env"',
  )

/**
 * Traces and metrics of a project's worker, and metrics of the workflow worker; off unless named.
 */
export const TelemetrySettings = z.strictObject({
  /**
   * Where spans go, by OTLP over HTTP. `env`: use the OTEL_EXPORTER_OTLP_ variables, which are
   * ignored otherwise.
   */
  traces: CollectorUrl.optional(),
  /** Where Prometheus may scrape; on 127.0.0.1 if no address is given. */
  metrics: ListenAddress.optional(),
  serviceName: z.string().min(1).max(100).default('ratchet'),
})
export type TelemetrySettings = z.infer<typeof TelemetrySettings>

// 0 = no limit.
const whole = count(0).default(0)
const amount = z.number().min(0).default(0)

const KindLimits = z.strictObject({
  maxIterations: count(1).optional(),
  agentTurn: Duration.optional(),
  converge: Duration.optional(),
  idle: Duration.optional(),
})

export const Config = z.strictObject({
  $schema: z.string().optional(),
  agents: z.record(AgentName, AgentEntry).default({}),
  roles: z
    .strictObject({
      default: RoleAgents.optional(),
      ...Object.fromEntries(ROLES.map((r) => [r, RoleAgents.optional()])),
    } as Record<'default' | Role, z.ZodOptional<typeof RoleAgents>>)
    .default({}),
  test: z
    .strictObject({
      command: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
      report: z.strictObject({ format: ReportFormat, path: z.string().min(1) }).optional(),
      timeout: Duration.default(600_000),
      flakyRetries: count(0).max(10).default(1),
      guard: z.array(z.string().min(1)).default([]),
      /** Guarded files that a fix may change nevertheless, such as snapshots. */
      mayChange: z.array(z.string().min(1)).default([]),
      criticality: z.array(CriticalityRule).default([]),
    })
    .prefault({}),
  workspace: z
    .strictObject({
      isolation: z.enum(['clone', 'in-place']).default('clone'),
      dependencies: z.enum(['copy', 'install', 'none']).default('copy'),
      setup: z.array(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])).default([]),
      /** Runs the setup only at the start, even if tracked files change. */
      setupOnce: z.boolean().default(false),
      copy: z.array(z.string().min(1)).default([]),
      remote: z.string().min(1).default('origin'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxIterations: count(1).optional(),
      agentTurn: Duration.optional(),
      converge: Duration.optional(),
      feedbackTurn: Duration.optional(),
      idle: Duration.optional(),
      analysis: Duration.optional(),
      /**
       * Overrides of the above for one kind of run: a dev cycle, a dev loop, and a loop in parallel
       * mode.
       */
      cycle: KindLimits.optional(),
      loop: KindLimits.optional(),
      parallel: KindLimits.omit({ idle: true }).optional(),
      agentsPerHost: count(1).default(4),
      maxTokens: whole,
      maxCostUsd: amount,
      maxTurns: whole,
      maxMinutes: amount,
      onRateLimit: OnRateLimit.default('wait'),
      /** Longest wait for a model provider in one outage. */
      unavailable: Duration.default(6 * 60 * 60_000),
    })
    .prefault({}),
  cycle: z
    .strictObject({
      /** Tests that failed before a cycle or loop also keep it from being completed. */
      requireGreen: z.boolean().default(false),
    })
    .prefault({}),
  permissions: z.enum(['deny', 'allow', 'ask']).default('deny'),
  timezone: z
    .string()
    .regex(/^[+-]\d\d:\d\d$/, 'must be an offset like "+08:00"')
    .default('+08:00'),
  hooks: Hooks.default({}),
  telemetry: TelemetrySettings.optional(),
})
export type Config = z.infer<typeof Config>

/** Returns the agents of a role, first choice first; empty if none is configured. */
export function agentsFor(config: Config, role: Role): string[] {
  return config.roles[role] ?? config.roles.default ?? []
}

/** Returns whether any role has an agent; otherwise a run uses the agents it finds. */
export function namesAgents({ roles }: Pick<Config, 'roles'>): boolean {
  return Object.values(roles).some((agents) => agents !== undefined)
}

/** Returns the definition of an agent by its name, or `undefined`. */
export function agentDefinition(config: Config, name: string): AgentDefinition | undefined {
  // Own keys only: every object has a "constructor".
  const entry = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined
  if (entry !== undefined && 'protocol' in entry) return entry
  const known = entry?.extends ?? KNOWN_NAMES.find((one) => one === name)
  if (known !== undefined) return variant(known, entry)
  return name === 'playbook' && entry === undefined
    ? PlaybookAgent.parse({ protocol: 'playbook' })
    : undefined
}

function variant(known: KnownName, entry: AgentVariant | undefined): AgentDefinition {
  const { command, args = [], env, mayPassEnv } = KNOWN_AGENTS[known]
  const base = AcpAgent.parse({ protocol: 'acp', command, args: [...args], env })
  return {
    ...base,
    command: entry?.command ?? base.command,
    args: entry?.args ?? base.args,
    mode: entry?.mode ?? base.mode,
    model: entry?.model ?? base.model,
    env: { ...base.env, ...entry?.env },
    passEnv: entry?.passEnv ?? base.passEnv,
    sandbox: entry?.sandbox ?? base.sandbox,
    known,
    mayPassEnv,
  }
}

/** Limits in force for one kind of run, times in milliseconds. */
export type Limits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  idleMs: number
  analysisMs: number
}

/**
 * Defaults of the test-fix cycle: 5 iterations, 40 min for an analysis, 30 + 3 min for other turns.
 */
export const TEST_FIX_LIMITS: Limits = {
  maxIterations: 5,
  agentTurnMs: 30 * 60_000,
  convergeMs: 3 * 60_000,
  idleMs: 10 * 60_000,
  analysisMs: 40 * 60_000,
}

/** Returns the kind's defaults, overridden by the configuration. */
export function limitsFor(config: Config, defaults: Limits): Limits {
  const { maxIterations, agentTurn, converge, idle, analysis } = config.limits
  return {
    maxIterations: maxIterations ?? defaults.maxIterations,
    agentTurnMs: agentTurn ?? defaults.agentTurnMs,
    convergeMs: converge ?? defaults.convergeMs,
    idleMs: idle ?? defaults.idleMs,
    analysisMs: analysis ?? defaults.analysisMs,
  }
}

/** Limits of a dev cycle. */
export type CycleLimits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  feedbackTurnMs: number
  idleMs: number
}

/**
 * Defaults of the dev cycle: 5 iterations, 30 minutes for a turn and 3 to converge, 15 minutes for
 * feedback.
 */
export const CYCLE_LIMITS: CycleLimits = {
  maxIterations: 5,
  agentTurnMs: 30 * 60_000,
  convergeMs: 3 * 60_000,
  feedbackTurnMs: 15 * 60_000,
  idleMs: 10 * 60_000,
}

/** Returns the cycle's defaults, overridden by the configuration; `limits.cycle` comes first. */
export function cycleLimitsFor({ limits }: Config): CycleLimits {
  return {
    ...withNamed(CYCLE_LIMITS, limits, limits.cycle),
    feedbackTurnMs: limits.feedbackTurn ?? CYCLE_LIMITS.feedbackTurnMs,
  }
}

/**
 * Limits of a dev loop. `parallel`: rounds, limits of the parallel workers, and `edgeMs` for init
 * and complete.
 */
export type LoopLimits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  idleMs: number
  parallel: { maxIterations: number; edgeMs: number; agentTurnMs: number; convergeMs: number }
}

/**
 * Defaults of the dev loop: 10 iterations, 10 minutes and 5 to converge; in parallel mode 5 for
 * init and complete, 15 for all others, 60 s to converge.
 */
export const LOOP_LIMITS: LoopLimits = {
  maxIterations: 10,
  agentTurnMs: 10 * 60_000,
  convergeMs: 5 * 60_000,
  idleMs: 10 * 60_000,
  parallel: { maxIterations: 10, edgeMs: 5 * 60_000, agentTurnMs: 15 * 60_000, convergeMs: 60_000 },
}

/**
 * Returns the loop's defaults, overridden by the configuration; `limits.loop` and, in parallel
 * mode, `limits.parallel` come first.
 */
export function loopLimitsFor({ limits }: Config): LoopLimits {
  const { maxIterations, agentTurnMs, convergeMs } = withNamed(
    { ...LOOP_LIMITS, ...LOOP_LIMITS.parallel },
    limits,
    limits.parallel,
  )
  return {
    ...withNamed(LOOP_LIMITS, limits, limits.loop),
    parallel: {
      maxIterations,
      agentTurnMs,
      convergeMs,
      edgeMs: limits.parallel?.agentTurn ?? limits.agentTurn ?? LOOP_LIMITS.parallel.edgeMs,
    },
  }
}

type Named = Pick<LoopLimits, 'maxIterations' | 'agentTurnMs' | 'convergeMs' | 'idleMs'>

function withNamed<L extends Named>(
  defaults: L,
  limits: Config['limits'],
  own: Partial<z.infer<typeof KindLimits>> = {},
): L {
  return {
    ...defaults,
    maxIterations: own.maxIterations ?? limits.maxIterations ?? defaults.maxIterations,
    agentTurnMs: own.agentTurn ?? limits.agentTurn ?? defaults.agentTurnMs,
    convergeMs: own.converge ?? limits.converge ?? defaults.convergeMs,
    idleMs: own.idle ?? limits.idle ?? defaults.idleMs,
  }
}
