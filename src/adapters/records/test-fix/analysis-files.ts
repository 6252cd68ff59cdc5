// The files that an analysis leaves in the record: the fix task, the report, the strategy, the
// failures it sets out from, the raw answer and the response. Whole or not at all, and the same
// facts give the same files; the response comes last, so its presence says that the others are
// there.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { RefusedAnalysis } from '../../../contract/test-fix/task.js'
import type { TestRun } from '../../../contract/test-run.js'
import { analysisReport, strategyFile } from '../../../core/records/analysis-report.js'
import { failuresFile, FailuresFile } from '../../../core/records/failures-file.js'
import {
  agentResponse,
  fixTask,
  fixTaskId,
  iterationFiles,
  OUTPUT_TAIL,
  type FixFacts,
} from '../../../core/test-fix/fix-task.js'
import { jsonOf } from '../../../core/text/json.js'
import { failpoint } from '../../failpoint.js'
import { keepRefused, refusedOf } from './refused-analyses.js'
import { jsonContent } from './sessions.js'
import { writeJson, writeWhole } from '../write-file.js'
import { keepCopy, textIn } from '../write-if-unchanged.js'

const Written = z.object({
  turn: z.string(),
  agent: z.string(),
  weak: z.string().optional(),
  confidence: z.number().optional(),
})

/**
 * Writes the files of an iteration.
 *
 * Of several weak analyses of one chain the first of the highest confidence is used, and the record
 * must hold what is used. The others are kept next to it and named in the answer.
 *
 * @param turn key of the turn, or another name for what gave the analysis
 * @param parts its causes, if a turn fixes several: a task of its own each
 */
export async function writeAnalysisFiles(
  recordDir: string,
  analysed: FixFacts & { lastRun?: TestRun },
  { turn, weak }: { turn: string; weak?: string | undefined },
  parts: readonly FixFacts[] = [],
): Promise<{ task: string; file: string; refused?: RefusedAnalysis[] }> {
  const at = (name: string): string => path.join(recordDir, name)
  const { lastRun } = analysed
  const facts = {
    ...analysed,
    outputTail: analysed.outputTail ?? (lastRun === undefined ? '' : outputTail(lastRun)),
  }
  const files = iterationFiles(facts.iteration)
  const answer = { task: fixTaskId(facts.iteration), file: path.basename(files.task) }
  const before = weakBefore(at(files.response), turn)
  if (
    before !== undefined &&
    weak !== undefined &&
    facts.analysis.confidence <= (before.confidence ?? 1)
  )
    return {
      ...answer,
      refused: await keepRefused(recordDir, facts.iteration, {
        turn,
        agent: facts.agent,
        reason: weak,
        answer: facts.answer,
      }),
    }
  if (before !== undefined)
    await keepRefused(recordDir, facts.iteration, {
      ...before,
      reason: before.weak,
      answer: readFileSync(at(files.cliOutput), 'utf8'),
    })
  // A run after the last record may have shown other failures, an agent another criticality.
  await writeJson(
    at(iterationFiles(facts.iteration - 1).failures),
    failuresFile(facts.iteration - 1, facts, readFailures(recordDir, facts.iteration - 1)),
  )
  // Without a response of ours they are of another tool, or of this step before a crash.
  const isOurs = written(at(files.response)) !== undefined
  for (const [name, text] of [
    [files.cliOutput, facts.answer],
    [files.strategy, strategyFile(facts)],
    [files.analysis, analysisReport(facts)],
  ] as const) {
    const there = textIn(at(name))
    if (!isOurs && there !== undefined && there !== text)
      await keepCopy(at(name), there, 'before-ratchet')
    await writeWhole(at(name), text)
  }
  failpoint('answer:files')
  for (const part of parts) await writeJson(at(files.part(part.part)), fixTask(part))
  await writeJson(at(files.task), fixTask(facts))
  await writeJson(at(files.response), {
    ...agentResponse(facts),
    agent: facts.agent,
    turn,
    confidence: facts.analysis.confidence,
    weak,
  })
  const refused = refusedOf(recordDir, facts.iteration, path.posix.dirname(turn))
  return refused.length === 0 ? answer : { ...answer, refused }
}

/** `iteration-N-failures.json` as it is; `undefined` where there is none that can be read. */
export function readFailures(recordDir: string, iteration: number): FailuresFile | undefined {
  const file = path.join(recordDir, iterationFiles(iteration).failures)
  return FailuresFile.safeParse(jsonContent(file)).data
}

/** Whether a text is one of these files as Ratchet writes them. */
export function isFailuresFile(text: string): boolean {
  return FailuresFile.safeParse(jsonOf(text)).success
}

/** The agent that gave the analysis of an iteration, `undefined` where it is not known any more. */
export function analysedBy(recordDir: string, iteration: number): string | undefined {
  return written(path.join(recordDir, iterationFiles(iteration).response))?.agent
}

// The weak analysis of another agent of the same chain, which is used until a better one comes.
function weakBefore(
  response: string,
  turn: string,
): (z.infer<typeof Written> & { weak: string }) | undefined {
  const before = written(response)
  if (
    before?.weak === undefined ||
    before.turn === turn ||
    path.posix.dirname(before.turn) !== path.posix.dirname(turn)
  )
    return undefined
  return { ...before, weak: before.weak }
}

function written(response: string): z.infer<typeof Written> | undefined {
  return Written.safeParse(jsonContent(response)).data
}

// More than what is shown: colours are taken out of it, and a character has up to four bytes.
function outputTail(run: TestRun): string {
  const file = run.output?.path
  return (
    (file === undefined ? undefined : endOf(file, 16 * OUTPUT_TAIL)) ??
    (run.kind === 'measured' ? '' : run.tail)
  )
}

function endOf(file: string, bytes: number): string | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const { size } = fstatSync(fd)
    const buffer = Buffer.alloc(Math.min(size, bytes))
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
