// Where an analysis says to change the code: `file:function:lines - what`.

export type ModificationPoint = { file: string; function?: string; lines?: string; what?: string }

const LINES = /^L?(\d+)(?:[-–]L?(\d+))?$/i
const FILE = /^[^\s:`"'|<>]*[\w\])]$/
const PATH_LIKE = /\/|\.\w+$/

/** Reads a point; `undefined` where its text does not begin with a file. */
export function parsePoint(text: string): ModificationPoint | undefined {
  const plain = text.replace(/^[\s*-]+/, '').replace(/^`([^`]*)`/, '$1')
  const [, place = '', rest = ''] = /^(\S+)([^]*)$/.exec(plain) ?? []
  const [file = '', ...parts] = place.replace(/[:,;]+$/, '').split(':')
  // A bare word is a file only where a place follows it at once, as in Makefile:12.
  if (!FILE.test(file) || (!PATH_LIKE.test(file) && parts.length === 0)) return undefined
  const lines =
    parts.find((part) => LINES.test(part)) ?? /\blines?\s+(\d+(?:\s*[-–]\s*\d+)?)/i.exec(rest)?.[1]
  const name =
    parts.find((part) => part !== '' && !LINES.test(part)) ?? /([\w$.]+)\(\)/.exec(rest)?.[1]
  const what = rest.replace(/^[\s:–—-]+/, '').trim()
  return {
    file: file.replace(/^\.\//, ''),
    ...(name === undefined ? {} : { function: name.replace(/\(\)$/, '') }),
    ...(lines === undefined ? {} : { lines: lines.replace(/\s/g, '').replace('–', '-') }),
    ...(what === '' ? {} : { what }),
  }
}

/** A point that says where: a file, and a function or lines in it. */
export function isConcrete(point: ModificationPoint | undefined): boolean {
  return point !== undefined && (point.function !== undefined || point.lines !== undefined)
}

/** Files of points, each once, in their order. */
export function filesOf(points: readonly string[]): string[] {
  return [...new Set(points.flatMap((text) => parsePoint(text)?.file ?? []))]
}
