// Setup file: the code under test uses the namespace of the current test user as that of the local
// server. One Temporal server serves all files, and each user of a test has a separate namespace.
import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

const namespaces = vi.hoisted(() => ({
  current: undefined as AsyncLocalStorage<string> | undefined,
}))
vi.mock(import('../../../src/contract/names.js'), async (original) => {
  const names = await original()
  return {
    ...names,
    get NAMESPACE() {
      return (namespaces.current?.getStore() ?? names.NAMESPACE) as typeof names.NAMESPACE
    },
  }
})

const storage = new AsyncLocalStorage<string>()
namespaces.current = storage
;(globalThis as { ratchetNamespace?: AsyncLocalStorage<string> }).ratchetNamespace = storage
