// Lists the issues that an iteration leaves: measured failures first, then agents' reports. An
// agent's claim about the tests never counts; a claim that differs from the measured run is an
// issue itself.
import type { PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import { PHASES } from '../../contract/dev-cycle/discovery.js'
import type { Measured } from '../../contract/test-run.js'
import { shortList } from '../text/short-text.js'
import { textKey } from './documents/same-text.js'
import { falseClaim, repeatsFailure } from './answers/vas-claims.js'
import { type IssueFacts, type Issue, line } from './issue.js'

/** Returns every issue of an iteration, each once, the most certain first. */
export function findIssues(f: IssueFacts): Issue[] {
  const said = PHASES.flatMap((phase) => (f.results[phase] === undefined ? [] : [f.results[phase]]))
  const run = f.run?.kind === 'measured' ? f.run : undefined
  const reported = said.flatMap((result) => [
    ...blockersOf(result),
    ...planOf(result),
    ...issuesOf(result, f, run),
    ...outputOf(result),
  ])
  const found = [
    ...testsOf(f),
    ...claimOf(f.results.vas, run, f.validated),
    ...nothingOf(f),
    ...reported,
    ...editsOf(said, f),
  ]
  return distinct([
    ...said.flatMap((result) => failureOf(result, found.length > 0)),
    ...found,
    ...unvalidated(f),
  ])
}

function testsOf({ measured }: IssueFacts): Issue[] {
  return measured.map(({ kind, text }) => ({
    kind: kind === 'not_measured' ? 'not_measured' : 'test_failure',
    source: 'tests',
    text: line(text),
    to: 'cd',
  }))
}

function claimOf(
  vas: PhaseResult | undefined,
  run: Measured | undefined,
  validated: boolean,
): Issue[] {
  const text =
    vas?.claimed === undefined || run === undefined || !validated
      ? undefined
      : falseClaim(vas.claimed, run)
  return text === undefined ? [] : [{ kind: 'false_claim', source: 'vas', text: line(text) }]
}

// A developer that names changes may have lost them in a stash or by a reset.
function nothingOf({ results: { cd }, developed }: IssueFacts): Issue[] {
  if (
    developed ||
    cd?.filesChanged === undefined ||
    cd.synthetic === true ||
    cd.status === 'failed'
  )
    return []
  return [
    {
      kind: 'false_claim',
      source: 'cd',
      text: `claimed ${cd.filesChanged} changed file${cd.filesChanged === 1 ? '' : 's'}; git sees none in the work tree: stashed or reset changes, and files elsewhere, are not part of the work`,
      to: 'cd',
    },
  ]
}

// RA answers for the requirements, EP for the plan. A blocker of RA itself needs a person.
function blockersOf({ phase, blockers }: PhaseResult): Issue[] {
  return blockers.map((blocker) => {
    const to = phase === 'ra' ? undefined : phase !== 'ep' && isAboutPlan(blocker) ? 'ep' : 'ra'
    return {
      kind: 'blocker',
      source: phase,
      text: line(blocker),
      to,
    }
  })
}

function planOf({ phase, planIssues, invalid }: PhaseResult): Issue[] {
  const own = phase === 'ep' ? invalid : []
  return [...planIssues, ...own].map((text) => ({
    kind: 'plan',
    source: phase,
    text: line(text),
    to: 'ep',
  }))
}

function issuesOf(
  { phase, status, summary, issues, claimed }: PhaseResult,
  { validated, measured }: IssueFacts,
  run: Measured | undefined,
): Issue[] {
  switch (phase) {
    case 'ra':
      return issues.map((text) => ({ kind: 'requirements', source: phase, text: line(text) }))
    case 'ep':
      return issues.map((text) =>
        isAboutPlan(text)
          ? { kind: 'plan', source: phase, text: line(text) }
          : { kind: 'requirements', source: phase, text: line(text), to: 'ra' },
      )
    case 'cd':
      return issues.map((text) => ({
        kind: 'validation',
        source: phase,
        text: line(text),
        to: 'cd',
      }))
    case 'vas': {
      if (!validated) return []
      const own = issues.filter((text) => run === undefined || !repeatsFailure(text, run))
      const unnamed = (claimed?.criticalIssues ?? 0) - issues.length
      const critical =
        unnamed > 0
          ? [
              `${claimed?.criticalIssues} critical issues, ${issues.length === 0 ? 'none' : `only ${issues.length}`} of them named`,
            ]
          : []
      const doubts =
        own.length + critical.length + measured.length === 0 &&
        (status === 'partial' || claimed?.ready === false)
          ? [summary === '' ? `the validation is ${status}, and does not say why` : summary]
          : []
      return [...own, ...critical, ...doubts].map((text) => ({
        kind: 'validation',
        source: phase,
        text: line(text),
        to: 'cd',
      }))
    }
  }
}

// A missing document of an agent that never answered is not a second issue.
function outputOf({ phase, missing, invalid, synthetic }: PhaseResult): Issue[] {
  const absent = synthetic === true ? [] : missing.map((file) => `${file} is missing`)
  return [...absent, ...(phase === 'ep' ? [] : invalid)].map((text) => ({
    kind: 'missing_output',
    source: phase,
    text: line(text),
    to: phase,
  }))
}

function failureOf(result: PhaseResult, others: boolean): Issue[] {
  const { phase, status, synthetic, summary, issues, blockers, planIssues, note } = result
  const why = note ?? summary
  const say = (what: string): Issue[] => [
    {
      kind: 'agent_failed',
      source: phase,
      text: line(why === '' ? what : `${what}: ${why}`),
      to: phase,
    },
  ]
  if (synthetic === true) return say('gave no answer')
  if (status === 'unknown') return say('gave no usable result')
  // VAS often says "failed" about the work, not about itself.
  if (status === 'failed' && !(phase === 'vas' && others)) return say('failed')
  // The developer stopped before the end and does not say where.
  if (
    status === 'partial' &&
    phase === 'cd' &&
    issues.length + blockers.length + planIssues.length === 0
  )
    return say('finished only a part')
  return []
}

function unvalidated({ validated, results: { vas } }: IssueFacts): Issue[] {
  if (validated || vas?.synthetic === true || vas?.status === 'failed' || vas?.status === 'unknown')
    return []
  return [
    {
      kind: 'agent_failed',
      source: 'vas',
      text: 'did not validate the work of this iteration',
      to: 'vas',
    },
  ]
}

function editsOf(said: readonly PhaseResult[], { foreign, tampered }: IssueFacts): Issue[] {
  const edited = said.flatMap(({ phase, foreign: files }): Issue[] =>
    files.length === 0
      ? []
      : [
          {
            kind: 'foreign_edit',
            source: phase,
            text: line(`changed files that are not its own: ${shortList(files)}`),
          },
        ],
  )
  const known = new Set(said.flatMap((result) => result.foreign))
  const restored = foreign.filter((file) => !known.has(file))
  return [
    ...edited,
    ...(restored.length === 0
      ? []
      : [
          {
            kind: 'foreign_edit',
            source: 'ratchet',
            text: line(`changed by another agent and restored: ${shortList(restored)}`),
          } as const,
        ]),
    ...(tampered.length === 0
      ? []
      : [
          {
            kind: 'tampering',
            source: 'ratchet',
            text: line(`changes to test configuration were restored: ${shortList(tampered)}`),
          } as const,
        ]),
  ]
}

function isAboutPlan(text: string): boolean {
  return /\bplan\b|\bTASK-\d+/i.test(text)
}

function distinct(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>()
  return issues.filter(({ source, kind, text, to = '' }) => {
    // Two agents may fail for the same reason. What two agents report alike is one issue for each
    // agent that can solve it.
    const key =
      kind === 'agent_failed' || kind === 'missing_output'
        ? `${source} ${textKey(text)}`
        : `${to} ${textKey(text)}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
