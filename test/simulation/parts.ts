// A turn that fixes several causes: what it changes for each, as commits, and the tree without some.
import type { FixCause, FixPart } from '../../src/contract/test-fix/task.js'
import type {
  CommitFixInput,
  TakenOut,
  TakeOutInput,
} from '../../src/contract/test-fix/test-fix-step.js'
import type { CommitResult } from '../../src/contract/workspace.js'
import { moved, type Move, type Tree } from './world.js'

/** What a part changes: tests that differ after it. */
type Patch = Partial<Tree['tests']> & { starts?: boolean }

/** A turn that fixed several causes. */
export type Several = {
  iteration: number
  before: Tree
  /** Tasks with what each of them breaks in the tree before; `no start`: everything. */
  parts: { task: string; breaks: string[] }[]
  /** No two parts touch a test, and one alone keeps the suite from starting, if any does. */
  apart: boolean
  /** The tree with some of them. */
  treeOf: (tasks: readonly string[]) => Tree
}

type Commits = {
  treeOf: (commit: string) => Tree
  parentOf: (commit: string) => string
  commitOf: (tree: Tree, parent: string) => CommitResult
}

export function partsHost({ treeOf, parentOf, commitOf }: Commits) {
  const done: Several[] = []
  const patches = new Map<string, Patch>()

  const causesOf = (iteration: number, { parts }: Move & { do: 'several' }): FixCause[] =>
    parts.map((_, n) => ({
      task: `IMPL-fix-${iteration}.${n + 1}`,
      cause: `cause ${n + 1}`,
      files: [`${n + 1}.ts`],
    }))

  /** The commits of a turn. */
  const commitParts = (
    { expectHead, causes = [] }: CommitFixInput,
    { parts: moves }: Move & { do: 'several' },
    iteration: number,
  ): CommitResult => {
    const before = treeOf(expectHead)
    const all = moves.map((move, n) => patchOf(before, moved(before, move, iteration * 10 + n)))
    let last = commitOf(before, expectHead)
    const parts: FixPart[] = []
    for (const [n, patch] of all.entries()) {
      if (Object.keys(patch).length === 0) continue
      last = commitOf(composed(before, all.slice(0, n + 1)), last.head)
      const [task, commit] = [causes[n]?.task ?? '', last.head]
      patches.set(commit, patch)
      parts.push({ task, commit })
    }
    const patchOfTask = new Map(parts.map(({ task, commit }) => [task, patches.get(commit) ?? {}]))
    const touched = [...patchOfTask.values()].flatMap((patch) => Object.keys(patch))
    const breaks = [...patchOfTask].map(([task, patch]) => ({
      task,
      breaks: brokenBy(before, patch),
    }))
    const stops = breaks.some((one) => one.breaks.includes('starts'))
    done.push({
      iteration,
      before,
      parts: breaks,
      apart:
        new Set(touched).size === touched.length &&
        (!stops || breaks.filter((one) => one.breaks.length > 0).length === 1),
      treeOf: (tasks) =>
        composed(
          before,
          tasks.map((task) => patchOfTask.get(task) ?? {}),
        ),
    })
    return parts.length === 0 ? last : { ...last, parts }
  }

  const takeOut = ({ parts, out, suspects, expectHead }: TakeOutInput): TakenOut => {
    const order = suspects ?? parts.map(({ task }) => task).reverse()
    const without = [...out, order[0]]
    const kept = parts.filter(({ task }) => !without.includes(task))
    const before = treeOf(parentOf(parts[0]?.commit ?? ''))
    const tree = composed(
      before,
      kept.map(({ commit }) => patches.get(commit) ?? {}),
    )
    return { ...commitOf(tree, expectHead), suspects: order }
  }
  return { done, causesOf, commitParts, takeOut }
}

function patchOf(before: Tree, after: Tree): Patch {
  const tests = Object.fromEntries(
    Object.entries(after.tests).filter(([name, state]) => before.tests[name] !== state),
  )
  return { ...tests, ...(after.starts === before.starts ? {} : { starts: after.starts }) } as Patch
}

/** What a part breaks wins over what another repairs. */
function composed(before: Tree, patches: readonly Patch[]): Tree {
  const tests: Record<string, Tree['tests'][string]> = { ...before.tests }
  let { starts } = before
  for (const { starts: does, ...patch } of patches) {
    starts &&= does ?? true
    for (const [name, state] of Object.entries(patch) as [string, Tree['tests'][string]][])
      if (tests[name] === before.tests[name] || state !== 'passes') tests[name] = state
  }
  return { ...before, tests, starts, lines: before.lines + patches.length }
}

function brokenBy(before: Tree, patch: Patch): string[] {
  return Object.entries(patch)
    .filter(([name, state]) =>
      name === 'starts' ? state === false : state !== 'passes' && before.tests[name] === 'passes',
    )
    .map(([name]) => name)
}
