// Test changes that the agents of a world propose: checked, counted and applied as on a host.
import type {
  AppliedChanges,
  ApplyChangesInput,
  Proposed,
  ProposeInput,
} from '../../src/contract/test-fix/test-fix-step.js'
import type { StoredRun } from '../../src/contract/test-run.js'
import type { FileRef } from '../../src/contract/files.js'
import type { CommitResult } from '../../src/contract/workspace.js'
import { coverageOf, isAnswered, withProposal } from '../../src/core/test-fix/test-changes.js'
import { fileOf, type Move, type Tree } from './world.js'

type Propose = Extract<Move, { do: 'propose' }>

/** The failing tests that a move proposes to change: those of one file. */
function picked(tree: Tree, { picks }: Propose): string[] {
  const failing = Object.entries(tree.tests).flatMap(([name, is]) =>
    is.startsWith('fails') ? [name] : [],
  )
  const [first, ...others] = picks.flatMap((pick) => failing[pick % failing.length] ?? [])
  return first === undefined
    ? []
    : [...new Set([first, ...others.filter((name) => fileOf(name) === fileOf(first))])]
}

/** The tree with the accepted change of some tests. */
function changed(tree: Tree, names: readonly string[], { patch }: Propose): Tree {
  const file = fileOf(names[0] as string)
  const victim =
    patch === 'harmful'
      ? Object.keys(tree.tests).find(
          (name) => fileOf(name) === file && tree.tests[name] === 'passes',
        )
      : undefined
  const others = Object.keys(tree.tests).filter((name) => fileOf(name) !== file)
  return {
    ...tree,
    starts: tree.starts && patch !== 'no start',
    ...(patch === 'unloads' && others[0] !== undefined ? { unloaded: fileOf(others[0]) } : {}),
    lines: tree.lines + 1,
    tests: {
      ...tree.tests,
      ...Object.fromEntries(names.map((name) => [name, 'passes' as const])),
      ...(victim === undefined ? {} : { [victim]: 'fails changed' as const }),
      ...(patch === 'elsewhere'
        ? Object.fromEntries(others.map((name) => [name, 'fails changed' as const]))
        : {}),
    },
  }
}

export function proposalsOf({
  treeOf,
  moveOf,
  commitOf,
  storedAt,
}: {
  treeOf: (commit: string) => Tree
  moveOf: (iteration: number) => Move
  commitOf: (tree: Tree, parent: string) => CommitResult
  storedAt: (path: string) => StoredRun
}) {
  const patches = new Map<string, { names: string[]; move: Propose }>()
  return {
    proposeTestChanges: ({ head, iteration, agent, known }: ProposeInput): Proposed => {
      const move = moveOf(iteration)
      const names = move.do === 'propose' ? picked(treeOf(head), move) : []
      if (move.do !== 'propose' || names[0] === undefined)
        return { proposals: known, valid: [], refused: [{ file: 'a.test', reason: 'no change' }] }
      const file = fileOf(names[0])
      const sha256 = `${names.join()} ${move.patch}`
      if (isAnswered(known, { file, sha256 })) return { proposals: known, valid: [], refused: [] }
      patches.set(sha256, { names, move })
      const number = 1 + Math.max(0, ...known.map((one) => one.number))
      const why = 'it expects what was right once'
      const patch = { path: `/${number}.patch`, sha256, bytes: 1 }
      return {
        proposals: withProposal(known, { number, file, why, iteration, agent, patch }),
        valid: [file],
        refused: [],
      }
    },
    countCovered: ({ results, files }: { results: FileRef; files: string[] }) =>
      coverageOf(storedAt(results.path), files),
    applyTestChanges: ({ changes, expectHead }: ApplyChangesInput): AppliedChanges => {
      let tree = treeOf(expectHead)
      for (const { file, patch } of changes) {
        const { names, move } = patches.get(patch.sha256) as { names: string[]; move: Propose }
        if (move.patch === 'gone') return { refused: { file, reason: 'the patch does not apply' } }
        tree = changed(tree, names, move)
      }
      return commitOf(tree, expectHead)
    },
  }
}
