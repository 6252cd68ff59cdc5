// Rebuilds the state file of a loop, and missing output files.
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import type { LoopRecord, LoopStatus } from '../../../contract/dev-loop/loop-record.js'
import { rebuildRecord, type Rebuilt, type RebuildOptions } from '../rebuild-record.js'
import type { RecordDefinition, Standing } from '../record-definition.js'
import { readOutputs, withFacts } from './outputs.js'
import type { LoopFiles } from './loop-paths.js'
import { writeFiles } from './write-loop-record.js'
import { rebuiltFromFiles } from './loop-recovered.js'
import { LOOP } from './loop-state-file.js'
import { recordOf } from './to-loop-record.js'

const DEFINITION: RecordDefinition<LoopRecord, LoopFiles, LoopState> = {
  ...LOOP,
  toRecord: fromState,
  recover: rebuiltFromFiles,
  write(files, record, now) {
    const { workers } = record.ratchet
    const outputs = withFacts(readOutputs(files, workers), { workers }, [], now)
    return writeFiles(files, record, outputs, { ours: true })
  },
}

/** Rebuilds the state file; see `rebuildRecord`. */
export const rebuildLoop = (
  project: string,
  name: string,
  options: RebuildOptions<LoopState, LoopStatus>,
): Promise<Rebuilt<LoopRecord>> => rebuildRecord(DEFINITION, project, name, options)

function fromState(
  state: LoopState,
  { name, found, status: said, result: given, at, time }: Standing<LoopRecord, LoopFiles>,
): LoopRecord {
  const status = said ?? given?.status ?? found.status ?? 'failed'
  const result = given ?? (status === found.status ? found.ratchet?.result : undefined)
  return recordOf({ run: found.ratchet?.run ?? name, state, status, result, at, time, old: found })
}
