// Loads the record of a run that continues without its workflow. A damaged one is rebuilt first,
// and the damaged file kept.
import { BAD_INPUT, RefusalError } from '../contract/failures.js'

type Reading<R> =
  | { state: 'none' }
  | { state: 'ok'; record: R }
  | { state: 'damaged'; problem: string }
  | { state: 'newer'; schema: number }

export type TakeUp<R> = {
  kind: 'cycle' | 'loop'
  name: string
  /** File of the record. */
  master: string
  found: Reading<R>
  /** The file is gone, and others of the record are there. */
  isLost: boolean
  /** A requested base, which is refused, as a continued run has one. */
  base: string | undefined
  rebuild: () => Promise<{ record: R; kept?: string | undefined; notes: string[] }>
}

/** @throws RefusalError `BadInput` if there is no record, or it cannot continue */
export async function loadRecord<R>({
  kind,
  name,
  master,
  found,
  isLost,
  base,
  rebuild,
}: TakeUp<R>): Promise<{
  record: R
  warnings: string[]
  refuse: (message: string, next: string) => never
}> {
  const refuse = (message: string, next: string): never => {
    throw new RefusalError(BAD_INPUT, message, master, next)
  }
  if (found.state === 'none' && !isLost)
    return refuse(
      `${kind === 'cycle' ? 'Cycle' : 'Loop'} not found: ${name}`,
      'list the runs with: ratchet status --all',
    )
  if (found.state === 'newer')
    return refuse(
      `the record of ${name} has schema ${found.schema}, written by a newer version of Ratchet`,
      'update Ratchet, then try again',
    )
  const whole =
    found.state === 'ok'
      ? { record: found.record, warnings: [] }
      : await rebuilt(
          found.state === 'damaged' ? `was damaged (${found.problem})` : 'was gone',
          rebuild,
        )
  if (base !== undefined)
    refuse(
      `base cannot be set for ${name}, which continues from its last state`,
      `remove --base, or start a new ${kind} with: ratchet ${kind} "…"`,
    )
  return { ...whole, refuse }
}

async function rebuilt<R>(
  damage: string,
  rebuild: TakeUp<R>['rebuild'],
): Promise<{ record: R; warnings: string[] }> {
  const { record, kept, notes } = await rebuild()
  return {
    record,
    warnings: [
      `the record ${damage} and has been rebuilt${kept === undefined ? '' : `; the damaged file is kept as ${kept}`}`,
      ...notes,
    ],
  }
}
