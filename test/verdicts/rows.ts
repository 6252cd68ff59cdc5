// Which rows there are, and a pool that runs a few of them at a time.
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { slicedBy } from '../slice.js'
import { ANSWERS } from './answers.js'
import { BENDS_JAVASCRIPT } from './bends-javascript.js'
import { BENDS_PYTHON } from './bends-python.js'
import { GIT } from './git-movers.js'
import { verdict, type Row, type Runner, type Verdict } from './judge.js'
import { ON_ALL } from './movers.js'
import type { Mover } from './play.js'
import type { Repository } from './repository.js'
import { goRepository } from './repositories/go.js'
import { pytestRepository } from './repositories/pytest.js'
import { output } from './repositories/shell.js'
import { vitestRepository } from './repositories/vitest.js'
import { RUNNER } from './runner-movers.js'
import { SEQUENCES } from './sequences.js'

/**
 * Rows whose verdict is wrong today, and what has to be built for them. A row that is right must
 * leave this list.
 */
export const WRONG_TODAY: Readonly<Record<string, string>> = {}

const REPOSITORIES: readonly Repository[] = [vitestRepository, pytestRepository, goRepository]

const rowsOf = (movers: readonly Mover[]): Row[] =>
  movers.flatMap((mover) =>
    (mover.at ?? REPOSITORIES.filter((one) => mover.on?.(one) ?? true)).map((repository) => ({
      repository,
      mover,
    })),
  )

/**
 * Every mover on every repository that it has something to do on, one repository after the other.
 */
export const ALL: readonly Row[] = byRepository(
  rowsOf([
    ...ON_ALL,
    ...SEQUENCES,
    ...ANSWERS,
    ...GIT,
    ...RUNNER,
    ...BENDS_JAVASCRIPT,
    ...BENDS_PYTHON,
  ]),
)
/** Rows that bend the runner or its report: none may succeed. */
export const BENDS: readonly Row[] = ALL.filter(
  ({ repository, mover }) =>
    mover.kind === 'runner' && mover.expected(repository).outcome !== 'success',
)
/**
 * In each slice of CI, as `repository mover`: one mover of each kind, and what each rule is for.
 */
export const CORE: readonly string[] = [
  'go right',
  'vitest partial: one of two bugs',
  'pytest wrong: changes that help nothing',
  'go regressing, then right',
  'pytest tampering, together with a fix',
  'vitest tampering by the back door',
  'vitest lying: what it broke is of low criticality',
  'pytest silent until it is cancelled',
  'vitest flooding, then right',
  'go crashing in every fix',
  'vitest forking children that write after the commit',
  'pytest rubbish for answers',
  'sums slowly worse: each fix breaks three tests',
  'sums peak and decline: a good fix, then each loses a little',
  'sums ten independent bugs, one an iteration',
  'sums one bug hidden behind another',
  'go trades one test for another',
  'sums a stale test: changes it without a word',
  'pytest an answer of 100,000 levels',
  'pytest the provider answers 503',
  'pytest git: filters make the tree differ from the commit',
  'go git: overwrites the objects of its clone',
  'pytest git: tests behind skip-worktree',
  'go a nested go.mod takes the tests away',
  'node patches how a test is run',
]

export const nameOf = ({ repository, mover }: Row): string => `${repository.name} ${mover.name}`

/**
 * The rows to run. `SLICE`, the hash of a commit, takes the core and a slice of the others;
 * `RATCHET_VERDICTS` keeps the rows whose name holds one of its parts.
 */
export function chosen(env: NodeJS.ProcessEnv): Row[] {
  const core = CORE.map(named)
  const others = ALL.filter((row) => !core.includes(row))
  const sliced = new Set([...core, ...slicedBy(env, 'verdicts', others)])
  const parts = env['RATCHET_VERDICTS']?.split(',') ?? []
  return ALL.filter((row) => sliced.has(row)).filter(
    (row) => parts.length === 0 || parts.some((part) => nameOf(row).includes(part)),
  )
}

function named(name: string): Row {
  const row = ALL.find((one) => nameOf(one) === name)
  if (row === undefined) throw new Error(`there is no row "${name}"`)
  return row
}

function byRepository(rows: Row[]): Row[] {
  const names = [...new Set(rows.map(({ repository }) => repository.name))]
  return names.flatMap((name) => rows.filter(({ repository }) => repository.name === name))
}

/**
 * A user for rows, in this process. Go keeps the cache of the machine: with an empty one it
 * compiles its library first.
 */
export function verdictUser(): Promise<InProcessUser> {
  return inProcessUser({ GOCACHE: output(['go', 'env', 'GOCACHE']) })
}

/**
 * Runs rows, so many at a time, those that mostly wait first; a promise a row, in the order given.
 */
export function verdicts(user: Runner, rows: readonly Row[], atOnce: number): Promise<Verdict>[] {
  const starts: { row: Row; start: () => void }[] = []
  const next = () => {
    const at = Math.max(
      0,
      starts.findIndex(({ row }) => row.mover.kind === 'silent' || row.mover.kind === 'away'),
    )
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
