// Why a file cannot be written, in words for a person: what the disk or the permissions are the
// cause of.

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EROFS: 'the file system is read-only; make it writable',
  EACCES: 'writing is not permitted; make the directory and what is in it writable',
  EPERM: 'writing is not permitted; make the directory and what is in it writable',
  ENOTDIR: 'a file is in the place of a directory; move it away',
  EISDIR: 'a directory is in the place of the file; move it away',
  EEXIST: 'a file is in the place of a directory; move it away',
}

/**
 * What is in the way and what to do, with a semicolon in between; `undefined` for an error of
 * another kind.
 */
export function writeObstacle(error: unknown): string | undefined {
  return REASONS[codeOf(error)]
}

/** Returns whether the disk is full, which ends when space is freed. */
export function isNoRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}
