// What a `.task/*.json` file must hold, and the short form of it that a run carries.
//
// Files come from several tools and from people: extra fields are left alone, but nothing that
// decides is guessed. A problem names the field and what to write.
import { z } from 'zod'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import {
  TASK_ID,
  TaskRole,
  TaskType,
  type TaskEntry,
  type TaskStatus,
} from '../../contract/test-fix/task.js'
import { fileKind } from '../guard/test-files.js'
import { fieldOf } from '../text/field-of.js'
import { oneLine } from '../text/one-line.js'

/** Longest title in a queue. */
const TITLE_CHARS = 120

const STATUSES: Readonly<Record<TaskStatus, readonly string[]>> = {
  pending: ['pending', 'todo', 'to_do', 'not_started', 'planned', 'created', 'open', 'ready'],
  in_progress: ['in_progress', 'active', 'running', 'doing', 'started'],
  completed: ['completed', 'complete', 'done', 'finished', 'success'],
  rolled_back: ['rolled_back', 'reverted'],
  blocked: ['blocked', 'failed'],
}

/** Returns the status for a file's own word, `undefined` for an unknown word. */
export function taskStatus(word: unknown): TaskStatus | undefined {
  if (typeof word !== 'string') return undefined
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return (Object.keys(STATUSES) as TaskStatus[]).find((status) => STATUSES[status].includes(plain))
}

const AGENTS = TaskRole.options.map((role) => `"@${role}"`).join(', ')
const WORDS = Object.keys(STATUSES)
  .map((status) => `"${status}"`)
  .join(', ')

const text = (write: string) =>
  z
    .string({ error: missing(write) })
    .trim()
    .min(1, `is empty; write ${write}`)
const Iterations = z
  .number({ error: missing('a whole number') })
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_ITERATIONS, `must be at most ${MAX_ITERATIONS}`)
const Ids = z.array(
  z
    .string({ error: missing('ids of tasks') })
    .regex(TASK_ID, 'must be the id of a task, like "IMPL-001"'),
  { error: missing('a list of task ids, like ["IMPL-001"]') },
)

const TaskFile = z.looseObject(
  {
    id: text('an id like "IMPL-001"').regex(TASK_ID, 'must look like "IMPL-001" or "IMPL-001.3"'),
    title: text('one line that says what to do'),
    status: text(`one of ${WORDS}`).refine((word) => taskStatus(word) !== undefined, {
      error: ({ input }) => `is not known: ${JSON.stringify(input)}; write one of ${WORDS}`,
    }),
    meta: z.looseObject(
      {
        type: text('"test-gen", "test-fix" or another kind of task'),
        agent: text(`one of ${AGENTS}`),
        max_iterations: Iterations.optional(),
      },
      { error: missing('an object with "type" and "agent"') },
    ),
    context: z.looseObject(
      { depends_on: Ids.optional() },
      { error: missing('an object, {} if there is nothing to say') },
    ),
    depends_on: Ids.optional(),
  },
  { error: missing('an object with "id", "title", "status", "meta" and "context"') },
)

export type ReadTask = { ok: true; entry: TaskEntry } | { ok: false; problems: string[] }

/**
 * Reads the content of a task file.
 *
 * @param file its name below `.task/`
 * @returns the queue's entry, or every problem, as `meta.agent: is missing; write …`
 */
export function readTask(file: string, content: unknown): ReadTask {
  const parsed = TaskFile.safeParse(content)
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.map(
        (issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`,
      ),
    }
  const { id, title, status, meta, context, depends_on } = parsed.data
  const type = typeOf(meta.type, content)
  return {
    ok: true,
    entry: {
      id,
      title: title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title,
      type,
      role: roleOf(meta.agent) ?? defaultRole(type),
      status: taskStatus(status) as TaskStatus,
      dependsOn: [...new Set([...(context.depends_on ?? []), ...(depends_on ?? [])])],
      file,
      // The single source, not test_fix_cycle
      maxIterations: meta.max_iterations,
      attempts: 0,
    },
  }
}

/** Names that other tools give to a task that writes tests. */
const WRITES_TESTS = ['test-gen', 'test-generation', 'generate-tests', 'coverage-gap']

// A task of another type writes tests if all of its target files are tests.
function typeOf(word: string, content: unknown): TaskType {
  const known = TaskType.safeParse(word)
  if (known.success) return known.data
  const targets = fieldOf(fieldOf(content, 'flow_control'), 'target_files')
  const files = Array.isArray(targets) ? (targets as unknown[]) : []
  const writesTests =
    WRITES_TESTS.includes(word.toLowerCase().replaceAll('_', '-')) ||
    (files.length > 0 && files.every((file) => typeof file === 'string' && isTestTarget(file)))
  return writesTests ? 'test-gen' : 'work'
}

// "src/a.test.ts", or "src/a.test.ts:describe" with a place in it
function isTestTarget(target: string): boolean {
  return fileKind(target.replace(/^\.\//, '').replace(/:.*$/, '')) === 'test'
}

function defaultRole(type: TaskType): TaskRole {
  return type === 'test-gen' || type === 'work' ? 'code-developer' : 'test-fix-agent'
}

/** What a task of another tool says and Ratchet does otherwise, one sentence each. */
export function taskNotes(
  content: unknown,
  { id, type }: TaskEntry,
  testCommand: string,
): string[] {
  const [meta, flow] = [fieldOf(content, 'meta'), fieldOf(content, 'flow_control')]
  const agent = fieldOf(meta, 'agent')
  const cycle = fieldOf(flow, 'test_fix_cycle')
  const ignored = [
    ...(fieldOf(meta, 'use_codex') === true ? ['use_codex'] : []),
    ...['diagnosis_tool', 'fix_mode'].filter((name) => {
      const value = fieldOf(cycle, name)
      return typeof value === 'string' && roleOf(value) === undefined
    }),
  ]
  const command = fieldOf(fieldOf(flow, 'test_commands'), 'run_tests')
  return [
    ...(typeof agent === 'string' && roleOf(agent) === undefined
      ? [`meta.agent ${quoted(agent)} is not known: the ${defaultRole(type)} carries the task out`]
      : []),
    ...(ignored.length === 0
      ? []
      : [`no effect: ${ignored.join(', ')}; "roles" in the configuration names the agents`]),
    ...(typeof command === 'string' && oneLine(command) !== oneLine(testCommand)
      ? [
          `test_commands.run_tests is ${quoted(command)}, but the tests run with ${quoted(testCommand)}; "test.command" in the configuration changes that`,
        ]
      : []),
  ].map((note) => `${id}: ${note}`)
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text, TITLE_CHARS))
}

function roleOf(agent: string): TaskRole | undefined {
  return TaskRole.options.find((role) => role === agent.trim().replace(/^@/, ''))
}

function missing(write: string): (issue: { input?: unknown }) => string {
  return ({ input }) =>
    `${input === undefined ? 'is missing' : `must be something else than ${JSON.stringify(input)?.slice(0, 60)}`}; write ${write}`
}

/** Iteration of a fix task: 3 for `IMPL-fix-3` and `IMPL-fix-3.1`; `undefined` for other ids. */
export function fixNumber(id: string): number | undefined {
  const digits = /^IMPL-fix-(\d{1,6})(?:\.\d)?$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The first id of the form IMPL-nnn behind all of these. */
export function freeTaskId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^IMPL-(\d{1,6})/.exec(id)?.[1] ?? 0))
  return `IMPL-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`
}
