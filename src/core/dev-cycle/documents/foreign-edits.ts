// Which of the files that an agent's tool calls wrote are not its own. The sources are CD's;
// everybody has a folder and the board. What an agent writes by a shell command is not seen here:
// documents of others are compared with the record besides.
import { ITEMS_KEPT } from '../../../contract/dev-cycle/phase-reading.js'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'

/**
 * @param edited paths relative to the working directory where they lie in it, else absolute
 * @param at.progress the progress directory, relative to the working directory
 */
export function foreignEdits(
  edited: readonly string[],
  { phase, progress }: { phase: Phase; progress: string },
): string[] {
  const isOwn = (file: string): boolean =>
    file.startsWith(`${progress}/${phase}/`) ||
    file === `${progress}/coordination/discoveries.ndjson` ||
    (phase === 'cd' && !file.startsWith('/') && !file.startsWith('.ratchet/'))
  return [...new Set(edited.filter((file) => !isOwn(file)))].slice(0, ITEMS_KEPT)
}
