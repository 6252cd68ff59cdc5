// The module that replaces files, on a disk that fails after a number of files.
import type * as Replace from '../../src/adapters/files/replace-file.js'

/** `left`: files that can still be written; `code`: how the next one fails. */
export const disk = { left: Infinity, code: 'ENOSPC' }

/** For `vi.mock`. */
export async function onFailingDisk(
  original: () => Promise<typeof Replace>,
): Promise<typeof Replace> {
  const actual = await original()
  return {
    ...actual,
    replaceFile: (...args: Parameters<typeof Replace.replaceFile>) =>
      disk.left-- > 0
        ? actual.replaceFile(...args)
        : Promise.reject(Object.assign(new Error('no'), { code: disk.code })),
  }
}
