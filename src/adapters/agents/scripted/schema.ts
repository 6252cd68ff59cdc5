// The YAML of a playbook. docs/configuration.md and the examples show it; errors name the place and
// what is allowed.
//
// markers: starts.ndjson # optional: one line is appended per prompt; relative to this file steps:
// - when: { role: test-fix-agent, iteration: 1 } # also: task, turn, attempt, kind, nth; absent =
// any do:
// - say: I will correct the sum.
// - patch: { path: src/sum.js, find: a - b, replace: a + b }
//
// Which step runs: the first whose `when` matches the prompt's first line. Steps are not used
// up; a step without `when` matches everything, so it belongs at the end. `nth` tells apart turns
// that are alike but for that: 2 is the second `validate` of its session.
//
// Paths may begin with what the prompt's first line names: {progress}, the role's own folder;
// {board}; {workspace}. In a result {task} is the id of the turn's task. One file serves several
// agents at once: nothing is noted but in the session's own file, and appends are whole.
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { ROLES } from '../../../contract/config/agent-config.js'
import { KINDS } from '../../../contract/names.js'
import { TurnKind } from '../../../contract/turn.js'

const File = z
  .string()
  .min(1)
  .refine(
    (p) => !p.startsWith('/') && !p.split(/[\\/]/).includes('..'),
    'must be a path below the working directory',
  )
const Attempts = z.number().int().min(1)

/** The whole file; folders are made. */
const WriteAction = z.strictObject({ write: z.strictObject({ path: File, text: z.string() }) })
/** To the end of a file, which is made where it is missing. */
const AppendAction = z.strictObject({ append: z.strictObject({ path: File, text: z.string() }) })
/** The first place. */
const PatchAction = z.strictObject({
  patch: z.strictObject({ path: File, find: z.string().min(1), replace: z.string() }),
})
const DeleteAction = z.strictObject({ delete: File })
/**
 * Appends an entry to the shared board, or a line as it is; `agent` is the role's own where it is
 * not said.
 */
const BoardAction = z.strictObject({
  board: z.union([
    z.string(),
    z.strictObject({
      agent: z.string().optional(),
      type: z.string().min(1),
      data: z.record(z.string(), z.unknown()),
    }),
  ]),
})
/** A command, without a shell, in the working directory. Its exit code is reported, not judged. */
const RunAction = z.strictObject({ run: z.array(z.string()).min(1) })
const SayAction = z.strictObject({ say: z.string() })
/** Text as it is, or the fields of a block, and the fenced JSON after it. */
const ResultAction = z.strictObject({
  result: z.union([
    z.string(),
    z.strictObject({
      block: z
        .string()
        .regex(/^[A-Z_]+$/)
        .default('PHASE_RESULT'),
      fields: z.record(z.string(), z.unknown()).default({}),
      json: z.unknown().optional(),
    }),
  ]),
})
/** Asks for permission. Without it the rest of the step is skipped, and the answer says so. */
const AskAction = z.strictObject({ ask: z.string().min(1) })
/**
 * Milliseconds, until a file is there (relative to the working directory, or absolute), or for
 * ever; a cancel ends it.
 */
const WaitAction = z.strictObject({
  wait: z.union([
    z.number().int().min(0),
    z.literal('forever'),
    z.strictObject({ 'until-file': z.string().min(1) }),
  ]),
})
/** Neither answers nor listens; with `tool` it has begun a tool call that never ends. */
const HangAction = z.strictObject({
  hang: z.union([
    z.literal(true),
    z.strictObject({
      tool: z.string().optional(),
      cancel: z.enum(['ignore', 'heed']).default('ignore'),
    }),
  ]),
})
/** Ends the process; with `attempts` only in so many attempts of the turn. */
const CrashAction = z.strictObject({
  crash: z.union([
    z.number().int().min(0).max(255),
    z.strictObject({
      code: z.number().int().min(0).max(255).default(1),
      attempts: Attempts.optional(),
    }),
  ]),
})
/** Megabytes of text. */
const FloodAction = z.strictObject({ flood: z.number().min(0).max(1_000) })
/** Leaves a child behind. It ends by itself after `seconds`. */
const ForkAction = z.strictObject({
  fork: z.strictObject({
    setsid: z.boolean().default(false),
    'ignore-term': z.boolean().default(false),
    seconds: z.number().min(1).max(3_600).default(600),
  }),
})
/** Claims what it did not measure. */
const LieAction = z.strictObject({ lie: z.union([z.literal(true), z.string()]) })
/** Reports what it used, at once and in the answer; several add up. `cost` in US dollars. */
const TokensAction = z.strictObject({
  tokens: z.strictObject({
    input: z.number().int().min(0),
    output: z.number().int().min(0),
    cost: z.number().min(0).optional(),
  }),
})
/** Answers the prompt with a JSON-RPC error; with `times` only so often in a turn. */
const ErrorAction = z.strictObject({
  error: z.union([
    z.number().int(),
    z.strictObject({
      code: z.number().int(),
      message: z.string().default('scripted error'),
      data: z.unknown().optional(),
      times: Attempts.optional(),
    }),
  ]),
})
/**
 * Answers the prompt with a structured rate limit, which is over after `resets-in` seconds, where
 * that is said; with `times` only so often in a turn.
 */
const LimitAction = z.strictObject({
  limit: z.strictObject({ 'resets-in': z.number().min(0).optional(), times: Attempts.optional() }),
})
/** Ends the prompt with this stop reason. */
const StopAction = z.strictObject({
  stop: z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']),
})

const ACTIONS = {
  write: WriteAction,
  append: AppendAction,
  patch: PatchAction,
  delete: DeleteAction,
  board: BoardAction,
  run: RunAction,
  say: SayAction,
  result: ResultAction,
  ask: AskAction,
  wait: WaitAction,
  hang: HangAction,
  crash: CrashAction,
  flood: FloodAction,
  fork: ForkAction,
  lie: LieAction,
  tokens: TokensAction,
  error: ErrorAction,
  limit: LimitAction,
  stop: StopAction,
} as const
/** Names of the actions; docs/configuration.md has a line for each. */
export const ACTION_NAMES = Object.keys(ACTIONS)
export type Action = z.infer<(typeof ACTIONS)[keyof typeof ACTIONS]>

// By its only key, so that an error speaks of the action that was meant and not of all the others.
const Action = z.record(z.string(), z.unknown()).transform((raw, ctx): Action => {
  const keys = Object.keys(raw)
  const name = keys[0] as keyof typeof ACTIONS
  if (keys.length !== 1 || !Object.hasOwn(ACTIONS, name)) {
    ctx.addIssue({
      code: 'custom',
      message: `must have one key, of ${ACTION_NAMES.join(', ')}; got ${keys.join(', ') || 'none'}`,
    })
    return z.NEVER
  }
  const parsed = ACTIONS[name].safeParse(raw)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues)
    ctx.addIssue({ code: 'custom', path: issue.path, message: issue.message })
  return z.NEVER
})

const When = z.strictObject({
  kind: z.enum(KINDS).optional(),
  role: z.enum(ROLES).optional(),
  task: z.string().optional(),
  iteration: z.number().int().min(0).optional(),
  turn: TurnKind.optional(),
  attempt: Attempts.optional(),
  nth: Attempts.optional(),
})
export type When = z.infer<typeof When>

const Step = z.strictObject({ when: When.default({}), do: z.array(Action) })
export type Step = z.infer<typeof Step>

export const Playbook = z.strictObject({
  markers: z.string().min(1).optional(),
  steps: z.array(Step).min(1),
})
export type Playbook = z.infer<typeof Playbook>

/** Reads a playbook, or says in one line what is wrong with it, and where. */
export function readPlaybook(
  file: string,
): { ok: true; playbook: Playbook } | { ok: false; problem: string } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { ok: false, problem: `playbook ${file} does not exist` }
    throw error
  }
  const document = parseDocument(text)
  const [broken] = document.errors
  if (broken !== undefined)
    return { ok: false, problem: `${file}: ${broken.message.split('\n')[0]}` }
  const parsed = Playbook.safeParse(document.toJS())
  if (parsed.success) return { ok: true, playbook: parsed.data }
  return {
    ok: false,
    problem: `${file}: ${parsed.error.issues
      .slice(0, 3)
      .map((i) => `${i.path.join('.') || 'playbook'}: ${i.message}`)
      .join('; ')}`,
  }
}
