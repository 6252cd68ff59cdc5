// A run whose fix waits for a file, so that a test finds it in its turn.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Runner } from './whole-run.js'
import { ANALYSE, makeProject, markers, RIGHT_ADD, RIGHT_MUL, type Step } from './real-run.js'
import { waitFor } from '../wait.js'

/** The fix of one bug, then the wait for this file, then the fix of the other. */
export const waiting = (file: string): Step[] => [
  ANALYSE,
  {
    when: { role: 'test-fix-agent' },
    do: [RIGHT_ADD, { wait: { 'until-file': file } }, RIGHT_MUL],
  },
]

/** Starts such a run and waits until its fix turn has begun. */
export async function inTheTurn(user: Runner, name: string) {
  const go = path.join(user.root, `${name}.go`)
  const project = makeProject(user, name, waiting(go))
  const run = await user.fix(project, `WFS-test-${name}`)
  const marker = await waitFor(() => markers(user, name).find((m) => m.role === 'test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: 60_000,
  })
  return {
    project,
    run,
    marker,
    goOn: () => writeFileSync(go, ''),
    turns: () => markers(user, name).map((m) => `${m.role} attempt ${m.attempt}`),
  }
}
