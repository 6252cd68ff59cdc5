// Says where the environment of a run is from, and what differs if it was lost, as supervisor and
// worker died together.
import type { RunEnv } from '../../contract/result.js'

const FROM: Readonly<Record<RunEnv['from'], string>> = {
  command: 'of the ratchet command that started or last resumed it',
  project: "of the project's last ratchet command",
  supervisor: 'of the supervisor',
  worker: 'of its worker',
}

/** Returns where it is from, in words. */
export function envText({ from, named, redacted = [] }: RunEnv): string {
  const added = [
    ...(named.length === 0 ? [] : [`with ${named.join(', ')}`]),
    ...(redacted.length === 0 ? [] : [`redacted: ${redacted.join(', ')}`]),
  ]
  return [FROM[from], ...added].join(', ')
}

/** Variables that differ between two shells of one user; no program of a run depends on them. */
const VOLATILE =
  /^(PWD|OLDPWD|SHLVL|_|TERM.*|COLORTERM|COLUMNS|LINES|WINDOWID|DISPLAY|WAYLAND_DISPLAY|TTY|SSH_.*|GPG_.*|DBUS_.*|XDG_.*|DESKTOP_.*|GNOME_.*|KDE_.*|VSCODE_.*|ITERM_.*|VTE_.*|TMUX.*|STY|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_.*|MANAGERPID|MAIL|HISTFILE|PS1|npm_.*|INIT_CWD|RATCHET_.*)$/

/** Names that a warning shows. */
const SAID = 8

/** Names of the variables that are compared. */
export function comparedNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !VOLATILE.test(name))
    .sort()
}

/** `missing`: set at the start and no longer; `changed`: of another value. */
export type Lost = { missing: string[]; changed: string[] }

/** Compares digests of the variables of a start with those of now. */
export function lostVariables(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Lost {
  const names = Object.keys(before).sort()
  return {
    missing: names.filter((name) => now[name] === undefined),
    changed: names.filter((name) => now[name] !== undefined && now[name] !== before[name]),
  }
}

/**
 * Returns the warning of a run whose environment was lost; `undefined` if what it has now is the
 * same.
 *
 * @param named variables that the configuration names, which are said first
 */
export function lostWarning(
  { missing, changed }: Lost,
  named: readonly string[],
  run: string,
): string | undefined {
  const lost = lostText({ missing, changed }, named)
  return lost === undefined
    ? undefined
    : `the environment of this run was lost with its processes, and it continues in another one: ${lost}; to give it that of a shell: ratchet resume ${run}`
}

/**
 * Returns why a run whose environment was lost has to wait: what its configuration names is missing
 * or has another value. `undefined` if nothing of that is lost.
 */
export function lostNamed(
  { missing, changed }: Lost,
  named: readonly string[],
  run: string,
): string | undefined {
  const ofNamed = (names: readonly string[]): string[] =>
    names.filter((name) => named.includes(name))
  const lost = lostText({ missing: ofNamed(missing), changed: ofNamed(changed) }, named)
  return lost === undefined
    ? undefined
    : `the environment of this run was lost with its processes: ${lost}; to give it those of a shell, run there: ratchet resume ${run}`
}

function lostText({ missing, changed }: Lost, named: readonly string[]): string | undefined {
  const parts = [
    ...(missing.length === 0 ? [] : [`missing ${listed(missing, named)}`]),
    ...(changed.length === 0 ? [] : [`other values of ${listed(changed, named)}`]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

function listed(names: readonly string[], named: readonly string[]): string {
  const first = [
    ...names.filter((name) => named.includes(name)),
    ...names.filter((name) => !named.includes(name)),
  ]
  const more = first.length - SAID
  return `${first.slice(0, SAID).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
