// What is only a warning is in the result, the report and the document of `--json`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Finished } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { repository } from '../support/runs/real-run.js'
import { STEPS, type Kind } from '../support/runs/spending-runs.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const COMMANDS: Record<Kind, string[]> = {
  fix: ['fix'],
  cycle: ['cycle', 'Make the calculator right', '--scheduling', 'staged', '--parallel', '2'],
  loop: ['loop', 'Make the calculator right', '--auto'],
}

test.each(['fix', 'cycle', 'loop'] as const)('of a %s', async (kind) => {
  const project = repository(user, `warned-${kind}`, STEPS[kind], {
    hooks: { done: ['sh', '-c', 'exit 3'], failed: ['sh', '-c', 'exit 3'] },
  })
  const ran = await user.json(project, ...COMMANDS[kind])
  const { id, warnings } = Finished.parse(ran.document)
  const hook = warnings.find((text) => /^the hook "(done|failed)" failed/.test(text))
  expect(hook).toContain('3')
  if (kind === 'cycle')
    expect(warnings.at(-1)).toMatch(/^--parallel has no effect with --scheduling staged/)
  const watched = await user.json(project, 'watch', id)
  expect(Finished.parse(watched.document).warnings).toContain(hook)
  const json = await user.run(project, 'report', id, '--format', 'json')
  expect((JSON.parse(json.stdout) as { warnings: string[] }).warnings).toContain(hook)
  const markdown = await user.run(project, 'report', id, '--format', 'md')
  expect(markdown.stdout).toMatch(/^- the hook "(done|failed)" failed/m)
  const { stdout } = await user.run(project, 'watch', id)
  if (kind === 'fix') expect(stdout).toMatch(/^ {2}warnings +the hook "done" failed/m)
})
