// The documents that a task comes from, named for all four agents.
import type { SourceRef } from '../../../contract/dev-cycle/prep-package.js'
import { code, LINE_SHOWN } from '../../text/one-line.js'
import { section } from '../../prompts/prompt-parts.js'

/** Most documents that a prompt names. */
export const SOURCES_SHOWN = 12

/** Names what was found, `verified` or `linked`; empty where there is nothing to read. */
export function sourcesSection(refs: readonly SourceRef[]): string {
  const usable = refs.filter(({ status }) => status === 'verified' || status === 'linked')
  if (usable.length === 0) return ''
  const shown = usable.slice(0, SOURCES_SHOWN).map((ref, n) => `${n + 1}. ${named(ref)}`)
  const more = usable.length - shown.length
  return section('## REQUIREMENT SOURCE DOCUMENTS', [
    'Read these before you begin. They are the primary source of the requirements; check the task description against them.',
    '',
    ...shown,
    ...(more > 0 ? [`… and ${more} more, not shown`] : []),
  ])
}

function named({ path, type }: SourceRef): string {
  const where = code(path, LINE_SHOWN)
  return type === 'url'
    ? `**Reference URL**: ${where} (fetch if accessible)`
    : `**Read**: ${where} (${type})`
}
