// Checks the options of `ratchet status` and turns them into filters of the client.
import { KINDS, type Kind } from '../../contract/names.js'
import type { ListOptions } from '../../client/list-query.js'
import type { ProjectChoice } from '../context.js'
import { badInput } from '../output/errors.js'
import { wholeNumber } from '../options.js'
import { projectPath } from '../start/project-dir.js'

export type StatusOptions = {
  kind?: string
  open?: boolean
  closed?: boolean
  all?: boolean
  waiting?: boolean
  since?: string
  limit?: string
}

/** Short kinds as users type them, next to their full names. */
const SHORT: Record<string, Kind> = { fix: 'test-fix', cycle: 'dev-cycle', loop: 'dev-loop' }
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const MOST = 1_000

/**
 * Returns the filters; without options, the open runs of every project.
 *
 * @param now epoch milliseconds, for `--since 2d`
 * @throws RefusalError `BadInput`
 */
export function statusFilters(
  project: Pick<ProjectChoice, 'named' | 'cwd'>,
  options: StatusOptions,
  now: number,
): ListOptions {
  const standing = (['open', 'closed', 'all'] as const).filter((name) => options[name] === true)
  if (standing.length > 1)
    throw badInput(
      `--${standing[0] ?? ''} and --${standing[1] ?? ''} cannot be used together`,
      'ratchet status',
      'use one of them; --all shows open and closed runs',
    )
  if (options.waiting === true && (options.closed === true || options.all === true))
    throw badInput(
      'only an open run waits for a person',
      'ratchet status',
      'use --waiting without --closed and --all',
    )
  const limit = wholeNumber(options.limit, '--limit')
  if (limit !== undefined && limit > MOST)
    throw badInput(
      `--limit must be at most ${MOST}, got ${limit}`,
      '--limit',
      `use for example: --limit 100`,
    )
  return {
    ...(options.all === true ? {} : { open: options.closed !== true }),
    ...(options.kind === undefined ? {} : { kind: kindOf(options.kind) }),
    ...(options.waiting === true ? { needsHuman: true } : {}),
    ...(options.since === undefined ? {} : { since: new Date(sinceOf(options.since, now)) }),
    limit,
    ...(project.named === undefined ? {} : { project: projectPath(project) }),
  }
}

/** Returns whether any filter is given. */
export function isFiltered(options: StatusOptions): boolean {
  return Object.values(options).some((value) => value !== undefined && value !== false)
}

/** @throws RefusalError `BadInput` */
export function kindOf(typed: string): Kind {
  const kind = SHORT[typed] ?? KINDS.find((one) => one === typed)
  if (kind === undefined)
    throw badInput(
      `unknown kind of run ${JSON.stringify(typed)}`,
      '--kind',
      `use one of: ${Object.keys(SHORT).join(', ')}`,
    )
  return kind
}

/**
 * Returns epoch milliseconds of a time span before now, or of a date; a date without a time means
 * the start of that day, local time.
 *
 * @throws RefusalError `BadInput`
 */
export function sinceOf(typed: string, now: number): number {
  const [, number, unit] = /^(\d{1,6})([mhdw])$/.exec(typed) ?? []
  if (number !== undefined && unit !== undefined) return now - Number(number) * (UNITS[unit] ?? 0)
  const at = /^\d{4}-\d\d-\d\d/.test(typed)
    ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(typed) ? `${typed}T00:00` : typed)
    : NaN
  if (Number.isNaN(at))
    throw badInput(
      `--since must be a time span or a date, got ${JSON.stringify(typed)}`,
      '--since',
      'use for example: --since 2d, --since 12h, or --since 2026-11-20',
    )
  return at
}
