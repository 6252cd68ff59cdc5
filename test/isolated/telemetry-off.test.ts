// A worker without the setting loads nothing of OpenTelemetry.
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter(
    (file) => file.includes('@opentelemetry/') || file.includes('interceptors-opentelemetry'),
  )

test('issue "behind config": the worker\'s own modules load no OpenTelemetry; traces do', async () => {
  await import('../../src/worker/project-worker.js')
  await import('../../src/worker/telemetry.js')
  expect(loaded()).toEqual([])
  await import('../../src/worker/tracing.js')
  expect(loaded()).not.toEqual([])
})
