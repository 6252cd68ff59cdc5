// How far a failing test got: the lines of its own file on the way to the failure, the outermost
// first. A later line with the same signature is progress: an agent may not change the test's file,
// so nothing but the code under test moves a failure in it.
//
// As words in a dictionary: the first line that differs decides. So the place in the test counts
// before the place in a helper of the same file. A loop that fails in another round at the same
// line got nowhere that can be seen.
import { frameIn, type Frame } from './stack-frames.js'

/** Lines of an error that are searched: pytest prints the source of the test first. */
const LINES_SEARCHED = 400
/** Frames that count. */
const FRAMES_COUNTED = 8

/** Where a test failed in its own file, from 1, the outermost frame first; not empty. */
export type Place = readonly number[]

/** Over the executions of one commit: the places of the failure that came first and last. */
export type Reach = { first: Place; last: Place }

/** Whether a failure at `a` got further than one at `b`; of the same way, neither did. */
export function isFurther(a: Place, b: Place): boolean {
  const at = a.findIndex((line, n) => n < b.length && line !== b[n])
  return (a[at] ?? 0) > (b[at] ?? 0)
}

/**
 * @param file the test's own, relative to the project
 * @param errors one for each execution of the commit
 * @returns `undefined` if one of them does not say where in the file it failed
 */
export function reachOf(file: string, errors: readonly string[]): Reach | undefined {
  const [place, ...others] = errors.map((error) => placeIn(error, file))
  if (place === undefined || [place, ...others].some((one) => one.length === 0)) return undefined
  return {
    first: others.reduce((a, b) => (isFurther(a, b) ? b : a), place),
    last: others.reduce((a, b) => (isFurther(b, a) ? b : a), place),
  }
}

/** The later of two places; the known one if neither is. */
export function furthest(known: Place | undefined, reach: Reach | undefined): Place | undefined {
  if (known === undefined || reach === undefined) return known ?? reach?.last
  return isFurther(reach.last, known) ? reach.last : known
}

/** Only the first stack counts where inner frames come first: a cause has a stack of its own. */
function placeIn(error: string, file: string): number[] {
  const own: Frame[] = []
  for (const text of error.split('\n', LINES_SEARCHED)) {
    const frame = frameIn(text)
    const [first] = own
    if (first?.innerFirst?.test(text) === false) break
    if (frame === undefined || !isIn(frame, file)) continue
    if (first === undefined || first.innerFirst === frame.innerFirst) own.push(frame)
  }
  const lines = own.map(({ line }) => line)
  return (own[0]?.innerFirst === undefined ? lines : lines.reverse()).slice(0, FRAMES_COUNTED)
}

/** Frames are absolute, relative to the project or, in Go, to the package. */
function isIn(frame: Frame, file: string): boolean {
  const name = frame.file.replaceAll('\\', '/').replace(/^\.\//, '')
  return name === file || name.endsWith(`/${file}`) || file.endsWith(`/${name}`)
}
