// The prep package of a run. One that the repository brings is named in the task of the run.
import type { PrepFor } from '../../../contract/prep/prep-input.js'
import { broughtFile } from '../../trust/brought-texts.js'
import { prepFileOf, readPrepFile, type PrepFile } from './prep-file.js'

/**
 * Reads and checks the package of a run that begins. `task`: as it was typed; `prep`: the file that
 * `--prep` names; `at`: epoch milliseconds.
 *
 * @throws RefusalError `BadInput` where a package that `--prep` names cannot be used
 */
export async function runPackage<F extends PrepFor>(
  command: F,
  {
    project,
    task: typed = '',
    prep: named,
    at: now,
  }: { project: string; task?: string | undefined; prep?: string | undefined; at: number },
): Promise<PrepFile<F>> {
  const brought = await broughtFile(project, prepFileOf(command, project, named))
  return readPrepFile(command, project, { typed, named, now, brought })
}
