// What follows the verdict on a candidate: commits on the branch, or a branch that never had it.
import { expect, test } from 'vitest'
import { isKeptCandidate, measuredAs } from '../../../src/adapters/git/candidates.js'
import { openWorkspace } from '../../../src/adapters/git/open-workspace.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import { removeRefs } from '../../../src/adapters/git/user-repository/clean.js'
import { acceptStep, rollBackStep } from '../../../src/adapters/git/verdict-steps.js'
import type { AcceptInput } from '../../../src/contract/test-fix/test-fix-step.js'
import type { CommitInput, Workspace } from '../../../src/contract/workspace.js'
import { commitCauses, takeOut, turnOfCauses } from '../../support/repositories/fix-of-causes.js'
import { expectSamePlay } from '../../support/repositories/killed-steps.js'
import { fewOf } from '../../support/repositories/killed-git.js'
import {
  AT,
  filesOf,
  gitOf,
  makeWorkspace,
  refs,
  RUN,
  runGit,
  SAMPLE,
  writeFiles,
} from '../../support/repositories/repos.js'

const BRANCH = 'refs/heads/ratchet/WFS-test-login'
const CANDIDATE = 'refs/ratchet/WFS-test-login/candidate-1'

async function candidateIn(workspace: Workspace, text = 'fixed\n', n = 1): Promise<string> {
  const expectHead = runGit(gitOf(workspace), 'rev-parse', `refs/heads/${workspace.branch}`)
  const input: CommitInput = {
    workspace,
    run: RUN,
    step: `iteration-${n}/commit`,
    expectHead,
    at: AT,
    subject: `IMPL-fix-${n}`,
    candidate: String(n),
  }
  writeFiles(workspace.root, { 'src/add.js': text })
  return (await commitStep(input, () => false)).head
}

const keep = (
  workspace: Workspace,
  expectHead: string,
  input: Partial<AcceptInput> = {},
): AcceptInput => ({
  workspace,
  run: RUN,
  step: 'iteration-1/keep',
  expectHead,
  at: AT + 60_000,
  commits: [
    {
      task: 'IMPL-fix-1',
      subject: 'fix(IMPL-fix-1): add',
      body: 'Made by x.',
      trailers: { 'Ratchet-After': '100.0 %' },
    },
  ],
  ...input,
})
const leave = (workspace: Workspace, expectHead: string) => ({
  workspace,
  run: RUN,
  step: 'iteration-1/rollback',
  expectHead,
  at: AT + 60_000,
})

test('a kept candidate becomes a commit of the same tree and parent; a repeated step gives the same sha', async () => {
  const { workspace, project } = await makeWorkspace()
  const candidate = await candidateIn(workspace)
  expect(await publishBranch(workspace)).toEqual({ head: workspace.base })
  expect(refs(project)).toMatchObject({ [BRANCH]: workspace.base, [CANDIDATE]: candidate })

  writeFiles(workspace.root, { 'coverage/x': 'what the tests left\n' })
  const input = keep(workspace, candidate)
  const accepted = await acceptStep(input)
  expect(await acceptStep(input)).toEqual(accepted)
  const { head } = accepted
  expect(accepted.parts).toEqual([{ task: 'IMPL-fix-1', commit: head }])
  const git = gitOf(workspace)
  expect(runGit(git, 'diff', candidate, head)).toBe('')
  expect(runGit(git, 'rev-parse', `${head}^`)).toBe(workspace.base)
  expect(runGit(git, 'log', '-1', '--format=%B%ct', head)).toBe(
    `fix(IMPL-fix-1): add\n\nMade by x.\n\nRatchet-Run: ${RUN}\nRatchet-Step: iteration-1/keep\nRatchet-Task: IMPL-fix-1\nRatchet-After: 100.0 %\nRatchet-Candidate: ${candidate}\n${(AT + 60_000) / 1000}`,
  )
  // The files are those that were measured, and what the tests left is still the next step's.
  expect(filesOf(workspace.root)).toEqual({
    ...SAMPLE,
    'src/add.js': 'fixed\n',
    'coverage/x': 'what the tests left\n',
  })
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('?? coverage/')
  expect(await publishBranch(workspace)).toEqual({ head })
  expect(runGit(project, 'log', '--format=%s', `${workspace.base}..${BRANCH}`)).toBe(
    'fix(IMPL-fix-1): add',
  )
  const repo = await openWorkspace(workspace)
  expect([await measuredAs(repo, head), await measuredAs(repo, candidate)]).toEqual([
    candidate,
    undefined,
  ])
})

test('a rolled back candidate never reaches the branch, and stays until the refs of the run are removed', async () => {
  const { workspace, project } = await makeWorkspace()
  const candidate = await candidateIn(workspace, 'worse\n')
  writeFiles(workspace.root, { 'src/add.js': 'unfinished\n' })
  const left = await rollBackStep(leave(workspace, candidate))
  expect(left).toEqual({ head: workspace.base })
  expect(await rollBackStep(leave(workspace, candidate))).toEqual(left)
  expect(filesOf(workspace.root)).toEqual(SAMPLE)
  const snapshots = Object.keys(refs(gitOf(workspace))).filter((ref) => ref.includes('snapshots'))
  expect(snapshots).toHaveLength(1) // the unfinished file

  expect(await publishBranch(workspace)).toEqual({ head: workspace.base })
  expect(refs(project)).toMatchObject({ [BRANCH]: workspace.base, [CANDIDATE]: candidate })
  expect(runGit(project, 'show', `${CANDIDATE}:src/add.js`)).toBe('worse')
  expect(runGit(project, 'log', '--format=%H', BRANCH)).not.toContain(candidate)
  expect(await removeRefs(project, 'WFS-test-login')).toEqual([CANDIDATE])
})

test('another candidate of the same number keeps the one before it reachable', async () => {
  const { workspace, project } = await makeWorkspace()
  const first = await candidateIn(workspace, 'first\n')
  await publishBranch(workspace)
  await rollBackStep(leave(workspace, first))
  const second = await candidateIn(workspace, 'second\n')
  await publishBranch(workspace)
  for (const repo of [gitOf(workspace), project])
    expect(refs(repo)).toMatchObject({
      [CANDIDATE]: second,
      [`refs/ratchet/old/WFS-test-login/${first.slice(0, 10)}`]: first,
    })
})

test('causes that are kept are a chain of commits without those that were taken out', async () => {
  const workspace = await turnOfCauses()
  const { parts = [], head } = await commitCauses(workspace)
  const out = await takeOut(workspace, { parts, head }, ['IMPL-fix-2.2'])
  const commits = [parts[0], parts[2]].map((part) => ({
    task: part?.task ?? '',
    subject: `fix(${part?.task})`,
    body: '',
    trailers: {},
  }))
  const accepted = await acceptStep(keep(workspace, out.head, { parts, commits }))
  const git = gitOf(workspace)
  expect(
    runGit(
      git,
      'log',
      '--reverse',
      '--name-only',
      '--format=# %s %(trailers:key=Ratchet-Candidate,valueonly,separator=)',
      `${workspace.base}..${accepted.head}`,
    )
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    `# fix(IMPL-fix-2.1) ${parts[0]?.commit}`,
    'notes.txt',
    'src/a.js',
    `# fix(IMPL-fix-2.3) ${out.head}`,
    'src/c.js',
    'src/c.js/index.js',
    'src/old.js',
  ])
  expect(runGit(git, 'diff', out.head, accepted.head)).toBe('')
  expect(await rollBackStep(leave(workspace, out.head))).toEqual({ head: workspace.base })
})

test('a commit that only claims to be a candidate is none that a ref keeps', async () => {
  const { workspace } = await makeWorkspace()
  const repo = await openWorkspace(workspace)
  const forged = runGit(
    gitOf(workspace),
    '-c',
    'user.name=Ratchet',
    '-c',
    'user.email=ratchet@localhost',
    'commit-tree',
    `${workspace.base}^{tree}`,
    '-p',
    workspace.base,
    '-m',
    `x\n\nRatchet-Run: ${RUN}\nRatchet-Pending: ../../heads/main`,
  )
  expect(await isKeptCandidate(repo, workspace, forged)).toBe(false)
})

test('killed before any of its commands and repeated, a verdict ends the same', async () => {
  const { workspace } = await makeWorkspace()
  const candidate = await candidateIn(workspace)
  await expectSamePlay(workspace, (one) => acceptStep(keep(one, candidate)), fewOf, 2)
  await expectSamePlay(workspace, (one) => rollBackStep(leave(one, candidate)), fewOf, 2)
  const causes = await turnOfCauses()
  const { parts = [], head } = await commitCauses(causes)
  const commits = parts.map(({ task }) => ({ task, subject: task, body: '', trailers: {} }))
  await expectSamePlay(causes, (one) => acceptStep(keep(one, head, { parts, commits })), fewOf, 2)
})
