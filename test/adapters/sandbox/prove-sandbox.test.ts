// Sandboxes are proven on the machine at hand. A component that is not installed is skipped.
import { expect, test } from 'vitest'
import { SANDBOX_COMPONENTS } from '../../../src/contract/sandbox.js'
import { installedComponents } from '../../../src/adapters/sandbox/find-component.js'
import { proveSandbox } from '../../../src/adapters/sandbox/prove-sandbox.js'
import { tempDirs } from '../../support/repositories/repos.js'

const here = installedComponents(process.env)

test.each(SANDBOX_COMPONENTS)('%s holds where it is installed', async (component) => {
  const found = here.find((one) => one.component === component)
  if (found === undefined) return console.log(`${component} is not installed: skipped`)
  expect(await proveSandbox(tempDirs(), found, process.env)).toEqual({ holds: true })
})
