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
        agent: text(`one of ${AGENTS}`).refine((name) => roleOf(name) !== undefined, {
          error: ({ input }) =>
            `is no role of Ratchet's: ${JSON.stringify(input)}; write one of ${AGENTS}`,
        }),
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
  const type = TaskType.safeParse(meta.type)
  return {
    ok: true,
    entry: {
      id,
      title: title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title,
      type: type.success ? type.data : 'work',
      role: roleOf(meta.agent) as TaskRole,
      status: taskStatus(status) as TaskStatus,
      dependsOn: [...new Set([...(context.depends_on ?? []), ...(depends_on ?? [])])],
      file,
      // The single source, not test_fix_cycle
      maxIterations: meta.max_iterations,
      attempts: 0,
    },
  }
}

function roleOf(agent: string): TaskRole | undefined {
  return TaskRole.options.find((role) => role === agent.trim().replace(/^@/, ''))
}

function missing(write: string): (issue: { input?: unknown }) => string {
  return ({ input }) =>
    `${input === undefined ? 'is missing' : `must be something else than ${JSON.stringify(input)?.slice(0, 60)}`}; write ${write}`
}

/** Number of a fix task: 3 for `IMPL-fix-3`; `undefined` for every other id. */
export function fixNumber(id: string): number | undefined {
  const digits = /^IMPL-fix-(\d{1,6})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The first id of the form IMPL-nnn behind all of these. */
export function freeTaskId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^IMPL-(\d{1,6})/.exec(id)?.[1] ?? 0))
  return `IMPL-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`
}
