// `coordination/feedback.md`: what the requirements analyst reads first. Rewritten with every
// record.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Blocker, Decision } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import { versionOf } from '../../../core/dev-cycle/documents/versions.js'
import { plainLine } from '../../../core/text/one-line.js'
import { DOCUMENTS } from './document-names.js'
import { readOwn } from '../safe-files.js'
import type { StoredCycle } from './cycle-schema.js'

/** Most entries of a list that grows with the cycle; the newest are shown. */
const SHOWN = 20

/** Text of the file; `undefined` where there is nothing to tell yet. */
export function feedbackText(record: StoredCycle, progress: string): string | undefined {
  const { iterations, coordination, ratchet } = record
  const { feedback_log: feedback, pending_decisions: decisions, blockers } = coordination
  const over = iterations.filter((one) => one.completed_at !== undefined)
  if (
    over.length +
      feedback.length +
      decisions.length +
      blockers.length +
      ratchet.open_issues.length ===
    0
  )
    return undefined
  return [
    `# Feedback for ${record.cycle_id}`,
    '',
    `Iteration ${record.current_iteration} of at most ${record.max_iterations}. Ratchet rewrites this file after each step.`,
    '',
    ...list(
      '## Open Issues',
      ratchet.open_issues.map((issue) => plainLine(issue)),
    ),
    ...list(
      '## User Feedback',
      newest(
        feedback
          .filter(({ source }) => source === 'user')
          .map((one) => `${one.timestamp}: ${plainLine(one.content)}`),
      ),
    ),
    ...list(
      '## Timeline',
      newest(
        over.map(
          (one) => `Iteration ${one.number}, ended ${one.completed_at ?? ''}: ${outcomeOf(one)}`,
        ),
      ),
    ),
    ...list('## Decision Records', newest(decisions.map(decisionLine))),
    ...list('## Blockers & Resolutions', newest(blockers.map(blockerLine))),
    ...list('## Cross-Agent Dependencies', dependencies(progress)),
  ].join('\n')
}

/** A blocker as one line of the file; see `readBlockers`. */
export function blockerLine({
  id,
  description,
  reported_by: by,
  status,
  resolution,
}: Blocker): string {
  return `${id} ${status} (${by}): ${plainLine(description)}${resolution === undefined ? '' : ` → ${plainLine(resolution)}`}`
}

/** The blockers that a feedback file shows. */
export function readBlockers(text: string): Blocker[] {
  return [
    ...text.matchAll(/^- (BLK-\d+) (open|resolved|workaround) \((\w+)\): (.*?)(?: → (.*))?$/gm),
  ].map(([, id = '', status, by = '', said = '', resolution]) => ({
    id,
    description: unescaped(said),
    reported_by: by,
    status: status as Blocker['status'],
    ...(resolution === undefined ? {} : { resolution: unescaped(resolution) }),
  }))
}

function unescaped(text: string): string {
  return text.replace(/\\([\\`*[\]<>|])/g, '$1')
}

function outcomeOf({
  agent_results: results,
  issues_found: issues,
  resolved,
}: StoredCycle['iterations'][number]): string {
  const agents = Object.entries(results)
    .map(([phase, { status }]) => `${phase} ${plainLine(status)}`)
    .join(', ')
  return `${agents === '' ? 'no results' : agents}; ${issues.length === 0 ? 'no issues' : `${issues.length} issue${issues.length === 1 ? '' : 's'}${resolved ? ', resolved' : ''}`}`
}

function decisionLine({
  id,
  description,
  options,
  made_by: by,
  chosen_option: chosen,
  status,
}: Decision): string {
  const choice =
    chosen === undefined
      ? `options: ${options.map((one) => plainLine(one)).join('; ')}`
      : `${plainLine(chosen)}${by === undefined ? '' : `, chosen by ${by}`}`
  return `${id} ${status}: ${plainLine(description)} → ${choice}`
}

/** What each agent reads of the others. */
const READS: Readonly<Record<Phase, readonly (readonly [Phase, string])[]>> = {
  ra: [],
  ep: [['ra', 'requirements.md']],
  cd: [
    ['ep', 'plan.json'],
    ['ra', 'requirements.md'],
  ],
  vas: [
    ['cd', 'changes.log'],
    ['ra', 'requirements.md'],
  ],
}

function dependencies(progress: string): string[] {
  const versions = new Map<string, string>(
    PHASES.flatMap((phase) =>
      DOCUMENTS[phase].main.flatMap((name) => {
        const version = versionIn(path.join(progress, phase, name))
        return version === undefined ? [] : [[`${phase}/${name}`, version] as const]
      }),
    ),
  )
  const lines = PHASES.flatMap((phase) =>
    READS[phase].map(([of, name]) => {
      const file = `${of}/${name}`
      const there = existsSync(path.join(progress, file))
        ? versions.has(file)
          ? `version ${versions.get(file) ?? ''}`
          : 'there'
        : 'missing'
      return `${phase.toUpperCase()} reads ${file}: ${there}`
    }),
  )
  const newest = [...versions.values()].sort(byNumber).at(-1)
  const behind = [...versions].filter(([, version]) => version !== newest)
  return behind.length === 0
    ? lines
    : [
        ...lines,
        `Of an older version than ${newest ?? ''}: ${behind.map(([file, version]) => `${file} (${version})`).join(', ')}`,
      ]
}

function versionIn(file: string): string | undefined {
  const read = readOwn(file)
  return read !== undefined && 'text' in read
    ? versionOf(path.basename(file), read.text)
    : undefined
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function newest(lines: readonly string[]): string[] {
  const left = lines.length - SHOWN
  return left <= 0
    ? [...lines]
    : [`${left} older ${left === 1 ? 'one is' : 'ones are'} in the record`, ...lines.slice(-SHOWN)]
}

function list(heading: string, lines: readonly string[]): string[] {
  return [heading, '', ...(lines.length === 0 ? ['None.'] : lines.map((line) => `- ${line}`)), '']
}
