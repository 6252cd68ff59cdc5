// The state file of a dev cycle: where it is, and how it is read.
import path from 'node:path'
import type { StateFile } from '../record-definition.js'
import { cycleFiles, openCycleRecord, type CycleFiles } from './cycle-paths.js'
import { StoredCycle } from './cycle-schema.js'

export const CYCLE: StateFile<StoredCycle, CycleFiles> = {
  kind: 'cycle',
  paths: cycleFiles,
  schema: StoredCycle,
  words: { texts: ['title', 'description', 'created_at', 'status'], lists: ['task_history'] },
  folders: ({ progress }) => [progress],
  open: openCycleRecord,
  digests: ({ progress }) => path.join(path.basename(progress), 'coordination/.written.json'),
}
