// A fix without one more of its causes: which one, and what it still changes.
import { expect, test } from 'vitest'
import { takeOutStep } from '../../../src/activities/test-fix/take-out.js'
import { commitCauses, turnOfCauses } from '../../support/repositories/fix-of-causes.js'
import { AT, RUN } from '../../support/repositories/repos.js'

const notStarted = (commit: string) => ({
  kind: 'not_started' as const,
  commit,
  reason: 'src/b.js has a syntax error',
  tail: '',
  durationMs: 1,
})

test('of the changed tests, those of the causes that are left are named', async () => {
  const workspace = await turnOfCauses()
  const { parts = [], head } = await commitCauses(workspace)
  const without = (changedTests: string[]) =>
    takeOutStep(
      {
        run: RUN,
        step: 'iteration-2/without-1',
        candidate: '2-without-1',
        workspace,
        configHash: 'a'.repeat(64),
        expectHead: head,
        at: AT,
        parts,
        out: [],
        whole: notStarted(head),
        changedTests,
      },
      (name) => name,
    )
  expect(await without(['src/a.js', 'src/b.js'])).toMatchObject({
    suspects: ['IMPL-fix-2.2', 'IMPL-fix-2.3', 'IMPL-fix-2.1'],
    changedTests: ['src/a.js'],
  })
  expect(await without(['src/b.js'])).not.toHaveProperty('changedTests')
})
