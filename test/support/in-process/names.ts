// Setup file: the namespace that the code under test takes for the local server's is that of the
// user on whose behalf it is called. One Temporal server serves all files, and each user of a test
// has a namespace of its own.
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
