// Which rows there are, and a pool that plays a few of them at a time.
import { realUser } from '../support/real-run.js'
import type { RealUser } from '../support/real-run.js'
import type { Runner } from '../support/whole-run.js'
import { verdict } from './judge.js'
import type { Row, Verdict } from './judge.js'
import { MOVERS } from './movers.js'
import type { Repository } from './repository.js'
import { goRepository } from './repositories/go.js'
import { pytestRepository } from './repositories/pytest.js'
import { output } from './repositories/shell.js'
import { vitestRepository } from './repositories/vitest.js'

export const REPOSITORIES: readonly Repository[] = [vitestRepository, pytestRepository, goRepository]

/** Every mover on every repository that it has something to do on. */
export const ALL: readonly Row[] = REPOSITORIES.flatMap((repository) => MOVERS.filter(({ on }) => on?.(repository) ?? true).map((mover) => ({ repository, mover })))

/** Go keeps the cache of the machine: with an empty one it compiles its library first. */
export const goCache = (): { GOCACHE: string } => ({ GOCACHE: output(['go', 'env', 'GOCACHE']) })

/** A user for rows, with a server and workers of its own. */
export function verdictUser(): Promise<RealUser> {
  return realUser(goCache())
}

/** Plays rows, so many at a time, those that mostly wait first; a promise a row, in the order given. */
export function verdicts(user: Runner, rows: readonly Row[], atOnce: number): Promise<Verdict>[] {
  const starts: { row: Row; start: () => void }[] = []
  const next = () => {
    const at = Math.max(0, starts.findIndex(({ row }) => row.mover.kind === 'silent'))
    starts.splice(at, 1)[0]?.start()
  }
  const running = rows.map(async (row) => {
    await new Promise<void>((start) => starts.push({ row, start }))
    const done = await verdict(user, row)
    next()
    return done
  })
  for (let n = 0; n < atOnce; n++) next()
  return running
}
