// What a terminal can show, by its environment. Loads nothing.

/** Whether a terminal may be drawn in: none in CI, and none that cannot move its cursor. */
export function canDraw(env: NodeJS.ProcessEnv): boolean {
  return (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb'
}

/** Colours, unless they are not wanted or the terminal has none. Source: no-color.org. */
export function hasColors(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}
