// Several workers' commits on one head, merged path by path, in their order. Texts that two changed
// are merged by line; what no merge can join becomes one conflict, with everybody who changed it.
//
// A conflict is a group of places: a file and what was renamed from or to it, or a name that one
// worker uses for a file and another for a directory. Its answer takes the whole group from one
// version, so that no answer leaves half of a rename behind.
import type { ParallelAction } from '../../../contract/dev-loop/loop-input.js'
import { splitZ } from '../git.js'
import { mergeFile, parents } from './merge-trees.js'
import { inRepo, type Repo } from '../repo.js'
import { diffTrees, listTree, type Change, type Entry } from '../tree-diff.js'

/** What a worker made of the common head. */
export type Side = { action: ParallelAction; commit: string }

/** By file of a conflict: whose version is taken whole. */
export type Choices = Readonly<Record<string, ParallelAction | 'base'>>

/** An open conflict; `workers` in the order of the sides. */
export type OpenConflict = { file: string; workers: ParallelAction[] }

/**
 * `writes`: what differs from the head, by path in bytes (one character each); `undefined` = the
 * file goes.
 */
export type ManyMerged = {
  writes: Map<string, Entry | undefined>
  open: OpenConflict[]
  chosen: { file: string; whose: ParallelAction | 'base' }[]
}

type Changed = Side & { changes: Map<string, Change>; renames: (readonly [string, string])[] }

/** Merges all sides into `head`. Moves nothing; new objects are merged texts only. */
export async function mergeMany(
  repo: Repo,
  head: string,
  sides: readonly Side[],
  choices: Choices,
): Promise<ManyMerged> {
  const changed: Changed[] = []
  for (const side of sides)
    changed.push({
      ...side,
      changes: await changesOf(repo, head, side.commit),
      renames: await renamesOf(repo, head, side.commit),
    })
  const base = await listTree(repo, head, { bytes: true })
  const { writes, clashing } = await mergeEach(repo, changed)
  const open: OpenConflict[] = []
  const chosen: ManyMerged['chosen'] = []
  for (const { files, places } of groupsOf(clashing, changed, base, writes)) {
    const [file = ''] = files.map(shown).sort()
    const whose = Object.hasOwn(choices, file) ? choices[file] : undefined
    const inGroup = (path: string) => [path, ...parents(path)].some((place) => places.has(place))
    if (whose === undefined)
      open.push({
        file,
        workers: changed
          .filter(({ changes }) => [...changes.keys()].some(inGroup))
          .map(({ action }) => action),
      })
    else {
      chosen.push({ file, whose })
      takeWhole(writes, changed, whose, inGroup)
    }
  }
  const byFile = (a: { file: string }, b: { file: string }) => (a.file < b.file ? -1 : 1)
  return { writes, open: open.sort(byFile), chosen: chosen.sort(byFile) }
}

async function changesOf(repo: Repo, head: string, commit: string): Promise<Map<string, Change>> {
  return new Map(
    (await diffTrees(repo, head, commit, { bytes: true })).map((change) => [change.path, change]),
  )
}

async function renamesOf(
  repo: Repo,
  head: string,
  commit: string,
): Promise<(readonly [string, string])[]> {
  const items = splitZ(
    await inRepo(
      repo,
      ['diff-tree', '-r', '-z', '--name-status', '--find-renames', '--diff-filter=R', head, commit],
      { bytes: true },
    ),
  )
  return items.flatMap((_, at) =>
    at % 3 === 0 ? [[items[at + 1] ?? '', items[at + 2] ?? ''] as const] : [],
  )
}

async function mergeEach(
  repo: Repo,
  changed: readonly Changed[],
): Promise<{ writes: ManyMerged['writes']; clashing: Set<string> }> {
  const writes: ManyMerged['writes'] = new Map()
  const clashing = new Set<string>()
  for (const path of new Set(changed.flatMap(({ changes }) => [...changes.keys()]))) {
    let ours: { entry: Entry | undefined } | undefined
    for (const { changes } of changed) {
      const change = changes.get(path)
      if (change === undefined || clashing.has(path)) continue
      const merged =
        ours === undefined ? { entry: change.after } : await mergeFile(repo, change, ours.entry)
      if (merged === 'conflict') clashing.add(path)
      else if (merged !== 'same') ours = merged
    }
    writes.set(path, ours?.entry)
  }
  for (const path of goneTwoWays(changed)) clashing.add(path)
  return { writes, clashing }
}

// Renamed to different names by several, or renamed by one and deleted by another.
function goneTwoWays(changed: readonly Changed[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { changes, renames } of changed) {
    const renamed = new Map(renames)
    for (const { path, after } of changes.values())
      if (after === undefined)
        targets.set(path, new Set([...(targets.get(path) ?? []), renamed.get(path) ?? '']))
  }
  return [...targets].flatMap(([path, to]) => (to.size > 1 ? [path] : []))
}

type Group = { files: string[]; places: Set<string> }

// Everything that must be answered together, from what clashes outwards.
function groupsOf(
  clashing: ReadonlySet<string>,
  changed: readonly Changed[],
  base: ReadonlyMap<string, Entry>,
  writes: ManyMerged['writes'],
): Group[] {
  const sets = joinedSets()
  const files = new Set(clashing)
  for (const path of clashing) sets.add(path)
  const placeOf = (path: string) => [path, ...parents(path)].find((place) => sets.has(place))
  const renames = changed.flatMap((side) => side.renames)
  const everything = new Set([...base.keys(), ...writes.keys()])
  for (let before = -1; before !== sets.size();) {
    before = sets.size()
    for (const [from, to] of renames) {
      const near = placeOf(from) ?? placeOf(to)
      if (near === undefined) continue
      for (const path of [from, to]) {
        sets.add(path)
        sets.join(path, near)
      }
    }
    // Of what is not decided yet, any version may stay.
    const present = (path: string) =>
      everything.has(path) &&
      (!writes.has(path) || writes.get(path) !== undefined || placeOf(path) !== undefined)
    for (const path of everything) {
      if (!present(path)) continue
      for (const parent of parents(path)) {
        if (sets.has(parent) || !present(parent)) continue
        sets.add(parent)
        files.add(parent)
      }
    }
  }
  for (const place of sets.items())
    for (const parent of parents(place)) if (sets.has(parent)) sets.join(place, parent)
  return sets
    .all()
    .map((places) => ({ places, files: [...files].filter((file) => places.has(file)) }))
}

/** Disjoint sets of texts. */
function joinedSets() {
  const of = new Map<string, Set<string>>()
  return {
    has: (item: string) => of.has(item),
    size: () => of.size,
    items: () => [...of.keys()],
    all: () => [...new Set(of.values())],
    add(item: string) {
      if (!of.has(item)) of.set(item, new Set([item]))
    },
    join(a: string, b: string) {
      const [from, into] = [of.get(a), of.get(b)]
      if (from === undefined || into === undefined || from === into) return
      for (const item of from) of.set(item, into.add(item))
    },
  }
}

// All paths of the group as one side has them; a side that changed none of them has them as the
// head.
function takeWhole(
  writes: ManyMerged['writes'],
  changed: readonly Changed[],
  whose: ParallelAction | 'base',
  inGroup: (path: string) => boolean,
): void {
  const side = changed.find(({ action }) => action === whose)
  for (const path of [...writes.keys()].filter(inGroup)) {
    const own = side?.changes.get(path)
    if (own === undefined) writes.delete(path)
    else writes.set(path, own.after)
  }
}

function shown(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}
