// The plain form of a test command whose report cannot be had as it stands: each runner in it, by
// itself.
//
// `jest && tsd` ends with a command that takes no flags of jest; `npm run unit && npm run
// integration` starts two runners, and the report of the last would hide what the first found. Only
// lines of plain words are taken apart: what a redirection, a pipe, `||` or a variable does is the
// shell's.
import { quote } from 'shell-quote'
import {
  commandsIn,
  recognise,
  runnerIn,
  scriptOf,
  shellLine,
  type Recognised,
} from './recognise.js'

type Scripts = Readonly<Record<string, string>>

/**
 * `runners`: command lines for `sh -c`, each with one runner at its end. `leftOut`: commands behind
 * the last of them.
 */
export type PlainForm = { runners: string[]; leftOut: string[] }

/** How deep package scripts may call each other. */
const DEPTH = 4

/** The plain form of a command; `undefined` where it cannot be taken apart. */
export function plainForm(
  argv: readonly string[],
  scripts: Scripts,
  depth = 0,
): PlainForm | undefined {
  const called = scriptOf(argv, scripts)
  const line = shellLine(argv) ?? (called?.extra === 0 ? called.line : undefined)
  if (line === undefined || depth > DEPTH || /[`$\n]|\|\|/.test(line)) return undefined
  const commands = commandsIn(line)
  if (!commands.every(({ isPlain, words }) => isPlain && words.length > 0)) return undefined

  const pre = called === undefined ? undefined : `pre${called.name}`
  let before = pre !== undefined && Object.hasOwn(scripts, pre) ? [`npm run ${pre}`] : []
  const runners: string[] = []
  for (const { words } of commands) {
    const inner = isOne(recognise(words, scripts))
      ? { runners: [asLine(words)], leftOut: [] }
      : runnerIn(words, scripts, 0) === undefined
        ? undefined
        : plainForm(words, scripts, depth + 1)
    if (inner !== undefined) {
      const [first = '', ...more] = inner.runners
      runners.push([...before, first].join(' && '), ...more)
      before = inner.leftOut
    } else if (runnerIn(words, scripts, 0) !== undefined) return undefined
    else before = [...before, asLine(words)]
  }
  return runners.length === 0 ? undefined : { runners, leftOut: before }
}

function isOne(found: ReturnType<typeof recognise>): boolean {
  return (
    found !== undefined && !('several' in found) && (found satisfies Recognised).followed !== true
  )
}

// An assignment in front is no word to the shell once it is quoted.
function asLine(words: readonly string[]): string {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const set = (at === -1 ? words : words.slice(0, at)).map(
    (word) => `${word.slice(0, word.indexOf('='))}=${quote([word.slice(word.indexOf('=') + 1)])}`,
  )
  return [...set, quote(at === -1 ? [] : words.slice(at)).replaceAll('\\=', '=')].join(' ').trim()
}
