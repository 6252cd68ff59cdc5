// How processes of one user find each other: files in the state directory.
import { z } from 'zod'

/** `projects/<projectKey>.json`: a project that may be worked on from this host. */
export const RegisteredProject = z.object({
  path: z.string(),
  key: z.string(),
  registeredAt: z.string(),
})
export type RegisteredProject = z.infer<typeof RegisteredProject>

/** A process, so that a reused pid is never mistaken for it. */
export const ProcessIdentity = z.object({
  pid: z.number().int(),
  startTime: z.string(),
  bootId: z.string(),
})
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

/** The first line on standard input of a worker that a supervisor has started. */
export const WorkerServer = z.object({
  /** `host:port` */
  address: z.string(),
  namespace: z.string(),
  /** What the worker gets has to be signed. */
  private: z.boolean(),
})
export type WorkerServer = z.infer<typeof WorkerServer>

/**
 * A further line on standard input of the worker of the projects. It answers in its log with
 * `ready NAME`, or `failed NAME REASON`.
 */
export const ProjectOrder = z.union([
  z.object({ open: RegisteredProject.pick({ path: true, key: true }) }),
  z.object({ close: RegisteredProject.pick({ path: true, key: true }) }),
])
export type ProjectOrder = z.infer<typeof ProjectOrder>

/** Name of a project's worker. */
export function workerName({ key }: { key: string }): string {
  return `project-${key}`
}
