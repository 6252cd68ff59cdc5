// Decides what a terminal can show, by its environment. Imports nothing.

/** Returns whether the terminal can be redrawn: not in CI, and not without cursor movement. */
export function canDraw(env: NodeJS.ProcessEnv): boolean {
  return (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb'
}

/** Returns whether to use colours. Source: no-color.org. */
export function hasColors(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}
