// The record of a run that goes on without its workflow. One that was cut or edited is rebuilt
// first, the damaged file kept.
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
  /** A base was asked for: a run that goes on has one. */
  base: string | undefined
  rebuild: () => Promise<{ record: R; kept?: string | undefined; notes: string[] }>
}

/** @throws RefusalError `BadInput` where there is no record, or one that cannot be taken up */
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
      'look at what there is with: ratchet status',
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
      `base cannot be chosen for ${name}, which goes on where it was`,
      `leave --base out, or start a new ${kind} with: ratchet ${kind} "…"`,
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
