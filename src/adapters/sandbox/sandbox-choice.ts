// The sandbox that a person chose for one run with --sandbox. It is a file of the state directory
// and no input of the run: a user who only reaches the server must not switch a sandbox off.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { SandboxUse } from '../../contract/sandbox.js'
import { replaceFile } from '../files/replace-file.js'
import { storedJson } from '../files/stored-json.js'
import { layout, type Dirs } from '../state-dir.js'

/** `chain` as in `PrepareInput`; absent until the run has begun. */
const Choice = z.strictObject({ use: SandboxUse, chain: z.string().optional() })
type Choice = z.infer<typeof Choice>

const read = (dirs: Dirs, run: string): Choice | undefined =>
  storedJson(layout.sandboxChoice(dirs, run), Choice)

/**
 * Starts a run with the choice of its user. Without one, or if the start fails, none stays behind
 * that a later run of this id could find.
 *
 * @param run its workflow id
 */
export async function withSandboxChoice<T>(
  dirs: Dirs,
  run: string,
  use: SandboxUse | undefined,
  start: () => Promise<T>,
): Promise<T> {
  const before = read(dirs, run)
  await write(dirs, run, use === undefined ? begun(before) : { use })
  try {
    return await start()
  } catch (error) {
    await write(dirs, run, begun(before)) // an open run of this id keeps its own
    throw error
  }
}

/** Returns the choice for a run that begins, which no later run of its id gets. */
export async function takeSandboxChoice(
  dirs: Dirs,
  run: string,
  chain: string,
): Promise<SandboxUse | undefined> {
  const known = read(dirs, run)
  if (known === undefined || (known.chain ?? chain) !== chain) return undefined
  if (known.chain === undefined) await write(dirs, run, { use: known.use, chain })
  return known.use
}

/** Returns the choice that a run has begun with. */
export function sandboxChoiceOf(
  dirs: Dirs,
  { run, chain }: { run: string; chain?: string | undefined },
): SandboxUse | undefined {
  const known = read(dirs, run)
  return known?.chain !== undefined && known.chain === chain ? known.use : undefined
}

const begun = (choice: Choice | undefined): Choice | undefined =>
  choice?.chain === undefined ? undefined : choice

async function write(dirs: Dirs, run: string, choice: Choice | undefined): Promise<void> {
  const file = layout.sandboxChoice(dirs, run)
  if (choice === undefined) return rm(file, { force: true })
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(choice), { mode: 0o600 })
}
