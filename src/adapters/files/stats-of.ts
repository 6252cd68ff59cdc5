// What lies at a path, a link not followed; `undefined` where nothing does.
import { lstat } from 'node:fs/promises'
import type { Stats } from 'node:fs'

export async function statsOf(file: string | Buffer): Promise<Stats | undefined> {
  return lstat(file).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  })
}
