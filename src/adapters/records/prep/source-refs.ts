// Looks up the sources that an agent names: files inside the project, and addresses.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { SourceRef } from '../../../contract/dev-cycle/prep-package.js'
import { isInside } from '../../workspace/environment.js'

/** @param task a file that it names is a source that the person gave */
export function sourceRefs(project: string, named: readonly string[], task: string): SourceRef[] {
  return [...new Set(named)].map((one) => {
    if (/^https?:\/\//i.test(one)) return { path: one, type: 'url', status: 'linked' }
    return {
      path: one,
      type: task.includes(one) ? 'local_file' : 'auto_detected',
      status: isThere(project, one) ? 'verified' : 'not_found',
    }
  })
}

// Nothing outside the project is looked at, also not through a link.
function isThere(project: string, named: string): boolean {
  const file = path.resolve(project, named)
  return (
    isInside(file, project) &&
    existsSync(file) &&
    isInside(realpathSync(file), realpathSync(project))
  )
}
