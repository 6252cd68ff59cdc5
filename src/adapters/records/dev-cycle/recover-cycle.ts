// Rebuilds the state file of a cycle.
import type { CycleState } from '../../../contract/dev-cycle/cycle-state.js'
import type { CycleStatus } from '../../../contract/dev-cycle/cycle-record.js'
import { rebuildRecord, type Rebuilt, type RebuildOptions } from '../rebuild-record.js'
import type { RecordDefinition, Standing } from '../record-definition.js'
import { recordLog } from '../safe-files.js'
import type { CycleFiles } from './cycle-paths.js'
import { writeMaster } from './write-cycle-record.js'
import { rebuiltFromFiles } from './cycle-recovered.js'
import type { StoredCycle } from './cycle-schema.js'
import { CYCLE } from './cycle-state-file.js'
import { recordOf } from './to-cycle-record.js'
import { readTimeline } from './timeline.js'

const DEFINITION: RecordDefinition<StoredCycle, CycleFiles, CycleState> = {
  ...CYCLE,
  toRecord: fromState,
  recover: (files, { found }, at) => rebuiltFromFiles(files, found, at),
  write: (files, record) => writeMaster(files, record, { id: record.cycle_id, ours: true }),
}

/** Rebuilds the state file; see `rebuildRecord`. */
export const rebuildCycle = (
  project: string,
  name: string,
  options: RebuildOptions<CycleState, CycleStatus>,
): Promise<Rebuilt<StoredCycle>> => rebuildRecord(DEFINITION, project, name, options)

function fromState(
  state: CycleState,
  { name, files, found, status: said, result: given, at, time }: Standing<StoredCycle, CycleFiles>,
): StoredCycle {
  const isComplete = state.currentPhase === 'complete'
  const result = given ?? (isComplete ? found.ratchet?.result : undefined)
  const isOver = result !== undefined || isComplete
  const isGreen =
    state.openIssues.length === 0 &&
    state.lastRun?.kind === 'measured' &&
    state.lastRun.failed === 0
  const status =
    said ??
    (result === undefined ? undefined : result.status === 'failed' ? 'failed' : 'completed') ??
    (!isOver ? 'running' : isGreen ? 'completed' : 'failed')
  return recordOf({
    run: name,
    state,
    status,
    result,
    at,
    time,
    progress: files.progress,
    old: { ...timelineOf(files), ...found },
  })
}

/** A state carries the newest iterations only; the timeline has all of them. */
function timelineOf(files: CycleFiles): Pick<Partial<StoredCycle>, 'iterations'> {
  const { sections } = readTimeline(recordLog(files.timeline))
  return sections.length === 0 ? {} : { iterations: sections.map(({ iteration }) => iteration) }
}
