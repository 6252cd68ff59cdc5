// The agents that get a turn in the next iteration of a cycle.
import { expect, test } from 'vitest'
import type { Blocker } from '../../../../src/contract/dev-cycle/cycle-record.js'
import type { Issue } from '../../../../src/core/dev-cycle/issue.js'
import { needsOf } from '../../../../src/core/dev-cycle/needs.js'

const issue = (to: Issue['to'], text = 'x'): Issue => ({
  kind: 'plan',
  source: 'cd',
  text,
  ...(to === undefined ? {} : { to }),
})
const blocker = (by: string, status: Blocker['status'] = 'open'): Blocker => ({
  id: 'BLK-001',
  description: 'which store?',
  reported_by: by,
  status,
})

test.each<{ why: string; issues?: Issue[]; blockers?: Blocker[]; needs: string[] }>(
  // prettier-ignore
  [
  { why: 'nothing is left for RA or EP', needs: ['cd', 'vas'] },
  { why: 'a failing test is CD\'s', issues: [issue('cd')], needs: ['cd', 'vas'] },
  { why: 'a point about the plan', issues: [issue('ep')], needs: ['ep', 'cd', 'vas'] },
  { why: 'a low remark about the plan needs no turn', issues: [issue('ep', '[low] a name')], needs: ['cd', 'vas'] },
  { why: 'a point about the requirements', issues: [issue('ra')], needs: ['ra', 'cd', 'vas'] },
  { why: 'CD is blocked: RA answers', blockers: [blocker('cd')], needs: ['ra', 'cd', 'vas'] },
  { why: 'EP is blocked: RA answers, and EP says whether that solves it', blockers: [blocker('ep')], needs: ['ra', 'ep', 'cd', 'vas'] },
  { why: 'RA is blocked: it works again', blockers: [blocker('ra')], needs: ['ra', 'cd', 'vas'] },
  { why: 'a blocker that is resolved', blockers: [blocker('ep', 'resolved')], needs: ['cd', 'vas'] },
],
)('the next iteration needs $needs: $why', ({ issues = [], blockers = [], needs }) =>
  expect(needsOf(issues, blockers)).toEqual(needs),
)
