// The environment of a test command: the user's, as from a terminal.
//
// Ratchet may itself run inside npm or a test runner, which leave variables that change how another
// runner behaves: a nested vitest takes itself for a worker, npm for a part of the outer script.

const NPM = /^(npm_|INIT_CWD$)/
const VITEST = /^(VITEST|VITEST_.*|TEST|DEV|PROD|SSR|BASE_URL|JEST_WORKER_ID|TINYPOOL_WORKER_ID)$/
const PYTEST = /^PYTEST_/

/** The user's environment without what an outer runner left in it, with what an unattended run needs. */
export function testEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inNpm = env['npm_lifecycle_event'] !== undefined || env['npm_command'] !== undefined
  const inVitest = env['VITEST'] !== undefined
  const inPytest = env['PYTEST_CURRENT_TEST'] !== undefined || env['PYTEST_VERSION'] !== undefined
  const inJest = env['JEST_WORKER_ID'] !== undefined
  const inNextest = env['NEXTEST'] !== undefined
  const leaked = (name: string, value: string) =>
    (inNpm && NPM.test(name)) ||
    (inVitest && (VITEST.test(name) || (value === 'test' && (name === 'NODE_ENV' || name === 'MODE')))) ||
    (inPytest && PYTEST.test(name)) ||
    (inJest && (name === 'JEST_WORKER_ID' || (name === 'NODE_ENV' && value === 'test'))) ||
    (inNextest && /^NEXTEST(_|$)/.test(name)) ||
    name === 'NODE_TEST_CONTEXT' || // node:test takes itself for the child of another
    ((inNpm || inVitest) && name === 'NODE_OPTIONS') ||
    name === 'FORCE_COLOR'

  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !leaked(name, value)) kept[name] = value
  if (inNpm && kept['PATH'] !== undefined) kept['PATH'] = kept['PATH'].split(':').filter((dir) => !/\/node_modules\/(\.bin|.*node-gyp-bin)$/.test(dir)).join(':')
  return { ...kept, CI: '1', PYTHONDONTWRITEBYTECODE: '1' }
}
