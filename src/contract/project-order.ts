// What the supervisor tells the worker of the projects, a line of JSON each on standard input.
import { z } from 'zod'

const Project = z.object({ path: z.string(), key: z.string() })

export const ProjectOrder = z.union([z.object({ open: Project }), z.object({ close: Project })])
export type ProjectOrder = z.infer<typeof ProjectOrder>

/** By which the worker says `ready NAME`, or `failed NAME REASON`. */
export function workerName({ key }: { key: string }): string {
  return `project-${key}`
}
