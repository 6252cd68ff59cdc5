// `{name}.progress/{action}.md`: one section for each iteration in which the action had its turn,
// and below it what the worker wrote into its own copy. Append-only: only the section of the same
// iteration is brought up to date. A comment in each section holds what it was made of.
import { z } from 'zod'
import { LoopMode, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { WorkerReading } from '../../../contract/dev-loop/action-reading.js'
import { code, plainLine } from '../../../core/text/one-line.js'
import { bounded } from '../../../core/prompts/prompt-parts.js'
import { plainText } from '../../../core/text/test-text.js'
import { digest } from '../../state-dir.js'
import { comment, comments } from '../marked-comment.js'

/** Most that is taken of a worker's own progress file in one iteration, in characters. */
const OWN_CHARS = 20_000

/** How much of the worker's own file the record has: its beginning, told by its digest. */
const Taken = z.object({ chars: z.number().int(), digest: z.string() })
type Taken = z.infer<typeof Taken>

const Kept = WorkerReading.pick({
  action: true,
  status: true,
  reported: true,
  blocked: true,
  summary: true,
  filesClaimed: true,
  next: true,
  loopBack: true,
  tasks: true,
  tasksCompleted: true,
  tasksRemaining: true,
  findings: true,
  rootCause: true,
  claimed: true,
  recommendations: true,
})
const Section = z.object({
  iteration: z.number().int(),
  at: z.string(),
  agent: z.string().nullable(),
  worker: Kept,
  taken: Taken.optional(),
})
/** What a section was made of; `at` is ISO 8601. */
export type ProgressSection = z.infer<typeof Section>

const Head = z.object({
  loop: z.string(),
  run: z.string(),
  texts: z.array(z.string()),
  mode: LoopMode,
  created_at: z.string(),
  max_iterations: z.number().int(),
  branch: z.string(),
  base: z.string(),
})
/**
 * How the loop was started, which is otherwise only in the state file. Written into the progress
 * file of init.
 */
export type ProgressHead = z.infer<typeof Head>

/** What the comments of a progress file say. */
export function readProgress(text: string): {
  head: ProgressHead | undefined
  sections: ProgressSection[]
} {
  const values = comments(text)
  const sections = new Map(
    values
      .flatMap((value) => Section.safeParse(value).data ?? [])
      .map((section) => [section.iteration, section]),
  )
  return {
    head: values.flatMap((value) => Head.safeParse(value).data ?? []).at(-1),
    sections: [...sections.values()].sort((a, b) => a.iteration - b.iteration),
  }
}

/** A progress file that says how the loop was started. */
export function withHead(text: string, head: ProgressHead): string {
  const line = comment(head)
  const { head: there } = readProgress(text)
  if (there === undefined) {
    const [first = '', ...rest] =
      text.trim() === '' ? [title('init', head.loop).trimEnd(), ''] : text.split('\n')
    // Above all sections: one that is brought up to date takes nothing with it.
    return [first, '', line, ...(rest[0] === '' ? rest : ['', ...rest])].join('\n')
  }
  const old = text.split('\n').findLast((one) => Head.safeParse(comments(one)[0]).success) ?? ''
  return text.replace(old, () => line)
}

/**
 * A progress file with the section of one iteration: appended, or brought up to date.
 *
 * @param own the content of the worker's own file; what the record has of it is left out
 * @param copies texts that the worker's own file was replaced with
 */
export function withSection(
  text: string,
  loop: string,
  {
    iteration,
    at,
    agent,
    reading,
    own,
    copies = [],
  }: {
    iteration: number
    at: string
    agent: string | null
    reading: WorkerReading
    own: string
    copies?: readonly string[]
  },
): string {
  const { action } = reading
  const whole = ended(text.trim() === '' ? title(action, loop) : text)
  const [from, to] = placeOf(whole, iteration)
  const before = whole.slice(from, to)
  const { sections } = readProgress(before)
  const seen = plainNotes(own)
  const marks = [
    ...[...readProgress(whole).sections, ...sections].flatMap(({ taken }) => taken ?? []),
    ...copies.map((copy) => markOf(plainNotes(copy))),
  ]
  const news = newText(seen, text, marks)
  const earlier = unquoted(before)
  const quote =
    earlier.length > OWN_CHARS
      ? earlier
      : bounded(
          [earlier, news].filter((part) => part !== '').join('\n\n'),
          OWN_CHARS,
          'of the progress file',
        )
  const [old] = sections
  const taken = seen === '' ? old?.taken : markOf(seen)
  const section: ProgressSection = {
    iteration,
    at,
    agent,
    worker: Kept.parse(reading),
    taken,
  }
  const isSame =
    old !== undefined &&
    news === '' &&
    JSON.stringify(Section.parse({ ...section, at: old.at })) === JSON.stringify(old)
  if (isSame) return text
  return `${whole.slice(0, from)}${from === to ? '\n' : ''}${sectionText(section, reading, quote)}${to === whole.length ? '' : '\n'}${whole.slice(to)}`
}

function plainNotes(text: string): string {
  return plainText(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
}

function markOf(text: string): Taken {
  return { chars: text.length, digest: digest(text) }
}

/**
 * Beginning and end of the section of an iteration; both are the end of the text where it has none.
 */
function placeOf(text: string, iteration: number): [number, number] {
  const headings = [...text.matchAll(/^## Iteration (\d+)\b.*$/gm)]
  const n = headings.findIndex(([, number]) => Number(number) === iteration)
  const next = headings[n + 1]
  return n < 0
    ? [text.length, text.length]
    : [headings[n]?.index ?? text.length, next === undefined ? text.length : next.index]
}

function sectionText(
  section: ProgressSection,
  { questions }: WorkerReading,
  quote: string,
): string {
  const { iteration, at, agent, worker } = section
  const said =
    worker.reported === '' || worker.reported === worker.status
      ? ''
      : `, in its words ${code(worker.reported)}`
  const list = (name: string, items: readonly string[] | undefined): string[] =>
    items === undefined || items.length === 0
      ? []
      : [`- ${name}:`, ...items.map((item) => `  - ${plainLine(item)}`)]
  return [
    `## Iteration ${iteration}`,
    '',
    `- ${at}${agent === null ? '' : `, ${plainLine(agent)}`}: ${worker.status}${said}`,
    ...(worker.summary === '' ? [] : [`- ${plainLine(worker.summary, SUMMARY_CHARS)}`]),
    ...list(
      'Tasks',
      worker.tasks?.map(({ id, description, priority }) => `${id} (${priority}): ${description}`),
    ),
    ...(worker.tasksCompleted === undefined || worker.tasksCompleted.length === 0
      ? []
      : [`- Tasks completed: ${plainLine(worker.tasksCompleted.join(', '))}`]),
    ...list('Findings', worker.findings),
    ...(worker.rootCause === undefined ? [] : [`- Root cause: ${plainLine(worker.rootCause)}`]),
    ...list('Recommendations', worker.recommendations),
    ...list('It asks', worker.status === 'needs_input' ? questions.map(({ text }) => text) : []),
    ...list('Files, as the worker says', worker.filesClaimed),
    ...(worker.next === null ? [] : [`- Suggests: ${plainLine(worker.next)}`]),
    ...(worker.loopBack === undefined ? [] : [`- Goes back to ${worker.loopBack.to}`]),
    '',
    comment(section),
    '',
    ...(quote === ''
      ? []
      : [...quote.split('\n').map((line) => (line === '' ? '>' : `> ${line}`)), '']),
  ].join('\n')
}

const SUMMARY_CHARS = 1_000

// A quote: nothing in it can begin a section, or be taken for one of Ratchet's comments.
function unquoted(section: string): string {
  return section
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
}

// The worker's file began as a copy of the record's; since then it may have been taken several
// times.
function newText(now: string, record: string, marks: readonly Taken[]): string {
  const known = marks
    .filter((mark) => mark.chars <= now.length && digest(now.slice(0, mark.chars)) === mark.digest)
    .map(({ chars }) => chars)
  return now
    .slice(Math.max(0, commonLines(now, record), ...known))
    .replace(/^\s*\n/, '')
    .trimEnd()
}

/** Length of the lines that both texts begin with. */
function commonLines(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  while (same < most && a[same] === b[same]) same += 1
  if (same === b.length && (same === a.length || a[same] === '\n' || b.endsWith('\n'))) return same
  return a.lastIndexOf('\n', same - 1) + 1
}

function title(action: LoopAction, loop: string): string {
  return `# Progress of ${action}, ${loop}\n`
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
