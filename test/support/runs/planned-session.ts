// Sessions of another tool: planned, or left with a planned fix.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

const LEFT = path.join(
  import.meta.dirname,
  '../../adapters/records/test-fix/samples/other-tool/in-iteration-2',
)

/** Writes one that was left in iteration 2; returns its directory. */
export function sessionOfAnotherTool(project: string, name: string): string {
  const dir = path.join(project, '.workflow/active', name)
  cpSync(LEFT, dir, { recursive: true })
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue
    const text = readFileSync(path.join(dir, file), 'utf8')
    writeFileSync(path.join(dir, file), text.replaceAll('WFS-test-login', name))
  }
  return dir
}
