// `coordination/timeline.md`: one section an iteration, appended when it is over. A comment in each
// holds what the section was made of, so that a lost master file can be made again.
import { z } from 'zod'
import type { CycleState } from '../../../contract/dev-cycle/cycle-state.js'
import { IterationRecord, TestResults } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import { IterationSummary } from '../../../contract/result.js'
import { extensionOf } from '../../../core/dev-cycle/plan-tasks.js'
import { cycleVersion } from '../../../core/dev-cycle/documents/versions.js'
import { plainLine } from '../../../core/text/one-line.js'
import { comment, comments } from '../marked-comment.js'
import { recordLog, writeOwn } from '../safe-files.js'

const Head = z.object({
  id: z.string(),
  task: z.string(),
  created_at: z.string(),
  scheduling: z.enum(['parallel', 'staged']),
  interactive: z.boolean(),
  parallel: z.number().int(),
  max_iterations: z.number().int(),
  branch: z.string(),
  base: z.string(),
})
export type TimelineHead = z.infer<typeof Head>

const Section = z.object({
  iteration: IterationRecord,
  summary: IterationSummary.optional(),
  test_results: TestResults.optional(),
})
export type TimelineSection = z.infer<typeof Section>

export type Timeline = { head: TimelineHead | undefined; sections: TimelineSection[] }

/** Appends the sections that are missing. */
export async function appendTimeline(
  file: string,
  head: TimelineHead,
  sections: readonly TimelineSection[],
): Promise<void> {
  const before = recordLog(file)
  const text =
    before.trim() === ''
      ? `# Timeline of ${head.id}\n\n${plainLine(head.task)}\n\n${comment(head)}\n`
      : before
  const there = new Set([...text.matchAll(/^## Iteration (\d+)\b/gm)].map(([, n]) => Number(n)))
  const missing = sections.filter(({ iteration }) => !there.has(iteration.number))
  const now = `${text.endsWith('\n') ? text : `${text}\n`}${missing.map((section) => `\n${sectionText(section)}\n`).join('')}`
  if (now !== before) await writeOwn(file, now)
}

/** What the comments of a timeline say; one that is cut or edited says nothing. */
export function readTimeline(text: string): Timeline {
  const values = comments(text)
  const sections = new Map(
    values
      .flatMap((value) => Section.safeParse(value).data ?? [])
      .map((section) => [section.iteration.number, section]),
  )
  return {
    head: values.flatMap((value) => Head.safeParse(value).data ?? [])[0],
    sections: [...sections.values()].sort((a, b) => a.iteration.number - b.iteration.number),
  }
}

/** An iteration of the state as the record has it, with its extension whole. */
export function iterationRecord(
  one: CycleState['iterations'][number],
  tasks: CycleState['tasks'],
  time: (at: number) => string,
): IterationRecord {
  const extension = extensionOf(tasks, one.number) ?? one.extension
  return {
    number: one.number,
    extension,
    started_at: time(one.startedAt),
    ...(one.completedAt === undefined ? {} : { completed_at: time(one.completedAt) }),
    agent_results: Object.fromEntries(
      PHASES.flatMap((phase) =>
        one.agentResults[phase] === undefined ? [] : [[phase, one.agentResults[phase]]],
      ),
    ),
    issues_found: one.issuesFound,
    resolved: one.resolved,
  }
}

function sectionText({
  iteration,
  summary,
  test_results: tests,
}: TimelineSection & { summary?: IterationSummary | undefined }): string {
  const {
    number,
    extension,
    started_at: from,
    completed_at: to,
    agent_results: results,
    issues_found: issues,
  } = iteration
  return [
    `## Iteration ${number} (${cycleVersion(number)})`,
    '',
    ...(extension === undefined ? [] : [`- Extension: ${plainLine(extension)}`]),
    `- From ${from} to ${to ?? 'now'}`,
    ...Object.entries(results).map(
      ([phase, result]) =>
        `- ${phase.toUpperCase()}: ${result.status}, ${result.files_modified} file${result.files_modified === 1 ? '' : 's'}`,
    ),
    `- Tests: ${measured(summary, tests)}`,
    ...(summary?.commit === undefined || summary.commit === null
      ? ['- No commit']
      : [`- Commit ${summary.commit}`]),
    ...(issues.length === 0
      ? ['- No issues found']
      : ['- Issues found:', ...issues.map((issue) => `  - ${plainLine(issue)}`)]),
    '',
    comment({
      iteration,
      summary,
      test_results: tests,
    }),
  ].join('\n')
}

function measured(
  summary: IterationSummary | undefined,
  tests: z.infer<typeof TestResults> | undefined,
): string {
  const rate = summary?.passRate ?? tests?.pass_rate ?? null
  if (rate === null) return 'not measured'
  return summary?.passed === undefined || summary.total === undefined
    ? `${rate} %`
    : `${rate} % (${summary.passed} of ${summary.total})`
}
