// What a sandboxed program sees of the file system: everything read-only, but for what is hidden
// and what it may write. Where two paths are nested, the inner one counts.

export type MountKind = 'hide' | 'read' | 'write'
export type Mount = {
  path: string
  kind: MountKind
  /** A directory of the host that is seen at `path`; `path` itself by default. */
  from?: string | undefined
}

/** Hiding wins over the rest for the same path. */
const ORDER: readonly MountKind[] = ['read', 'write', 'hide']

/** Mounts in the order they are made, one for each path. */
export function mountOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>()
  for (const mount of mounts) {
    const known = byPath.get(mount.path)
    if (known === undefined || ORDER.indexOf(mount.kind) >= ORDER.indexOf(known.kind))
      byPath.set(mount.path, mount)
  }
  return [...byPath.values()].sort(
    (a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1),
  )
}

/** The innermost of some directories that holds a path, or `undefined`. */
export function innermost(path: string, dirs: readonly string[]): string | undefined {
  return dirs
    .filter((dir) => path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function depth(path: string): number {
  return path.split('/').filter((part) => part !== '').length
}
