// Directories that others may replace at any moment. Each is held open, and what is done in it is
// done in that very directory: a link that takes its place later leads nowhere.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
const BY_NUMBER = '/proc/self/fd'

/**
 * Names are single names, never paths. Methods throw errors of the file system, and `ESTALE` where
 * the directory was replaced.
 */
export class HeldDir {
  private constructor(
    private readonly fd: number,
    private readonly dir: string,
    private readonly byNumber: boolean,
  ) {}

  /**
   * @param dir links in it are followed
   * @param byNumber false where the system has no paths by the number of an open file: the
   * directory is compared before each use, which leaves a moment
   */
  static open(dir: string, byNumber = existsSync(BY_NUMBER)): HeldDir {
    const real = realpathSync(dir)
    return new HeldDir(openSync(real, DIRECTORY), real, byNumber)
  }

  /** A directory in it; `undefined` where there is none, or a link or a file. */
  child(name: string): HeldDir | undefined {
    try {
      const fd = openSync(this.at(name), DIRECTORY | constants.O_NOFOLLOW)
      return new HeldDir(fd, path.join(this.dir, name), this.byNumber)
    } catch (error) {
      if (is(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK')) return undefined
      throw error
    }
  }

  /** A directory in it, made where there is none; a link or a file in its place is removed. */
  make(name: string): HeldDir {
    const there = this.child(name)
    if (there !== undefined) return there
    this.remove(name)
    mkdirSync(this.at(name), { mode: 0o700 })
    return this.child(name) ?? refuse(`${path.join(this.dir, name)} was replaced`)
  }

  /** Path of a file in it, for one access that follows no link. */
  at(name: string): string {
    if (this.byNumber) return path.join(BY_NUMBER, String(this.fd), name)
    const there = lstatSync(this.dir, { throwIfNoEntry: false })
    const held = fstatSync(this.fd)
    if (there?.dev !== held.dev || there.ino !== held.ino) refuse(`${this.dir} was replaced`)
    return path.join(this.dir, name)
  }

  names(): string[] {
    return readdirSync(this.at('.'))
  }

  /** Writes a whole file in place of a file or link, by way of `<name>.new`. */
  write(name: string, text: string): void {
    const part = `${name}.new`
    this.remove(part)
    writeFileSync(this.at(part), text, { flag: 'wx' })
    renameSync(this.at(part), this.at(name))
  }

  /** Removes a file or a link; a directory stays. */
  remove(name: string): void {
    try {
      unlinkSync(this.at(name))
    } catch (error) {
      if (!is(error, 'ENOENT', 'EISDIR', 'EPERM')) throw error
    }
  }

  /** Removes a directory in it that is empty. */
  removeEmpty(name: string): void {
    try {
      rmdirSync(this.at(name))
    } catch (error) {
      if (!is(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    }
  }

  close(): void {
    closeSync(this.fd)
  }
}

/** Uses a directory, if there is one, and closes it. */
export function within<T>(dir: HeldDir, use: (dir: HeldDir) => T): T
export function within<T>(dir: HeldDir | undefined, use: (dir: HeldDir) => T): T | undefined
export function within<T>(dir: HeldDir | undefined, use: (dir: HeldDir) => T): T | undefined {
  try {
    return dir === undefined ? undefined : use(dir)
  } finally {
    dir?.close()
  }
}

function is(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

function refuse(what: string): never {
  throw Object.assign(new Error(`${what} while it was in use; nothing was done in it`), {
    code: 'ESTALE',
    syscall: 'open',
  })
}
