// The examples of a dev cycle and a dev loop as commands, with a person who takes what is recommended.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ask } from '../../src/cli/context.js'
import { inProcessUser } from '../support/in-process/user.js'
import type { InProcessUser } from '../support/in-process/user.js'
import { commitAll, runGit } from '../support/repos.js'

let user: InProcessUser
beforeAll(async () => { user = await inProcessUser() })
afterAll(() => user.close())

function example(name: 'cycle' | 'loop'): string {
  const project = path.join(user.root, 'projects', name)
  cpSync(fileURLToPath(new URL(`../../examples/${name}/project`, import.meta.url)), project, { recursive: true })
  runGit(project, 'init', '-q')
  commitAll(project, 'first')
  return project
}

test('a cycle is told as it runs, and applied', async () => {
  const project = example('cycle')
  const { exitCode, stdout } = await user.run(project, 'cycle', 'add discounts in percent')
  expect(stdout).toContain('completed after')
  expect(exitCode).toBe(0)
  const [, apply = ''] = /ratchet apply (\S+)/.exec(stdout) ?? []
  expect(await user.run(project, 'apply', apply)).toMatchObject({ exitCode: 0 })
  expect(runGit(project, 'status', '--short')).toContain('src/cart.js')
})

test('a loop asks what comes next, and its clarification; each recommended answer leads to its end', async () => {
  const project = example('loop')
  const asked: string[] = []
  const ask: Ask = ({ text, recommended }) => {
    asked.push(text)
    if (recommended === undefined) throw new Error(`nothing is recommended: ${text}`)
    return Promise.resolve({ choice: recommended })
  }
  const { exitCode, stdout } = await user.start(project, ['loop', 'add discounts in percent'], { ask }).ended
  expect(stdout).toContain('completed after 8 iterations, pass rate 100.0 %')
  expect(exitCode).toBe(0)
  expect(asked.filter((text) => text.includes('How is half a cent rounded?'))).toHaveLength(1)
  expect(asked).toHaveLength(7)
})
