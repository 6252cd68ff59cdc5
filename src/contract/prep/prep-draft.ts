// What an agent works out about a task before its cycle or loop, as Ratchet reads it.
import { z } from 'zod'
import { LoopTask, TASK_TEXT_CHARS, TASKS_KEPT } from '../dev-loop/action-reading.js'

/** The five parts of a refined task, in the order of its text. */
export const DIMENSIONS = [
  'objective',
  'success_criteria',
  'scope',
  'constraints',
  'context',
] as const
export const Dimension = z.enum(DIMENSIONS)
export type Dimension = z.infer<typeof Dimension>

/** Most questions to a person, and the longest one in characters. */
export const QUESTIONS_ASKED = 5
export const QUESTION_CHARS = 200
const ITEM_CHARS = 300
const ITEMS = 20

const Text = (most: number) =>
  z.string().trim().min(1, 'must not be empty').max(most, `must have at most ${most} characters`)
const Item = Text(ITEM_CHARS)

/** `score`: 0 unknown, 1 partly known, 2 clear. */
const DraftPart = z.object({
  score: z.coerce.number().int().min(0).max(2),
  value: Text(TASK_TEXT_CHARS),
})

export const PrepQuestion = z.object({
  id: z.string(),
  text: z.string(),
  options: z.array(z.string()),
  recommended: z.string(),
  /** The part of the task that its answer settles. */
  about: Dimension,
})
export type PrepQuestion = z.infer<typeof PrepQuestion>

const Assumption = z.object({ about: Dimension, text: Item })

/** How a loop's task is known to be done. With its description it fits into a task's text. */
const TaskConvergence = z.object({
  criteria: z.array(Item).min(1).max(5),
  verification: Item,
  definition_of_done: Item,
})

/** A task that is ready for a loop. */
export const PrepTask = z.object({
  description: Text(1_000),
  priority: LoopTask.shape.priority,
  files: z.array(Item).max(ITEMS),
  _convergence: TaskConvergence,
})
export type PrepTask = z.infer<typeof PrepTask>

/** The JSON object that an agent's answer ends in. */
export const PrepDraft = z.object({
  dimensions: z.object({
    objective: DraftPart,
    success_criteria: DraftPart,
    scope: DraftPart,
    constraints: DraftPart,
    context: DraftPart,
  }),
  tech_stack: Item,
  source_refs: z.array(Item).max(ITEMS),
  assumptions: z.array(Assumption).max(ITEMS),
  questions: z
    .array(
      z.object({
        text: Text(QUESTION_CHARS),
        options: z.array(Text(100)).max(6).default([]),
        recommended: Item,
        about: Dimension,
      }),
    )
    .max(QUESTIONS_ASKED),
})
export type PrepDraft = z.infer<typeof PrepDraft> & { tasks?: PrepTask[] | undefined }

/** The same for a loop. */
export const LoopDraft = PrepDraft.extend({ tasks: z.array(PrepTask).min(1).max(TASKS_KEPT) })

/** What the workflow carries of a draft; the answer file has all of it. */
export const PrepReading = z.object({
  kind: z.literal('prep'),
  scores: z.record(Dimension, z.number().int()),
  questions: z.array(PrepQuestion),
})
export type PrepReading = z.infer<typeof PrepReading>

/** A question with its answer: a person's, or the recommended one, which is then an assumption. */
export const PrepAnswer = z.object({
  question: z.string(),
  answer: z.string(),
  by: z.enum(['user', 'ratchet']),
  about: Dimension,
})
export type PrepAnswer = z.infer<typeof PrepAnswer>
