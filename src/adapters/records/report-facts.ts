// What the record of a run says for a report: of a session, a dev cycle, a dev loop. Lenient: a
// record that is damaged, older, or another tool's is shown as far as it goes.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { z } from 'zod'
import type { FileLink } from '../../core/report/model.js'
import type { CycleFacts, LoopFacts, SessionFacts } from '../../core/report/source.js'
import { IterationSummary, RunResult } from '../../contract/result.js'
import { comparedByIteration } from '../../core/records/iteration-record.js'
import { fixNumber } from '../../core/test-fix/task-file.js'
import { fixDetails, FixHistoryItem, type FixDetails } from '../../core/records/record-view.js'
import { rebuildState } from '../../core/records/recover-state.js'
import { TEST_FIX_ID } from '../../core/records/session-files.js'
import { StoredNotes } from './dev-cycle/cycle-schema.js'
import { cycleFiles } from './dev-cycle/cycle-paths.js'
import { readCycle } from './dev-cycle/load-cycle-record.js'
import { readIterationState } from './test-fix/iteration-state.js'
import { readOutputs } from './dev-loop/outputs.js'
import { loopFiles } from './dev-loop/loop-paths.js'
import { readLoop } from './dev-loop/load-loop-record.js'
import { LARGEST_TASK, taskFiles } from './test-fix/task-files.js'
import { jsonContent, readSessionFile } from './test-fix/sessions.js'

/** Files that a report lists, and the deepest of them. */
const FILES_LISTED = 150
const Items = z.array(z.unknown()).catch([])

/** What the files of a session say. */
export function sessionFacts(dir: string, at: number): SessionFacts {
  const file = readSessionFile(dir)
  const fields = file !== undefined && 'fields' in file ? file.fields : {}
  const read = readIterationState(dir)
  const state = read !== undefined && 'content' in read ? read.content.state : undefined
  const raw = read === undefined ? undefined : 'content' in read ? read.content : read.raw
  const fixes = Items.parse(
    recordOf(jsonContent(path.join(dir, '.process/fix-history.json')))['entries'],
  )
  const result = RunResult.safeParse(fields['result']).data
  const rebuilt =
    state === undefined
      ? rebuildState({
          iterationState: raw,
          session: fields,
          fixHistory: fixes,
          fixes: [],
          testTask: TEST_FIX_ID,
          at,
        })
      : undefined
  const testCommand =
    state?.prepared.testCommand ??
    (typeof fields['test_command'] === 'string' ? fields['test_command'] : undefined)
  return {
    kind: 'test-fix',
    title: typeof fields['description'] === 'string' ? fields['description'] : '',
    createdAt: time(fields['created_at']),
    updatedAt: time(fields['completed_at'] ?? fields['updated_at']),
    maxIterations: state?.maxIterations,
    testCommand,
    history: state?.history ?? result?.history ?? rebuilt?.history ?? [],
    usage: state?.usage,
    commits: state?.commits ?? result?.commits ?? rebuilt?.commits ?? [],
    warnings: state?.warnings ?? [],
    pending: state?.pending,
    fixes: fixes.flatMap((one) => FixHistoryItem.safeParse(one).data ?? []),
    details: detailsIn(dir),
    compared: comparedByIteration(Items.parse(recordOf(raw)['iterations'])),
  }
}

/** What the record of a cycle says; `undefined` where its state file cannot be read. */
export function cycleFacts(project: string, name: string): CycleFacts | undefined {
  const read = readCycle(project, name)
  if (read.state !== 'ok') return undefined
  const { progress } = cycleFiles(project, name)
  const documents = filesIn(progress).filter(({ label }) => /^(ra|ep)\//.test(label))
  return {
    kind: 'dev-cycle',
    record: read.record,
    history: StoredNotes.safeParse(read.record.ratchet).data?.history ?? [],
    documents,
  }
}

/** The same of a loop. */
export function loopFacts(project: string, name: string): LoopFacts | undefined {
  const read = readLoop(project, name)
  if (read.state !== 'ok') return undefined
  const files = loopFiles(project, name)
  const outputs = Object.values(readOutputs(files, read.record.ratchet.workers))
  const links = new Map(
    outputs.map(({ action }) => [
      action as string,
      [
        { label: 'output', path: files.output(action) },
        { label: 'progress', path: files.note(action) },
      ].filter((link) => existsSync(link.path)),
    ]),
  )
  return {
    kind: 'dev-loop',
    record: read.record,
    history: z.array(IterationSummary).catch([]).parse(read.record.ratchet.history),
    outputs,
    links,
  }
}

/** Files of a record for the reader to open, without what only Ratchet reads. */
export function filesIn(...dirs: string[]): FileLink[] {
  return dirs
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => {
      if (!statSync(dir).isDirectory()) return [{ label: path.basename(dir), path: dir }]
      const names = globSync('**/*', {
        cwd: dir,
        dot: true,
        onlyFiles: true,
        followSymbolicLinks: false,
        deep: 5,
        ignore: [
          '**/.written.json',
          '**/.taken.json',
          '.process/results/**',
          '**/*.part',
          'report.html',
          'ci/**',
        ],
      })
      return names
        .sort()
        .slice(0, FILES_LISTED)
        .map((name) => ({ label: name, path: path.join(dir, name) }))
    })
}

/** Those of a session that tell of one iteration, by its number. */
export function iterationLinks(files: readonly FileLink[]): Map<number, FileLink[]> {
  const found = new Map<number, FileLink[]>()
  for (const file of files) {
    const n = Number(
      /(?:^|\/)iteration-(\d+)[-.]/.exec(file.label)?.[1] ??
        fixNumber(path.basename(file.label, '.json')) ??
        Number.NaN,
    )
    if (!Number.isNaN(n))
      found.set(n, [...(found.get(n) ?? []), { ...file, label: path.basename(file.label) }])
  }
  return found
}

function detailsIn(dir: string): Map<string, FixDetails> {
  return new Map(
    taskFiles(dir).flatMap((name) => {
      const file = path.join(dir, '.task', name)
      const stat = statSync(file, { throwIfNoEntry: false })
      const details =
        stat?.isFile() === true && stat.size <= LARGEST_TASK
          ? fixDetails(jsonContent(file))
          : undefined
      return details === undefined ? [] : [[path.basename(name, '.json'), details] as const]
    }),
  )
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function time(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
