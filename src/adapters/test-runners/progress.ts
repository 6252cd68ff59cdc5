// Watches how far a test run is, from the output that is read anyway, or from a report that grows
// while it runs.
//
// Best effort: what goes wrong here ends the watching, never the run. What the tests say is not
// kept, only counts are, so that no secret of theirs gets into a heartbeat.
import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { counted, type Counted, type SuiteSize } from '../../core/test-progress/counted.js'
import { lines } from '../../core/test-progress/lines.js'
import { readerFor, type Reader } from '../../core/test-progress/readers.js'
import { runnerNamed } from '../../core/runners/known-runners.js'
import type { TestPlan } from './command.js'

export type Progress = {
  onOutput: (chunk: Buffer, from: 'stdout' | 'stderr') => void
  /** How far it is now. */
  counted: (last: SuiteSize | undefined) => Counted | undefined
}

/** Read of a growing report at once. */
const STEP_BYTES = 1 << 20

/** Watches one execution; `reportFile` is where the runner was told to write. */
export function watchProgress(
  { runner, report }: Pick<TestPlan, 'runner' | 'report'>,
  reportFile: string,
): Progress {
  const { ours, from: place } = runnerNamed(runner)?.progress ?? {}
  const reader = report.by === 'path' && ours === true ? undefined : readerFor(runner)
  if (reader === undefined) return { onOutput: () => undefined, counted: () => undefined }
  let broken = false
  const safely = <T>(act: () => T): T | undefined => {
    if (broken) return undefined
    try {
      return act()
    } catch {
      broken = true // the run stays, how far it is is not known
      return undefined
    }
  }
  const source = place === 'report' ? ofFile(reader, reportFile) : ofOutput(reader)
  return {
    onOutput: (chunk, from) => void safely(() => source.take(chunk, from)),
    counted: (last) => safely(() => counted(runner, reader.told(source.unfinished()), last)),
  }
}

type Source = { take(chunk: Buffer, from: 'stdout' | 'stderr'): void; unfinished(): string }

// Distinguishes the lines of the two streams; a growing line belongs to standard output.
function ofOutput(reader: Reader): Source {
  const stream = () => ({
    decoder: new StringDecoder('utf8'),
    lines: lines((line) => reader.line(line)),
  })
  const streams = { stdout: stream(), stderr: stream() }
  return {
    take: (chunk, from) => streams[from].lines.write(streams[from].decoder.write(chunk)),
    unfinished: () => streams.stdout.lines.unfinished(),
  }
}

// Read on request: the output since the last time.
function ofFile(reader: Reader, file: string): Source {
  const decoder = new StringDecoder('utf8')
  const read = lines((line) => reader.line(line))
  const buffer = Buffer.alloc(STEP_BYTES)
  let at = 0
  return {
    take: () => undefined,
    unfinished() {
      const fd = opened(file)
      if (fd === undefined) return ''
      try {
        const bytes = readSync(fd, buffer, 0, STEP_BYTES, at)
        at += bytes
        read.write(decoder.write(buffer.subarray(0, bytes)))
      } finally {
        closeSync(fd)
      }
      return read.unfinished()
    },
  }
}

function opened(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
