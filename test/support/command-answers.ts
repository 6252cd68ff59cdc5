// What commands answer with --json, as tests of cycles and loops read it.
import type { CliProcessUser } from './cli-process.js'
import { Finished, type Failed } from './documents.js'

type User = Pick<CliProcessUser, 'json'>

/** Of `ratchet status`. */
export type Status = {
  server: { address: string }
  runs: {
    id: string
    kind: string
    status: string
    phase: string
    iteration: number
    passRate: number | null
    waitingFor: string
  }[]
}

/** The line of one run. */
export async function statusOf(
  user: User,
  project: string,
  id: string,
): Promise<Status['runs'][number] | undefined> {
  return (await user.json<Status>(project, 'status', id)).document.runs[0]
}

/** The error of a command that is refused. */
export async function refused(
  user: User,
  project: string,
  ...argv: string[]
): Promise<Failed['error'] & { exitCode: number }> {
  const { exitCode, document } = await user.json<Failed>(project, ...argv)
  return { exitCode, ...document.error }
}

/** Ends with the JSON that a followed run prints. */
export async function followed(
  user: User,
  project: string,
  ...argv: string[]
): Promise<{ exitCode: number; stderr: string; result: ReturnType<typeof Finished.parse> }> {
  const { exitCode, document, stderr } = await user.json(project, ...argv)
  return { exitCode, stderr, result: Finished.parse(document) }
}
