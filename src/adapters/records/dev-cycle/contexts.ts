// The shared context of a record, read from its own documents: the result block of an agent never
// has it.
import path from 'node:path'
import type { CycleRecord, PlanTask } from '../../../contract/dev-cycle/cycle-record.js'
import { readExploration } from '../../../core/dev-cycle/documents/exploration-file.js'
import { readPlanFile } from '../../../core/dev-cycle/documents/plan-file.js'
import { readRequirements } from '../../../core/dev-cycle/documents/requirements-file.js'
import { readTestResults } from '../../../core/dev-cycle/documents/test-results-file.js'
import { versionOf } from '../../../core/dev-cycle/documents/versions.js'
import { readChanges } from './changes.js'
import { readOwn, recordLog } from '../safe-files.js'

export type Contexts = Pick<CycleRecord, 'requirements' | 'exploration' | 'plan' | 'changes'>

/** Version of a document that has none. */
const NO_VERSION = '1.0.0'

/**
 * What the documents say; what none says any more stays as `before` has it. `last_updated` is `now`
 * where the content has changed.
 *
 * @param progress the record's progress directory
 */
export function contextsIn(progress: string, before: Contexts, now: string): Contexts {
  const found: Contexts = {
    ...requirementsIn(progress, now),
    ...explorationIn(progress, now),
    ...planIn(progress, now),
    ...changesIn(progress),
  }
  const { requirements, exploration, plan, changes } = before
  const known = Object.entries({ requirements, exploration, plan, changes }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries([
    ...known,
    ...Object.entries(found).map(
      ([key, value]) => [key, sameAs(before[key as keyof Contexts], value)] as const,
    ),
  ])
}

function sameAs<T>(before: T, now: T): T {
  const bare = (value: T): string =>
    JSON.stringify(value, (key, one: unknown) =>
      key === 'last_updated' || key === 'status' ? undefined : one,
    )
  const time = (before as { last_updated?: string } | undefined)?.last_updated
  return before !== undefined && time !== undefined && bare(before) === bare(now)
    ? { ...now, last_updated: time }
    : now
}

function requirementsIn(progress: string, now: string): Contexts {
  const [text, edgeCases] = [
    textIn(progress, 'ra/requirements.md'),
    textIn(progress, 'ra/edge-cases.md'),
  ]
  if (text === undefined) return {}
  return {
    requirements: {
      version: versionOf('requirements.md', text) ?? NO_VERSION,
      specification: text,
      edge_cases: readRequirements(text, edgeCases).edgeCases,
      last_updated: now,
    },
  }
}

function explorationIn(progress: string, now: string): Contexts {
  const [exploration, architecture] = [
    textIn(progress, 'ep/exploration.md'),
    textIn(progress, 'ep/architecture.md'),
  ]
  const [name, first] =
    exploration === undefined ? ['architecture.md', architecture] : ['exploration.md', exploration]
  if (first === undefined) return {}
  const read = readExploration(exploration, architecture)
  return {
    exploration: {
      version: versionOf(name, first) ?? NO_VERSION,
      architecture_summary: read.architectureSummary,
      integration_points: read.integrationPoints,
      identified_risks: read.identifiedRisks,
      last_updated: now,
    },
  }
}

function planIn(progress: string, now: string): Contexts {
  const text = textIn(progress, 'ep/plan.json')
  const read = text === undefined ? undefined : readPlanFile(text)
  if (read?.ok !== true) return {}
  const { version, tasks, totalEstimatedEffort, criticalPath } = read.plan
  return {
    plan: {
      version: version ?? NO_VERSION,
      tasks: tasks satisfies PlanTask[],
      total_estimated_effort: totalEstimatedEffort,
      critical_path: criticalPath,
      last_updated: now,
    },
  }
}

function changesIn(progress: string): Contexts {
  const { changes, markers } = readChanges(recordLog(path.join(progress, 'cd/changes.log')))
  if (changes.length === 0 && Object.keys(markers).length === 0) return {}
  return {
    changes: {
      total_files: new Set(changes.map(({ file }) => file)).size,
      changes,
      iteration_markers: markers,
    },
  }
}

/**
 * What VAS wrote about tests, in its own words; only where nothing was measured it is all there is.
 */
export function claimedResults(progress: string):
  | {
      passRate: number | null
      coverage: number | null
      failedTests: string[]
      total: number
      version: string
    }
  | undefined {
  const text = textIn(progress, 'vas/test-results.json')
  const read = text === undefined ? undefined : readTestResults(text)
  if (read?.ok !== true) return undefined
  const { version, passRate, coverage, failedTests, total } = read.value
  return { passRate, coverage, failedTests, total: total ?? 0, version: version ?? NO_VERSION }
}

function textIn(progress: string, file: string): string | undefined {
  const read = readOwn(path.join(progress, file))
  return read !== undefined && 'text' in read && read.text.trim() !== '' ? read.text : undefined
}
