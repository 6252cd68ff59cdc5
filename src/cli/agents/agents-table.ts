// Renders `ratchet agents` for a person: one line for each agent, with its path or what it lacks
// below.
import { ROLES, type Role } from '../../contract/config/agent-config.js'
import type { AgentLine } from './agents-list.js'
import { cutPath, hanging, withTilde, wrapped } from '../output/columns.js'

/** Minimum width of the roles, which are the last column and wrap. */
const LEAST_ROLES = 20
const GAP = 2

/** `columns`: width of the terminal, if there is one; `home` is shown as `~`. */
export type Fit = { columns?: number | undefined; home?: string | undefined }

/** Returns the list as lines. */
export function agentTable(
  lines: readonly AgentLine[],
  { columns = Infinity, home }: Fit = {},
): string[] {
  const rows = [
    ['agent', 'version', 'login', 'reports'],
    ...lines.map((line) => [
      line.name,
      line.version ?? (line.program !== null && line.login !== null ? '?' : '-'),
      loginText(line),
      reportText(line),
    ]),
  ]
  const widths = [0, 1, 2, 3].map((n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)) + GAP)
  const roles = Math.max(columns - widths.reduce((a, b) => a + b), LEAST_ROLES)
  const table = rows.flatMap((row, n) =>
    hanging(
      row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(''),
      wrapped(n === 0 ? 'roles' : roleText(lines[n - 1]?.roles ?? []), roles),
    ),
  )
  const name = widths[0] ?? 0
  return [
    ...table,
    '',
    ...lines.flatMap((line) =>
      hanging(line.name.padEnd(name), placeLines(line, columns - name, home)),
    ),
  ]
}

// The path and login of an agent; then what it lacks and what to do, on its own line if necessary,
// for copying.
function placeLines(
  { program, loginBy, missing, next }: AgentLine,
  width: number,
  home: string | undefined,
): string[] {
  const by = loginBy === null ? '' : `; login: ${withTilde(loginBy, home)}`
  const here =
    program === null ? [] : [`${cutPath(withTilde(program, home), width - by.length)}${by}`]
  const told = [missing, next].filter((text) => text !== '')
  return [
    ...here,
    ...(told.join('; ').length <= width
      ? told.length === 0
        ? []
        : [told.join('; ')]
      : told.flatMap((text) => wrapped(text, width))),
  ]
}

function loginText({ login }: AgentLine): string {
  if (login === null) return '-'
  return login === 'unknown' ? 'perhaps' : login
}

function reportText({ reports }: AgentLine): string {
  const known = [
    ...(reports.tokens === true ? ['tokens'] : []),
    ...(reports.cost === true ? ['cost'] : []),
  ]
  if (known.length > 0) return known.join(', ')
  return reports.tokens === null && reports.cost === null ? 'not known' : 'none'
}

/** Returns roles in words: "all", "all but 2", or their names. */
export function roleText(roles: readonly Role[]): string {
  if (roles.length === 0) return '-'
  if (roles.length === ROLES.length) return 'all'
  const others = ROLES.filter((role) => !roles.includes(role))
  return others.length <= 2 ? `all but ${others.join(', ')}` : roles.join(', ')
}
