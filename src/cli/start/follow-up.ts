// Starts a follow-up that an archived run left.
import { loadConfig } from '../../adapters/config/config.js'
import { readManifest } from '../../adapters/records/archive-manifest.js'
import { planFollowUp } from '../../adapters/records/test-fix/follow-up-session.js'
import { followUpsIn } from '../../core/records/archive-entry.js'
import type { Context } from '../context.js'
import { badInput } from '../output/errors.js'
import { projectDir } from './project-dir.js'

/**
 * Plans the session of a follow-up; returns its name.
 *
 * @throws RefusalError `BadInput` for a number that the manifest does not have, and for documents,
 * which no test judges
 */
export async function followUpSession(
  context: Pick<Context, 'project'>,
  typed: string,
): Promise<string> {
  const project = projectDir(context.project)
  const all = followUpsIn(readManifest(project).entries)
  const found = all.find(({ number }) => String(number) === typed)
  if (found === undefined)
    throw badInput(
      `there is no follow-up ${JSON.stringify(typed)}`,
      project,
      all.length === 0
        ? 'archive an ended run first: ratchet archive <id>'
        : 'list them with: ratchet archive',
    )
  if (found.kind === 'document')
    throw badInput(
      `follow-up ${found.number} is about documents, which no test judges`,
      found.text,
      `ratchet loop ${JSON.stringify(found.text)}`,
    )
  const offset = loadConfig(project).config.timezone
  return planFollowUp(project, found, { now: Date.now(), offset })
}
