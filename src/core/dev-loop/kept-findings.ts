// Which findings of a loop travel, where there are more than have room.
import type { Finding } from '../../contract/dev-loop/loop-record.js'
import { severityOf } from '../answers/severity.js'

/** Findings that travel with a run. */
export const FINDINGS_KEPT = 20

const RANKS = { high: 0, medium: 1, low: 2 }

/**
 * At most so many findings, in their order: open ones before closed ones, then the most severe,
 * then the newest.
 */
export function keptFindings(findings: readonly Finding[], most = FINDINGS_KEPT): Finding[] {
  const kept = findings
    .map((finding, place) => ({ finding, place, rank: rankOf(finding) }))
    .sort((a, b) => a.rank - b.rank || b.place - a.place)
    .slice(0, most)
  return kept.sort((a, b) => a.place - b.place).map(({ finding }) => finding)
}

function rankOf({ status, description }: Finding): number {
  return status === 'open' ? RANKS[severityOf(description)] : Object.keys(RANKS).length
}
