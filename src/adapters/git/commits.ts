// Commits that Ratchet makes: same input, same sha. Made with commit-tree, so no hook, no
// signature, no identity and no clock of the user's has a part in them.
import { inRepo, type Repo } from './repo.js'

const NAME = 'Ratchet'
const EMAIL = 'ratchet@localhost'
/** Committer of every commit that Ratchet makes. */
export const IDENTITY = `${NAME} <${EMAIL}>`

export type NewCommit = {
  tree: string
  parents: readonly string[]
  /** Epoch milliseconds. */
  at: number
  subject: string
  body?: string
  trailers?: Readonly<Record<string, string>>
}

/** Makes a commit object; moves no ref. */
export async function commitTree(
  repo: Repo,
  { tree, parents, at, subject, body = '', trailers = {} }: NewCommit,
): Promise<string> {
  const date = `@${Math.floor(at / 1_000)} +0000`
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${oneLine(value)}`)
  const message = [oneLine(subject), body.trim(), lines.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
  return inRepo(
    repo,
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
    {
      input: `${message}\n`,
      env: {
        GIT_AUTHOR_NAME: NAME,
        GIT_AUTHOR_EMAIL: EMAIL,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: NAME,
        GIT_COMMITTER_EMAIL: EMAIL,
        GIT_COMMITTER_DATE: date,
      },
    },
  )
}

/**
 * Moves a workspace's branch to what a step has committed. Fails if the branch is not at
 * `expectHead`.
 */
export async function advanceBranch(
  repo: Repo,
  {
    workspace,
    step,
    expectHead,
  }: { workspace: { branch: string }; step: string; expectHead: string },
  head: string,
): Promise<void> {
  const ref = `refs/heads/${workspace.branch}`
  await inRepo(repo, ['update-ref', '-m', `ratchet: ${step}`, ref, head, expectHead])
}

export type Commit = {
  sha: string
  tree: string
  parents: readonly string[]
  /** Committer time, epoch milliseconds. */
  at: number
  /** Made by Ratchet: its identity and a `Ratchet-Run` trailer. */
  ours: boolean
  /** Trailers of Ratchet's by name; empty unless `ours`. */
  trailers: ReadonlyMap<string, string>
}

/** Read before: what a whole hash names never changes, in whichever repository. */
const known = new Map<string, Commit>()
const KNOWN = 1_000
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Reads a commit, once a process. */
export async function readCommit(repo: Repo, sha: string): Promise<Commit> {
  const before = known.get(sha)
  if (before !== undefined) return before
  const commit = await askForCommit(repo, sha)
  if (known.size >= KNOWN) known.clear()
  if (HASH.test(sha)) known.set(sha, commit)
  return commit
}

async function askForCommit(repo: Repo, sha: string): Promise<Commit> {
  const raw = await inRepo(repo, ['cat-file', 'commit', sha])
  const end = raw.indexOf('\n\n')
  const head = (end < 0 ? raw : raw.slice(0, end)).split('\n')
  const values = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const committer = /^(.*) (\d+) [+-]\d{4}$/.exec(values('committer')[0] ?? '')
  const lastParagraph = raw.trimEnd().split('\n\n').at(-1) ?? ''
  const trailers = new Map(
    lastParagraph.split('\n').flatMap((line) => {
      const [, name, value] = /^(Ratchet-[A-Za-z]+): (.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const ours = committer?.[1] === IDENTITY && trailers.has('Ratchet-Run')
  return {
    sha,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    at: Number(committer?.[2] ?? 0) * 1_000,
    ours,
    trailers: ours ? trailers : new Map(),
  }
}

/** Tree of a commit. */
export async function treeOf(repo: Repo, commit: string): Promise<string> {
  return HASH.test(commit)
    ? (await readCommit(repo, commit)).tree
    : inRepo(repo, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`])
}

/** A text as part of a ref name. */
export function refPart(text: string): string {
  const safe = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
  return safe === '' ? 'unnamed' : safe
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').trim()
}
