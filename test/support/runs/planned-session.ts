// A session as another tool plans one.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Writes one below `.workflow`; returns its directory. */
export function plannedSession(
  project: string,
  dir: string,
  fields: Record<string, unknown> = {},
): string {
  const full = path.join(project, '.workflow', dir)
  mkdirSync(full, { recursive: true })
  writeFileSync(
    path.join(full, 'workflow-session.json'),
    JSON.stringify({
      session_id: path.basename(dir),
      workflow_type: 'test_session',
      status: 'planning',
      created_at: '2026-11-20T10:00:00+08:00',
      ...fields,
    }),
  )
  return full
}
