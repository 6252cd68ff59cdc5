// `workspace.copy`: files that git ignores but the tests need, such as .env.
import { copyFile, mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { glob } from 'tinyglobby'
import { RefusalError } from '../../contract/failures.js'

/**
 * Copies what the globs match in the project, where the workspace has no such file. Returns what
 * was copied.
 */
export async function copyExtraFiles(
  globs: readonly string[],
  { project, cwd }: { project: string; cwd: string },
): Promise<string[]> {
  const outside = globs.find(
    (pattern) => path.isAbsolute(pattern) || pattern.split('/').includes('..'),
  )
  if (outside !== undefined)
    throw new RefusalError(
      'BadConfig',
      `workspace.copy must stay inside the project, got ${JSON.stringify(outside)}`,
      'ratchet.config.json',
      'name files relative to the project, like ".env*"',
    )
  if (globs.length === 0) return []
  const found = await glob([...globs], {
    cwd: project,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    ignore: ['**/.git/**', '**/node_modules/**', '.workflow/**'],
  })
  const copied: string[] = []
  for (const file of found.sort()) {
    const target = path.join(cwd, file)
    if (existsSync(target)) continue
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(path.join(project, file), target)
    copied.push(file)
  }
  return copied
}
