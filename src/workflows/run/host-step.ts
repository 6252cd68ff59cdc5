// A step of seconds on the run's host: git work or a write to the record.
import { files } from './activity-options.js'
import type { ChangedTests, CommitResult, LeftByCommits } from '../../contract/workspace.js'
import type { Control } from './control.js'

/** Follows the branch to its new head, with the new commits if there are some. */
export function moveHead(
  state: { head: string; commits: string[] },
  { head, commit, parts }: Pick<CommitResult, 'head' | 'commit' | 'parts'>,
): void {
  state.head = head
  if (commit !== null) state.commits.push(...(parts?.map((part) => part.commit) ?? [commit]))
}

/** The same for a cycle or a loop, whose commits may take back what others have done. */
export function moveBranch(
  state: {
    head: string
    commits: string[]
    takenBack?: true | undefined
    changedInRun?: ChangedTests | undefined
  },
  {
    head,
    commits,
    takenBack,
    changedInRun,
  }: LeftByCommits & { head: string; commits: readonly string[] },
): void {
  state.head = head
  state.commits.push(...commits)
  if (commits.length === 0) return
  if (takenBack === true) state.takenBack = true
  else delete state.takenBack
  if (changedInRun !== undefined) state.changedInRun = changedInRun
  else delete state.changedInRun
}

type RunOnHost = { control: Control; ready: { facts: { queue: string } } }

/**
 * Runs a step on the run's host. A pause lets it end, a stop cancels its wait for the next attempt.
 *
 * @param summary what the step does, as the Web UI shows it
 * @param step calls one activity
 * @param fewAttempts whether the run can do without the step, also where it has not been stopped
 */
export function hostStep<T>(
  run: RunOnHost,
  summary: string,
  step: (host: ReturnType<typeof files>) => Promise<T>,
  fewAttempts = false,
): Promise<T> {
  const { queue } = run.ready.facts
  return run.control.short((isEnding) => step(files(queue, summary, isEnding || fewAttempts)))
}
