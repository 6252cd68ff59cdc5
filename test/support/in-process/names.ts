// Setup file: the code under test uses the namespace of the current test user as that of the local
// server. One Temporal server serves all files, and each user of a test has a separate namespace.
import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

// One for all files of a process, as they share its modules
const shared = globalThis as { ratchetNamespace?: AsyncLocalStorage<string> }
shared.ratchetNamespace ??= new AsyncLocalStorage()

vi.mock(import('../../../src/contract/names.js'), async (original) => {
  const names = await original()
  return {
    ...names,
    get NAMESPACE() {
      const { ratchetNamespace } = globalThis as { ratchetNamespace?: AsyncLocalStorage<string> }
      return (ratchetNamespace?.getStore() ?? names.NAMESPACE) as typeof names.NAMESPACE
    },
  }
})
