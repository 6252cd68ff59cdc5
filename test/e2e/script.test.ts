// A script of a user's, as README shows it: the package, the project, and nothing else to know.
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliProcessUser } from '../support/cli-process.js'
import type { CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/local.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/real-run.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

/** Runs a module beside which the package is installed. */
async function script(source: string): Promise<{ stdout: string; stderr: string; code: number }> {
  const dir = path.join(user.root, 'script')
  mkdirSync(path.join(dir, 'node_modules'), { recursive: true })
  symlinkSync(path.dirname(BUILT), path.join(dir, 'node_modules/ratchet-cycles'))
  writeFileSync(path.join(dir, 'run.mjs'), source)
  const ran = promisify(execFile)(process.execPath, ['run.mjs'], { cwd: dir, env: user.env })
  return ran.then((out) => ({ ...out, code: 0 }), (error: { stdout: string; stderr: string; code: number }) => error)
}

test('a script starts a run by its project alone, and follows it to its end', async () => {
  const project = user.project('shop', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  // Once, on the host: the project is registered and the server is up.
  expect((await user.ratchet(project, 'fix', '--detach')).exitCode).toBe(0)
  const { stdout, stderr } = await script(`
    import { connect } from 'ratchet-cycles'
    const ratchet = await connect()
    const run = await ratchet.startTestFix({ project: ${JSON.stringify(project)} })
    const phases = new Set()
    const result = run.result()
    for (let ended = false; !ended; ended = await Promise.race([result.then(() => true), new Promise((r) => setTimeout(r, 100, false))])) phases.add((await run.status()).phase)
    console.log(JSON.stringify({ id: run.id, phases: [...phases], ...(await result) }))
    await ratchet.close()`)
  expect(stderr).toBe('')
  const { id, phases, result } = JSON.parse(stdout) as { id: string; phases: string[]; result: { id: string; outcome: string; branch: string } }
  expect(id).toMatch(/^WFS-test-shop-[0-9a-f]{4}\.[0-9a-f]{6}$/)
  expect(result).toMatchObject({ id, outcome: 'success', branch: `ratchet/${id.split('.')[0] ?? ''}` })
  expect(phases.length).toBeGreaterThan(0)
  // The command knows it by the generated name.
  expect((await user.json(project, 'status', id.split('.')[0] ?? '')).document).toMatchObject({ runs: [{ id, phase: 'success' }] })
})
