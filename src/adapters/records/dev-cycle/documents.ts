// Reads what an agent of a cycle wrote, as a reading that travels: bounded, checked, nothing taken
// on trust.
import path from 'node:path'
import {
  ITEM_CHARS,
  ITEMS_KEPT,
  type Claimed,
  type PhaseReading,
} from '../../../contract/dev-cycle/phase-reading.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { tasksIn } from '../../../core/dev-cycle/documents/plan-edit.js'
import { readPlanFile } from '../../../core/dev-cycle/documents/plan-file.js'
import { readRequirements } from '../../../core/dev-cycle/documents/requirements-file.js'
import { readTestResults } from '../../../core/dev-cycle/documents/test-results-file.js'
import { oneLine } from '../../../core/text/one-line.js'
import { allDocuments, DOCUMENTS } from './document-names.js'
import { isOwnDir, readOwn } from '../safe-files.js'

/** `files` and `missing` are names within the agent's directory. */
export type PhaseDocuments = Pick<
  PhaseReading,
  'files' | 'missing' | 'invalid' | 'requirements' | 'plan' | 'claimed'
>

/**
 * Reads the documents in an agent's directory, in a workspace or in a record. An empty document is
 * a missing one; what cannot be read as what it should be is `invalid`, one sentence each.
 */
export function readDocuments(dir: string, phase: Phase): PhaseDocuments {
  const texts = new Map<string, string>()
  const invalid: string[] = []
  for (const name of isOwnDir(dir, PARTS) ? allDocuments(phase) : []) {
    const read = readOwn(path.join(dir, name))
    if (read === undefined) continue
    if ('problem' in read) invalid.push(`${phase}/${name} ${read.problem}`)
    else if (read.text.trim() !== '') texts.set(name, read.text)
  }
  const missing = DOCUMENTS[phase].main.filter(
    (name) => !texts.has(name) && !invalid.some((one) => one.startsWith(`${phase}/${name} `)),
  )
  const content = contentOf(phase, texts)
  return {
    files: [...texts.keys()],
    missing,
    ...content,
    invalid: short([...invalid, ...(content.invalid ?? [])]),
  }
}

/** `.ratchet/<id>.progress/<phase>`, and `.cycle/<id>.progress/<phase>`: none of it a link. */
const PARTS = 3

function contentOf(phase: Phase, texts: ReadonlyMap<string, string>): Partial<PhaseDocuments> {
  switch (phase) {
    case 'ra': {
      const { total, edgeCases } = readRequirements(
        texts.get('requirements.md'),
        texts.get('edge-cases.md'),
      )
      return texts.size === 0 ? {} : { requirements: { total, edgeCases: edgeCases.length } }
    }
    case 'ep':
      return planIn(texts.get('plan.json'))
    case 'cd':
      return {}
    case 'vas':
      return claimedIn(texts.get('test-results.json'))
  }
}

function planIn(text: string | undefined): Partial<PhaseDocuments> {
  if (text === undefined) return {}
  const read = readPlanFile(text)
  if (!read.ok) return { invalid: read.problems.map((problem) => `ep/plan.json: ${problem}`) }
  return {
    plan: {
      tasks: read.plan.tasks.length,
      criticalPath: short(read.plan.criticalPath),
      named: tasksIn(text),
    },
  }
}

function claimedIn(text: string | undefined): Partial<PhaseDocuments> {
  if (text === undefined) return {}
  const read = readTestResults(text)
  if (!read.ok) return { invalid: [`vas/test-results.json: ${read.problem}`] }
  const { passRate, coverage, failedTests } = read.value
  const claimed: Claimed = {
    passRate,
    coverage,
    failedTests: short(failedTests),
    criticalIssues: null,
    ready: null,
  }
  return { claimed }
}

function short(items: readonly string[]): string[] {
  return items.slice(0, ITEMS_KEPT).map((item) => oneLine(item, ITEM_CHARS))
}
