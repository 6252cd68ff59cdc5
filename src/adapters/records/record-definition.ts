// The definition of a record with a state file, which a dev cycle and a dev loop fill in: where its
// files are, the schema of the state file, how its content follows from the state of a run, and how
// it is recovered from the other files. Reading, patching and rebuilding are written once.
import type { z } from 'zod'
import type { RunResult } from '../../contract/result.js'
import type { Salvaged } from './salvaged.js'

/** Paths that every record has. */
export type RecordFiles = {
  /** Directory of all records. */
  dir: string
  /** The state file. */
  master: string
  progress: string
  /** Log of a person's edits. */
  edits: string
}

/** Fields that every state file has. */
export type RecordFields = {
  status: string
  completed_at?: string | undefined
  failure_reason?: string | undefined
  ratchet: { warnings: string[]; branch?: string | undefined; base?: string | undefined }
}

/** What reading and patching a record need. */
export type StateFile<R extends RecordFields, F extends RecordFiles> = {
  kind: 'cycle' | 'loop'
  /** @throws RefusalError `BadInput` for a name that no record can have */
  paths: (project: string, name: string) => F
  schema: z.ZodObject & z.ZodType<R>
  /** Texts, and lists of texts, to find if not even the beginning of the file is JSON. */
  words: { texts: readonly (keyof R & string)[]; lists: readonly (keyof R & string)[] }
  /** Folders that show that there is a record if its state file is gone. */
  folders: (files: F) => readonly string[]
  /** Creates the missing directories of a record, and returns its progress directory. */
  open: (project: string, name: string) => string
  /** The file of digests of what was written last, relative to the directory of all records. */
  digests: (files: F) => string
}

/** How a run stands whose state file is rebuilt from its state. */
export type Standing<R extends RecordFields, F extends RecordFiles> = {
  name: string
  files: F
  /** What can be read of the old state file. */
  found: Partial<R>
  status: R['status'] | undefined
  result: RunResult | undefined
  at: number
  /** ISO 8601 of an epoch time in milliseconds. */
  time: (at: number) => string
}

/** What rebuilding a record needs in addition. `S`: state of the workflow. */
export type RecordDefinition<R extends RecordFields, F extends RecordFiles, S> = StateFile<R, F> & {
  toRecord: (state: S, standing: Standing<R, F>) => R
  /** Takes the record from the other files; `notes` name what is lost. */
  recover: (
    files: F,
    read: Salvaged<R>,
    at: { name: string; now: string },
  ) => { record: R; notes: string[] }
  write: (files: F, record: R, now: string) => Promise<unknown>
}
