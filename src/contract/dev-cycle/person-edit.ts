// A person's edits of documents in a cycle's or a loop's record while the run is open.
import { z } from 'zod'
import { PHASES } from './discovery.js'
import { LOOP_ACTIONS } from '../dev-loop/loop-input.js'

/** The owner of a document: an agent of a cycle or a worker of a loop. */
export const Owner = z.enum([...PHASES, ...LOOP_ACTIONS])
export type Owner = z.infer<typeof Owner>

const Task = z.object({ id: z.string(), text: z.string() })

/**
 * The effect of an edit of plan.json: all tasks of the plan now, the ids of new or reworded tasks,
 * and the removed tasks.
 */
export const PlanEdit = z.object({
  tasks: z.array(Task.extend({ done: z.boolean().optional() })),
  added: z.array(z.string()),
  removed: z.array(Task),
})
export type PlanEdit = z.infer<typeof PlanEdit>

/**
 * `file` is relative to the progress directory; `change` has one line for each line that the person
 * added ("+ …") or removed ("- …"). `problem`: why the edit cannot be used; it is kept as
 * `<file>.edited`.
 */
export const PersonEdit = z.object({
  id: z.string(),
  phase: Owner,
  file: z.string(),
  change: z.array(z.string()),
  problem: z.string().optional(),
  plan: PlanEdit.optional(),
})
export type PersonEdit = z.infer<typeof PersonEdit>

/** An edit that not all agents have seen. `told`: agents that had a turn with it. */
export const OpenEdit = PersonEdit.omit({ plan: true }).extend({ told: z.array(Owner) })
export type OpenEdit = z.infer<typeof OpenEdit>

/**
 * `seen`: entries of edits.ndjson that the run knows. `removed`: tasks that a person removed from
 * the plan.
 */
export const PersonEdits = z.object({
  seen: z.number().int(),
  open: z.array(OpenEdit),
  removed: z.array(Task),
})
export type PersonEdits = z.infer<typeof PersonEdits>
