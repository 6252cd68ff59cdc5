// Lines as ranges: "1-3, 7".

/** @param lines in ascending order */
export function ranges(lines: readonly number[]): string {
  const found: [number, number][] = []
  for (const line of lines) {
    const last = found.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else found.push([line, line])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}
