// Finds what agents said about a failing test. An assessment was asked about this very set of
// failures and stands above what an analysis says by the way; of the same kind the newest claim
// counts.
import type { StoredClaims } from '../../contract/test-run.js'

export type CriticalityClaim = StoredClaims['claims'][number]

/**
 * Names under which a claim may know a test: `test` (every test of that name), `file > test`,
 * `file::test`.
 */
export type ClaimIndex = ReadonlyMap<string, { claim: CriticalityClaim; at: number }>

/** Makes claims, oldest first, ready for `claimOn`. */
export function indexClaims(claims: readonly CriticalityClaim[]): ClaimIndex {
  return new Map(claims.map((claim, at) => [`${claim.source} ${claimKey(claim)}`, { claim, at }]))
}

/** Claims that speak of a run: an assessment of other failures does not. */
export function claimsFor(
  claims: readonly CriticalityClaim[],
  fingerprint: string,
): CriticalityClaim[] {
  return claims.filter((claim) => claim.source !== 'assess' || claim.fingerprint === fingerprint)
}

/** The claim on a test that counts, or `undefined`. */
export function claimOn(
  index: ClaimIndex,
  { file, test }: { file: string; test: string },
): CriticalityClaim | undefined {
  const names = [claimKey({ file, test }), claimKey({ test })]
  const newest = (source: CriticalityClaim['source']) =>
    names.flatMap((name) => index.get(`${source} ${name}`) ?? []).sort((a, b) => b.at - a.at)[0]
      ?.claim
  return newest('assess') ?? newest('analysis')
}

/** Claims without those that a later one on the same name has replaced. */
export function newestClaims(claims: readonly CriticalityClaim[]): CriticalityClaim[] {
  const newest = new Set([...indexClaims(claims).values()].map(({ claim }) => claim))
  return claims.filter((claim) => newest.has(claim))
}

/** One form for all names: parts joined with `>`, blanks as one, no `./` in front. */
function claimKey({ file, test }: { file?: string | undefined; test: string }): string {
  const plain = (text: string): string =>
    text.replaceAll('::', ' > ').replace(/\s+/g, ' ').trim().replace(/^\.\//, '')
  const [name, path] = [plain(test), file === undefined ? undefined : plain(file)]
  return path === undefined || name.startsWith(`${path} > `) ? name : `${path} > ${name}`
}
