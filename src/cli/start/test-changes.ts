// The proposed test changes of a test-fix run that has ended: refuses them in its record, or
// applies them by starting the run again.
import { resolve, findRepo } from '../../adapters/git/repo.js'
import { patchesProblem } from '../../adapters/git/user-repository/apply-patch.js'
import {
  openChangesIn,
  patchText,
  refuseChanges,
} from '../../adapters/records/test-fix/test-changes.js'
import type { ProposedTestChange } from '../../contract/test-fix/test-change.js'
import { PATCH_GONE, testChangeQuestion } from '../../core/test-fix/test-changes.js'
import { shortList } from '../../core/text/short-text.js'
import type { Context, ProjectChoice } from '../context.js'
import { badInput, interrupted } from '../output/errors.js'
import type { FoundRun } from '../find/find-run.js'
import { startSession } from './resume-run.js'
import { questionLines } from '../output/run-lines.js'
import { readRecord } from '../find/session-record.js'
import { obstacle, sessionOf, type ProjectSession } from '../find/sessions.js'

export type ProposedIn = { session: ProjectSession; open: ProposedTestChange[] }

/**
 * Returns the open proposals of a closed run whose session can continue; `undefined` if there are
 * none.
 */
export function proposedIn(
  choice: ProjectChoice,
  { id, kind, overview, project }: FoundRun,
): ProposedIn | undefined {
  if (overview.open || kind !== 'test-fix') return undefined
  const session = sessionOf(choice, id, project)
  if (session === undefined || obstacle(session) !== undefined) return undefined
  const open = openChangesIn(session.dir)
  return open.length === 0 ? undefined : { session, open }
}

/**
 * Answers the question about them; without an answer it asks in a terminal, and shows the question
 * elsewhere.
 */
export async function answerProposed(
  context: Context,
  id: string,
  proposed: ProposedIn,
  words: readonly string[],
): Promise<number> {
  const { out } = context
  const question = testChangeQuestion(proposed.open, Date.now())
  let choice = words.length === 0 ? undefined : words.join(' ')
  if (choice === undefined && out.ask !== undefined) {
    out.takesInterrupt()
    const given = await out.ask(question, out.interrupted)
    if (given === undefined || given === 'left')
      throw interrupted(id, `the question stays open; answer it with: ratchet answer ${id}`)
    choice = given.choice ?? given.text
  }
  if (choice === undefined) {
    out.answer({ id, questions: [question] }, questionLines(id, question, 1))
    return 0
  }
  if (!question.options.includes(choice))
    throw badInput(
      `${JSON.stringify(choice)} is not an option of this question`,
      `${id}: ${question.text}`,
      `use one of: ${question.options.join(', ')}`,
    )
  const said = choice === 'accept' ? await accept(context, proposed) : await refuse(id, proposed)
  out.answer({ id, questionId: question.id, answer: choice }, [`answered: ${choice}`, said])
  return 0
}

async function accept(context: Context, { session, open }: ProposedIn): Promise<string> {
  const { project, name, dir } = session
  const branch = readRecord(project, name)?.branch ?? `ratchet/${name}`
  const head = await resolve(await findRepo(project), `refs/heads/${branch}`)
  if (head === undefined)
    throw badInput(
      `the branch ${branch} no longer exists`,
      project,
      'start a new session with: ratchet fix',
    )
  const refuseIt = (file: string, reason: string): Error =>
    badInput(
      `the proposed change of ${file} cannot be applied: ${reason}`,
      dir,
      `make the change yourself, or continue without it: ratchet answer ${name} refuse`,
    )
  const patches = open.map((change) => {
    const patch = patchText(change)
    if (patch === undefined) throw refuseIt(change.file, PATCH_GONE)
    return { file: change.file, patch }
  })
  const problem = await patchesProblem(project, head, patches)
  if (problem !== undefined) throw refuseIt(problem.file, problem.reason)
  const { id } = await startSession(context, session, { acceptTestChanges: true })
  return `the run continues with the change of ${shortList(open.map(({ file }) => file))}; follow it with: ratchet watch ${id}`
}

async function refuse(id: string, { session, open }: ProposedIn): Promise<string> {
  await refuseChanges(session.dir, open)
  return `${shortList(open.map(({ file }) => file))} stays unchanged; continue with: ratchet resume ${id}`
}
