// npm run verdicts: scripted movers on repositories; the table of their verdicts, exit code 1 when
// one is wrong.
import { defineConfig } from 'vitest/config'
import { projectOf } from './test/layers.js'

const MINUTE = 60_000

export default defineConfig({
  test: {
    disableConsoleIntercept: true,
    projects: [
      projectOf({ name: 'verdicts', needs: 'temporal', timeoutMs: 30 * MINUTE }, [
        'test/verdicts/*.verdicts.ts',
      ]),
    ],
  },
})
