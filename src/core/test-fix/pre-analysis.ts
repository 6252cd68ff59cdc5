// `flow_control.pre_analysis` of a task: what is read for the agent before it begins. Only
// `Read(path)` is carried out; other steps are listed as not run, because a task file must not be a
// way to run commands.
import { fieldOf } from '../text/field-of.js'
import { LINE_SHOWN, oneLine } from '../text/one-line.js'
import { repositoryMark } from '../prompts/from-repository.js'
import { fenced, joined, section } from '../prompts/prompt-parts.js'

export type OnError = 'skip_optional' | 'fail' | 'retry_once'

export type PreStep = {
  step: string
  /** Paths of its `Read(…)` commands. */
  reads: string[]
  /** Its other commands. */
  notRun: string[]
  outputTo: string
  onError: OnError
}

/** A step after its files were read. */
export type ResolvedStep = Omit<PreStep, 'reads'> & {
  files: (
    | { path: string; text: string; cut: boolean; brought?: string | undefined }
    | { path: string; problem: string }
  )[]
}

/** Characters of all files together that go into a prompt. */
export const PRE_ANALYSIS_SHOWN = 60_000
/** Most steps of a task, and most commands of a step. */
const STEPS = 30
const READ = /^\s*Read\(\s*(["'`]?)(.+?)\1\s*\)\s*$/s

/**
 * The steps of a task JSON; what has not the form of one is left out. An unknown `on_error` is
 * optional.
 */
export function preAnalysisSteps(task: unknown): PreStep[] {
  const steps = fieldOf(fieldOf(task, 'flow_control'), 'pre_analysis')
  return (Array.isArray(steps) ? (steps as unknown[]) : [])
    .slice(0, STEPS)
    .flatMap((raw, n): PreStep[] => {
      const commands = [fieldOf(raw, 'command'), fieldOf(raw, 'commands')]
        .flat()
        .filter((command) => typeof command === 'string')
        .slice(0, STEPS)
      if (commands.length === 0) return []
      const step = text(fieldOf(raw, 'step')) ?? `step ${n + 1}`
      const onError = fieldOf(raw, 'on_error')
      return [
        {
          step,
          reads: commands.flatMap((command) => READ.exec(command)?.[2]?.trim() ?? []),
          notRun: commands.filter((command) => !READ.test(command)),
          outputTo: text(fieldOf(raw, 'output_to')) ?? step,
          onError: onError === 'fail' || onError === 'retry_once' ? onError : 'skip_optional',
        },
      ]
    })
}

/** Returns the steps as a section of a prompt; empty if a task has none. */
export function preAnalysisSection(steps: readonly ResolvedStep[]): string {
  return joined(
    steps.map((step) =>
      section(`### ${oneLine(step.outputTo, 100)}`, [
        ...step.files.flatMap((file) =>
          'problem' in file
            ? [
                `${shownPath(file.path)} could not be read (${oneLine(file.problem, LINE_SHOWN)}); it is optional.`,
                '',
              ]
            : [
                ...repositoryMark([file.brought]),
                `From ${shownPath(file.path)}${file.cut ? ', cut' : ''}:`,
                '',
                fenced(file.text),
                '',
              ],
        ),
        ...step.notRun.map(
          (command) => `Not run, as only Read(…) is: ${oneLine(command, LINE_SHOWN)}`,
        ),
      ]),
    ),
  )
}

// Any text in Read(…), even several lines of it.
function shownPath(path: string): string {
  return oneLine(path, LINE_SHOWN)
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
