// A test run watched while its runner runs: two tests end, one of them failing, and the next waits
// until heartbeats have reported them.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { tempDir, type Files } from './repositories/repos.js'
import { testHost } from './test-host.js'
import { waitFor } from './wait.js'

export const config = (command: string | string[]) => ({
  'ratchet.config.json': JSON.stringify({ test: { command, flakyRetries: 0 } }),
})
/** Javascript: `open` waits for a file. */
export const js = (gate: string) =>
  `const open = async () => { while (!require('node:fs').existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)) }\n`

/**
 * `words`: what is said before the last test ends; `again`: the same in a second run, where that
 * knows more.
 */
export type Watched = {
  runner: string
  files: (gate: string) => Files
  words: string
  again?: string
}

export async function expectWords({ files, words, again }: Watched): Promise<void> {
  const gate = path.join(tempDir(), 'gate')
  const { measure } = await testHost(files(gate))
  for (const [step, awaited] of Object.entries({
    baseline: words,
    ...(again === undefined ? {} : { 'baseline of another run': again }),
  })) {
    rmSync(gate, { force: true })
    const said: string[] = []
    const running = measure({ step }, ({ now }) => void (typeof now === 'string' && said.push(now)))
    const ended = running.then((run) => {
      throw new Error(`it ended: ${JSON.stringify(run)}; it said: ${said.join('; ')}`)
    })
    await Promise.race([
      ended,
      waitFor(() => said.some((now) => now.startsWith(`${awaited}, under way`)), {
        what: awaited,
        timeoutMs: 60_000,
      }),
    ])
    ended.catch(() => undefined)
    writeFileSync(gate, '')
    expect(await running).toMatchObject({ kind: 'measured', failed: 1 })
  }
}
