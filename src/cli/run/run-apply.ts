// ratchet apply: applies what a run committed to the working tree. Reads the record, so no server
// is needed; a run whose record is lost is asked itself.
import { z } from 'zod'
import { registeredProjects } from '../../adapters/config/registry.js'
import { projectKey, userDirs } from '../../adapters/state-dir.js'
import { applyBranch } from '../../adapters/git/user-repository/apply.js'
import type { RunResult, RunStatus } from '../../contract/result.js'
import { bestLine, unconfirmedLine, whyNothing } from '../../core/test-results/best-line.js'
import { percentText } from '../../core/test-results/pass-rate.js'
import type { Context, Output, ProjectChoice } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { checkedId, findRun } from '../find/find-run.js'
import { keptOf } from '../find/run-record.js'
import { projectDir } from '../start/project-dir.js'
import { readSession } from '../find/session-record.js'

type Target = {
  id: string
  project: string
  base: string
  branch: string
  result?: RunResult | undefined
  /** Of a run that has not ended: that it is open, and what its record says of its tests. */
  open?: string | undefined
}

const FILES_SHOWN = 50

export async function run(
  context: Context,
  [typed]: string[],
  options: { yes?: boolean } = {},
): Promise<number> {
  const { out } = context
  const target = await findTarget(context, checkedId(typed))
  const { result } = target
  const brings = result === undefined ? undefined : bestLine(result)
  const doubt = result === undefined ? undefined : unconfirmedLine(result)
  const reasonAgainst = result === undefined ? undefined : whyNothing(result)
  if (reasonAgainst !== undefined) {
    out.answer(
      { id: target.id, branch: target.branch, applied: [], conflicts: [], reason: reasonAgainst },
      [`nothing was applied: ${reasonAgainst}`],
    )
    return EXIT.done
  }
  const { open } = target
  const isBroken = (result?.broken ?? []).length > 0
  const against = open ?? (isBroken ? brings : undefined)
  if (against !== undefined && options.yes !== true && !(await agreed(out, against)))
    throw badInput(
      open ?? `the run broke tests that passed before: ${brings}`,
      target.branch,
      `${open === undefined ? '' : `wait for its end: ratchet watch ${target.id}; or `}apply it anyway: ratchet apply ${target.id} --yes`,
    )
  const { applied, conflicts, reason } = await applyBranch(target)
  const gone = reason !== undefined && conflicts.length === 0 && reason.includes('is not in')
  if (gone)
    throw badInput(
      reason,
      target.project,
      `the branch was removed; see what the run changed with: ratchet report ${target.id}`,
    )
  const shown = (files: string[]): string[] => [
    ...files.slice(0, FILES_SHOWN).map((file) => `  ${file}`),
    ...(files.length > FILES_SHOWN ? [`  and ${files.length - FILES_SHOWN} more`] : []),
  ]
  out.answer(
    {
      id: target.id,
      branch: target.branch,
      applied,
      conflicts,
      brings,
      unconfirmed: doubt,
      open,
      reason,
    },
    [
      ...(applied.length === 0
        ? []
        : [
            ...[open, brings, doubt].filter((line) => line !== undefined),
            `applied ${applied.length} file${applied.length === 1 ? '' : 's'} of ${target.branch}, not committed`,
            ...shown(applied),
          ]),
      ...(reason === undefined ? [] : [`nothing was applied: ${reason}`]),
      ...(conflicts.length === 0
        ? []
        : [
            ...shown(conflicts),
            `commit or stash your changes to them, or merge the branch yourself: git merge ${target.branch}`,
          ]),
    ],
  )
  return conflicts.length > 0 ? EXIT.otherwise : EXIT.done
}

/** Asks whether to apply changes despite `against`; without a terminal the answer is no. */
async function agreed({ ask, interrupted }: Output, against: string): Promise<boolean> {
  const given = await ask?.(
    {
      id: 'apply',
      kind: 'decision',
      text: `${against}. Apply it anyway?`,
      options: ['apply', 'leave'],
      recommended: 'leave',
      askedAt: Date.now(),
    },
    interrupted,
  )
  return typeof given === 'object' && given.choice === 'apply'
}

async function findTarget(context: Context, wanted: string): Promise<Target> {
  const recorded = fromRecord(context.project, wanted)
  if (recorded !== undefined) return recorded
  const found = await findRun(context, wanted)
  if (found.kind === 'prep')
    throw badInput(
      `${found.id} is a preparation, which changes no file`,
      'ratchet apply',
      `see its package, and the command that uses it, with: ratchet watch ${found.id}`,
    )
  const asked = Asked.safeParse(await found.handle.state())
  if (!asked.success)
    throw badInput(
      'the run has no branch yet',
      found.id,
      `see its state with: ratchet status ${found.id}`,
    )
  const { project, base, branch } = asked.data.state.prepared.workspace
  const target = { id: found.id, project, base, branch }
  if (found.overview.open) return { ...target, open: openLine(found.id) }
  const ended = await found.handle.result()
  return { ...target, result: 'result' in ended ? ended.result : undefined }
}

function openLine(id: string, passRate?: number | null): string {
  const rate = passRate ?? null
  return `${id} is still open and its state is not final${rate === null ? '' : `; in its last test run ${percentText(rate)} passed`}`
}

/** The part of the `state` query that names the branch. */
const Asked = z.object({
  state: z.object({
    prepared: z.object({
      workspace: z.object({ project: z.string(), base: z.string(), branch: z.string() }),
    }),
  }),
})

// Searches this project, then the one whose key is in the id.
function fromRecord(choice: ProjectChoice, wanted: string): Target | undefined {
  const prefix = /\.([0-9a-f]{6})$/.exec(wanted)?.[1]
  const here = projectDir(choice)
  const projects =
    prefix === undefined || projectKey(here).startsWith(prefix)
      ? [here]
      : registeredProjects(userDirs(choice.env))
          .filter((p) => p.key.startsWith(prefix))
          .map((p) => p.path)
  for (const project of projects) {
    const session = readSession(project, wanted)
    // Uses the folder of the record, not the path in it: a project may have been moved or copied.
    if (session !== undefined)
      return {
        id: session.workflow_id,
        project,
        base: session.base,
        branch: session.branch,
        result: session.result,
        ...(isOpen(session) ? { open: openLine(session.workflow_id) } : {}),
      }
  }
  return fromKept(choice, wanted)
}

// An open cycle or loop may not have recorded its base yet; its run knows it.
function fromKept(project: ProjectChoice, wanted: string): Target | undefined {
  const kept = keptOf(project, wanted)
  if (kept?.base === undefined || kept.branch === undefined) return undefined
  const { id, project: at, base, branch, result, standing } = kept
  return {
    id,
    project: at,
    base,
    branch,
    result,
    ...(standing !== undefined && isOpen({ ...standing, result })
      ? { open: openLine(id, standing.passRate) }
      : {}),
  }
}

// A rebuilt record has an end, but no result.
function isOpen({
  status,
  result,
}: {
  status: RunStatus
  result?: RunResult | undefined
}): boolean {
  return result === undefined && ['created', 'running', 'paused'].includes(status)
}
