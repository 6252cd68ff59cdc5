// Paths with forward slashes, as git and reports name files.

export function joinPath(...parts: readonly string[]): string {
  const out: string[] = []
  const joined = parts.filter((part) => part !== '').join('/')
  for (const part of joined.split('/')) {
    if (part === '..' && out.length > 0 && out.at(-1) !== '..') out.pop()
    else if (part !== '' && part !== '.') out.push(part)
  }
  return `${joined.startsWith('/') ? '/' : ''}${out.join('/')}`
}

/** The folder of a file; empty at the top. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

export function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
