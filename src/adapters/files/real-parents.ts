// Whether a path of a work tree lies in the work tree: a link on the way leads to another place,
// inside or outside of it, which is neither read nor written under that path.
import { lstat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Answers for paths below `root`, with forward slashes, whether everything above them is a
 * directory that can be reached: no link, no file, and not missing. Each directory is looked at
 * once.
 *
 * @param options.bytes paths are bytes, one character each
 */
export function realParents(
  root: string,
  { bytes = false }: { bytes?: boolean } = {},
): (file: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>([['.', Promise.resolve(true)]])
  const isReal = (dir: string): Promise<boolean> => {
    const answer = known.get(dir) ?? look(dir)
    known.set(dir, answer)
    return answer
  }
  const look = async (dir: string): Promise<boolean> =>
    (await isReal(path.posix.dirname(dir))) &&
    lstat(placeOf(root, dir, bytes)).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
  return (file) => isReal(path.posix.dirname(file))
}

/** A path below a directory; `bytes`: the path is bytes, one character each. */
export function placeOf(dir: string, file: string, bytes = false): string | Buffer {
  return bytes
    ? Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(file, 'latin1')])
    : path.join(dir, file)
}
