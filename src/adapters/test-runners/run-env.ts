// The environment of a test command: the user's, as from a terminal.
//
// Ratchet may itself run inside npm or a test runner, which leave variables that change how another
// runner behaves: a nested vitest takes itself for a worker, npm for a part of the outer script.
import { ALL_RUNNERS } from '../../core/runners/known-runners.js'

const NPM = /^(npm_|INIT_CWD$)/
const LEFT = ALL_RUNNERS.flatMap(({ leaves }) => leaves ?? [])

/**
 * The user's environment without what an outer runner left in it, with what an unattended run
 * needs.
 */
export function testEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inNpm = env['npm_lifecycle_event'] !== undefined || env['npm_command'] !== undefined
  const outer = LEFT.filter(({ marks }) => marks.some((mark) => env[mark] !== undefined))
  const leaked = (name: string, value: string) =>
    (inNpm && (NPM.test(name) || name === 'NODE_OPTIONS')) ||
    outer.some(({ isLeft }) => isLeft(name, value)) ||
    name === 'FORCE_COLOR'

  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !leaked(name, value)) kept[name] = value
  if (inNpm && kept['PATH'] !== undefined)
    kept['PATH'] = kept['PATH']
      .split(':')
      .filter((dir) => !/\/node_modules\/(\.bin|.*node-gyp-bin)$/.test(dir))
      .join(':')
  return { ...kept, CI: '1', PYTHONDONTWRITEBYTECODE: '1' }
}
