// A session that begins with a follow-up of an archived run, planned like one of another tool: its
// first task is the follow-up, the second one runs the tests and fixes what fails.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FollowUp } from '../../../core/records/archive-entry.js'
import { isoTime } from '../../../core/text/iso-time.js'
import { ownDir } from '../safe-files.js'
import { writeJson } from '../write-file.js'
import { archivedDir, recordDir } from './session-paths.js'

type Planned = FollowUp & { session: string }

/** Returns the name of the session; one that was planned before stays as it is. */
export async function planFollowUp(
  project: string,
  followUp: Planned,
  at: { now: number; offset: string },
): Promise<string> {
  const name = `WFS-test-follow-up-${followUp.number}`
  if (existsSync(recordDir(project, name)) || archivedDir(project, name) !== undefined) return name
  const dir = ownDir(path.join(project, '.workflow'), [name], 'refused')
  const tasks = ownDir(dir, ['.task'], 'refused')
  await writeJson(path.join(tasks, 'IMPL-001.json'), firstTask(followUp))
  await writeJson(path.join(tasks, 'IMPL-002.json'), TEST_FIX)
  // The session file comes last: without it the directory is no session.
  await writeJson(path.join(dir, 'workflow-session.json'), {
    session_id: name,
    description: followUp.text,
    workflow_type: 'test_session',
    status: 'planning',
    source_session_id: followUp.session,
    created_at: isoTime(at.now, at.offset),
  })
  return name
}

function firstTask({ kind, text, session }: Planned): Record<string, unknown> {
  return {
    id: 'IMPL-001',
    title: text,
    status: 'pending',
    meta: { type: kind === 'test' ? 'test-gen' : 'follow-up', agent: '@code-developer' },
    context: { requirements: [`${text} (left by ${session})`], depends_on: [] },
  }
}

const TEST_FIX = {
  id: 'IMPL-002',
  title: 'Run the tests and fix what fails',
  status: 'pending',
  meta: { type: 'test-fix', agent: '@test-fix-agent' },
  context: { depends_on: ['IMPL-001'] },
}
