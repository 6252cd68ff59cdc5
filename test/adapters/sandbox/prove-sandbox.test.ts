// Sandboxes are proven on the machine at hand. A component that is not installed is skipped.
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { RefusalError } from '../../../src/contract/failures.js'
import { SANDBOX_COMPONENTS } from '../../../src/contract/sandbox.js'
import {
  chooseComponent,
  installedComponents,
} from '../../../src/adapters/sandbox/find-component.js'
import { proveSandbox } from '../../../src/adapters/sandbox/prove-sandbox.js'
import { tempDir, tempDirs } from '../../support/repositories/repos.js'

const here = installedComponents(process.env)

test.each(SANDBOX_COMPONENTS)('%s holds where it is installed', async (component) => {
  const found = here.find((one) => one.component === component)
  if (found === undefined) return console.log(`${component} is not installed: skipped`)
  expect(await proveSandbox(tempDirs(), found, process.env)).toEqual({ holds: true })
})

const real = here.find(({ component }) => component === 'bwrap')
test.runIf(real !== undefined)('a program that encloses only the network is refused', async () => {
  const dir = tempDir()
  const program = path.join(dir, 'bwrap')
  writeFileSync(
    program,
    `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec ${real?.program} --dev-bind / / --unshare-net -- "$@"\n`,
  )
  chmodSync(program, 0o755)
  const dirs = tempDirs()
  const found = { component: 'bwrap', program } as const
  expect(await proveSandbox(dirs, found, { ...process.env, HOME: tempDir() })).toEqual({
    holds: false,
    problem:
      'a program in it reads the state directory, sees processes of this machine and writes outside of the workspace',
  })
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` }
  await expect(chooseComponent(dirs, { use: 'bwrap' }, env)).rejects.toThrow(
    'the sandbox does not hold on this machine: bwrap',
  )
})

test.runIf(process.platform === 'linux')('a sandbox that says nothing is not used', async () => {
  const dir = tempDir()
  writeFileSync(path.join(dir, 'bwrap'), '#!/bin/sh\n')
  chmodSync(path.join(dir, 'bwrap'), 0o755)
  await expect(chooseComponent(tempDirs(), { use: 'bwrap' }, { PATH: dir })).rejects.toThrow(
    'the sandbox does not hold on this machine: bwrap: a program in it did not run',
  )
})

test('a sandbox that is not installed is refused, and none is taken where none is named', async () => {
  const env = { PATH: tempDir() }
  await expect(chooseComponent(tempDirs(), { use: 'auto' }, env)).rejects.toThrow(RefusalError)
  expect(await chooseComponent(tempDirs(), { use: 'none' }, env)).toBeUndefined()
})
