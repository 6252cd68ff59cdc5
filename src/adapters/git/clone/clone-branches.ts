// What an agent has committed on other branches of its clone. After each step the clone shows the
// run's branch alone, so it is noted before, and a repeated attempt of the step answers the same.
import path from 'node:path'
import { z } from 'zod'
import type { CommitInput, LeftBranches } from '../../../contract/workspace.js'
import { leftBranches, type CloneCommit } from '../../../core/agents/left-branches.js'
import { replaceFile } from '../../files/replace-file.js'
import { readableJson } from '../../files/stored-json.js'
import { isOwnDir } from '../../records/safe-files.js'
import { treeOf } from '../commits.js'
import { inRepo, type Repo } from '../repo.js'
import { branchesIn, commitIn, headIn } from './clone-files.js'

/** Commits that are read in a step. */
const COMMITS = 500
/** Characters of a branch's name that are kept. */
const NAME = 200

const Note = z.object({
  schema: z.literal(1),
  step: z.string(),
  head: z.string().optional(),
  tips: z.array(z.object({ branch: z.string(), commit: z.string() })),
  commits: z.record(
    z.string(),
    z.object({ tree: z.string(), parents: z.array(z.string()), subject: z.string() }),
  ),
  known: z.array(z.string()),
})

type Step = Pick<CommitInput, 'run' | 'step' | 'expectHead'>

/** Notes the branches of a clone before a step rewrites its `.git`. In place nothing is noted. */
export async function noteCloneBranches(repo: Repo, step: Step): Promise<void> {
  const gitDir = path.join(repo.root, '.git')
  if (!repo.own || !isOwnDir(gitDir, 1)) return
  const branches = branchesIn(gitDir)
  const head = headIn(gitDir, branches)
  const tips = branches.filter(({ commit }) => commit !== step.expectHead)
  if (tips.length === 0) return
  const ours = await knownIn(repo, tips.map(hashOf))
  const own = tips.filter(({ commit }) => !ours.has(commit))
  if (own.length === 0) return
  const commits = read(gitDir, [...(head === undefined ? [] : [head]), ...own.map(hashOf)])
  await replaceFile(
    noteOf(repo),
    JSON.stringify({
      schema: 1,
      step: keyOf(step),
      head,
      tips: own.map(({ branch, commit }) => ({ branch: branch.slice(0, NAME), commit })),
      commits: Object.fromEntries(commits),
      known: [...(await knownIn(repo, [...commits.keys()]))],
    }),
    { mode: 0o600, fsync: false },
  )
}

/**
 * Returns what a step has left on other branches.
 *
 * @param head the commit that it has made
 */
export async function leftOnBranches(
  repo: Repo,
  step: Step,
  head: string,
): Promise<LeftBranches | undefined> {
  const note = repo.own ? readableJson(noteOf(repo), Note) : undefined
  if (note?.step !== keyOf(step)) return undefined
  return leftBranches(
    {
      head: note.head,
      tips: note.tips,
      commits: new Map(Object.entries(note.commits)),
      known: new Set(note.known),
    },
    await treeOf(repo, head),
  )
}

const noteOf = (repo: Repo): string => path.join(repo.gitDir, 'clone-branches.json')
const keyOf = ({ run, step, expectHead }: Step): string => `${run} ${step} ${expectHead}`
const hashOf = ({ commit }: { commit: string }): string => commit

/** Commits and their history, level by level, as far as they lie in files of their own. */
function read(gitDir: string, from: readonly string[]): Map<string, CloneCommit> {
  const found = new Map<string, CloneCommit>()
  const next = new Set(from)
  let tries = 0
  for (const hash of next) {
    if (++tries > COMMITS) break
    const commit = commitIn(gitDir, hash)
    if (commit === undefined) continue
    found.set(hash, commit)
    for (const parent of commit.parents) next.add(parent)
  }
  return found
}

/** Which commits Ratchet's repository has. */
async function knownIn(repo: Repo, commits: readonly string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  const answer = await inRepo(repo, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: commits.map((commit) => `${commit}\n`).join(''),
  })
  return new Set(
    answer
      .split('\n')
      .flatMap((line) => (line.endsWith(' commit') ? [line.split(' ')[0] ?? ''] : [])),
  )
}
