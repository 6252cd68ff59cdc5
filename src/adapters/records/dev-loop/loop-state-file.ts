// The state file of a dev loop: where it is, and how it is read.
import path from 'node:path'
import { LoopRecord } from '../../../contract/dev-loop/loop-record.js'
import type { StateFile } from '../record-definition.js'
import { loopFiles, openLoopRecord, type LoopFiles } from './loop-paths.js'

export const LOOP: StateFile<LoopRecord, LoopFiles> = {
  kind: 'loop',
  paths: loopFiles,
  schema: LoopRecord,
  words: { texts: ['title', 'description', 'created_at', 'status', 'mode'], lists: [] },
  folders: ({ workers, progress }) => [workers, progress],
  open: openLoopRecord,
  digests: ({ progress }) => path.join(path.basename(progress), '.written.json'),
}
