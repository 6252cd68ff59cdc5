// Names a test session without a given name after the directory of its project.
import path from 'node:path'
import { SESSION_LENGTH } from '../contract/ids.js'

/** `WFS-test-<directory><suffix>`, cut so that the suffix fits. */
export function sessionName(project: string, suffix: string): string {
  const slug =
    path
      .basename(project)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'project'
  return `${`WFS-test-${slug}`.slice(0, SESSION_LENGTH - suffix.length).replace(/-+$/, '')}${suffix}`
}
