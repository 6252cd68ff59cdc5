// Reads the code around failing tests from the commit that a turn starts from.
import type { AgentTurnInput } from '../../contract/turn-input.js'
import {
  codeBudget,
  codeWithin,
  CODE_FILES,
  IMPORT_STEPS,
  importsToShow,
  isShown,
  namedFiles,
  type ShownPart,
  type WantedFile,
} from '../../core/test-fix/code/failing-code.js'
import {
  describeAttempt,
  type Attempt,
  type FailureFact,
} from '../../core/test-fix/failure-facts.js'
import type { PromptCode } from '../../core/test-fix/prompts/prompt-code.js'
import { GitError } from '../../adapters/git/git.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import { commitFiles, patchOf, type CommitFiles } from '../../adapters/git/commit-files.js'

type SourceFile = WantedFile & { text: string }

/** The code for an analysis; `undefined` if git cannot read it, as agents can without. */
export async function codeFacts(
  ...given: Parameters<typeof readCode>
): Promise<PromptCode | undefined> {
  return readable(readCode(...given))
}

async function readCode(
  input: AgentTurnInput,
  failures: readonly FailureFact[],
  contextSize: number | undefined,
  attempts: readonly Attempt[],
): Promise<PromptCode> {
  const { workspace, expectHead, history } = input
  const files = await sourcesOf(await commitFiles(workspace, expectHead), failures)
  const done = history.at(-1)
  const [commit, first] = [done?.commit, done?.parts?.find((part) => part.commit !== null)?.commit]
  const last = attempts.at(-1)
  const patch =
    typeof commit === 'string' && last !== undefined
      ? await patchOf(workspace, commit, first ?? commit)
      : ''
  return {
    ...codeWithin(files, codeBudget(contextSize)),
    lastFix:
      patch === '' || last === undefined ? undefined : { patch, result: describeAttempt(last) },
  }
}

/**
 * The code that a session has not seen: of failures that are new to it, without what it was shown
 * of files that are as they were, or as it left them.
 */
export async function newCodeFacts(
  ...given: Parameters<typeof readNewCode>
): Promise<PromptCode | undefined> {
  return readable(readNewCode(...given))
}

async function readable(code: Promise<PromptCode>): Promise<PromptCode | undefined> {
  try {
    return await code
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

async function readNewCode(
  input: AgentTurnInput,
  fresh: readonly FailureFact[],
  seen: readonly ShownPart[],
  contextSize: number | undefined,
): Promise<PromptCode> {
  const { workspace, expectHead, knows } = input
  const [now, then] = [
    await commitFiles(workspace, expectHead),
    await commitFiles(workspace, knows?.head ?? expectHead),
  ]
  const changed = new Set(knows?.changed.map(ownPath(workspace)))
  const isNew = (source: SourceFile): boolean =>
    !isShown(source, seen) ||
    (now.blobOf(source.file) !== then.blobOf(source.file) && !changed.has(source.file))
  const files = (await sourcesOf(now, fresh)).filter(isNew)
  return codeWithin(files, codeBudget(contextSize))
}

async function sourcesOf(
  files: CommitFiles,
  failures: readonly FailureFact[],
): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>()
  let next = namedFiles(failures, files.has)
  for (let step = 0; step <= IMPORT_STEPS && next.length > 0; step++) {
    const imported: WantedFile[] = []
    for (const wanted of next) {
      if (found.size >= CODE_FILES || found.has(wanted.file)) continue
      const text = await files.read(wanted.file)
      if (text === undefined) continue
      found.set(wanted.file, { ...wanted, text })
      imported.push(...importsToShow({ file: wanted.file, text }, files.has))
    }
    next = imported
  }
  return [...found.values()]
}
