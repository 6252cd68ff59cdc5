// ratchet.config.json|yaml and package.json#ratchet. Strict: an unknown key is an error.
import { z } from 'zod'
import { Criticality } from '../test-run.js'
import { Duration } from '../duration.js'
import {
  AgentName,
  AgentEntry,
  RoleAgents,
  ROLES,
  type Role,
  type AgentDefinition,
  PlaybookAgent,
  type AgentVariant,
  AcpAgent,
} from './agent-config.js'
import { OnRateLimit } from '../budget.js'
import { QuestionLimits } from '../question-limits.js'
import { Hooks } from '../hooks.js'
import { TelemetrySettings } from './telemetry-settings.js'
import { Sandbox } from '../sandbox.js'
import { KNOWN_NAMES, type KnownName, KNOWN_AGENTS } from '../known-agents.js'

/** Formats of test reports that can be read. */
export const REPORT_FORMATS = ['junit', 'ctrf', 'vitest', 'jest', 'mocha', 'tap', 'go'] as const
// Most runners whose own format cannot be read, as cargo and TRX, can write JUnit XML.
const ReportFormat = z.enum(
  REPORT_FORMATS,
  'must be a known format; let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }',
)

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

// 0 = no limit.
const whole = count(0).default(0)

const amount = z.number().min(0).default(0)

/** How an agent's request for a permission is answered. */
const Permissions = z.enum(['deny', 'allow', 'ask'])
export type Permissions = z.infer<typeof Permissions>

export const KindLimits = z.strictObject({
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
      /** Test runs that an agent may ask for in a turn; 0 gives it no tools. */
      agentTestRuns: count(0).max(100).default(5),
      maxTokens: whole,
      maxCostUsd: amount,
      maxTurns: whole,
      maxMinutes: amount,
      onRateLimit: OnRateLimit.default('wait'),
      /** Longest wait for a model provider in one outage. */
      unavailable: Duration.default(6 * 60 * 60_000),
      /** How long questions wait for an answer; by default for ever. */
      question: QuestionLimits.optional(),
    })
    .prefault({}),
  cycle: z
    .strictObject({
      /** Tests that failed before a cycle or loop also keep it from being completed. */
      requireGreen: z.boolean().default(false),
    })
    .prefault({}),
  /** By default `allow` inside a sandbox, else `deny`. A frozen configuration names it. */
  permissions: Permissions.optional(),
  /** What encloses agents, set-up, checks and tests. */
  sandbox: Sandbox.prefault('none'),
  /** Which ended runs are archived by themselves: none, those that are done, or all. */
  archive: z.enum(['never', 'done', 'ended']).default('never'),
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
    tokens: entry?.tokens ?? base.tokens,
    env: { ...base.env, ...entry?.env },
    passEnv: entry?.passEnv ?? base.passEnv,
    sandbox: entry?.sandbox ?? base.sandbox,
    known,
    mayPassEnv,
  }
}
