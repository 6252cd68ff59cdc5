import { expect, test } from 'vitest'
import { testEnv } from '../../../src/adapters/test-runners/run-env.js'

const ADDED = { CI: '1', PYTHONDONTWRITEBYTECODE: '1' }

test.each(
  // prettier-ignore
  [
  { why: 'a terminal keeps all', env: { PATH: '/bin', NODE_OPTIONS: '--x', NODE_ENV: 'test', npm_config_registry: 'r', PYTEST_ADDOPTS: '-q', TEST: '1' }, kept: { PATH: '/bin', NODE_OPTIONS: '--x', NODE_ENV: 'test', npm_config_registry: 'r', PYTEST_ADDOPTS: '-q', TEST: '1' } },
  { why: 'colours are never forced', env: { FORCE_COLOR: '1', A: 'b' }, kept: { A: 'b' } },
  { why: 'npm', env: { npm_lifecycle_event: 'test', npm_config_local_prefix: '/o', INIT_CWD: '/o', NODE_OPTIONS: '--x', PATH: '/o/node_modules/.bin:/bin:/n/node_modules/@npmcli/run-script/lib/node-gyp-bin', A: 'b' }, kept: { PATH: '/bin', A: 'b' } },
  { why: 'vitest', env: { VITEST: 'true', VITEST_POOL_ID: '1', NODE_ENV: 'test', MODE: 'test', TEST: 'true', PROD: '', A: 'b' }, kept: { A: 'b' } },
  { why: 'vitest for production', env: { VITEST: 'true', NODE_ENV: 'production' }, kept: { NODE_ENV: 'production' } },
  { why: 'pytest', env: { PYTEST_CURRENT_TEST: 'x', PYTEST_ADDOPTS: '-q', A: 'b' }, kept: { A: 'b' } },
  { why: 'unset ones', env: { A: undefined }, kept: {} },
],
)('removes variables of an outer runner: $why', ({ env, kept }) =>
  expect(testEnv(env)).toEqual({ ...kept, ...ADDED }),
)
