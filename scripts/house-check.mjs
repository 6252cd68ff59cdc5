// Checks what eslint and Prettier cannot see: base names, folder sizes, line widths, citations of documents that are
// not in the repository, and words with a plainer one. Part of `npm run lint`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Files that every shelf may have. */
const SHARED_NAMES = [
  'index',
  'main',
  'workflow',
  'rules',
  'paths',
  'schema',
  'prompts',
  'answers',
  'registry',
  'types',
]
const FOLDER_FILES = 24
const COLUMNS = 100
const TEXT = /\.(ts|tsx|mts|mjs|cjs|js|md|ya?ml)$/
const CODE = /\.(ts|tsx|mts|mjs)$/
/** Recorded and foreign text. */
const DATA = /(^|\/)(fixtures|samples|outputs|histories)\//
/** The pages that compare Ratchet with another system may name it; the others hold these words as data. */
const MAY_CITE = [
  'docs/comparison.md',
  'docs/coming-from-ccw.md',
  'scripts/house-check.mjs',
  'test/unit/docs/house.test.ts',
  'test/unit/core/prompt-roles.test.ts',
  'test/unit/core/prompts/prompt-roles.test.ts',
]

const CITATION =
  /(?<![\w\-,.'"/])00[0-4](?= ["§]|: | Phase)|(?<!coming-from-)\bccw\b|§ ?\d|\b(verdicts|corrections|trust|house|style|team|cluster|architecture|field|temporal-practice)\.md (§|G?\d)|\bagents\.md G\d|Source: (issue|architecture)\b/

/** Words that a text does not use, as parts of a regular expression, and the plain ones. */
const PLAIN_WORDS = {
  "mend(?:s|ed|ing)?(?!')": 'repair, fix',
  anew: 'again',
  '(?<![.`]|@param |const )beside(?= [a-z])': 'next to, besides, in parallel with',
  '(?:what|who)ever': 'any, or name the subject',
  '(?:is|are) told': 'sees, gets, or name who tells it',
  'wish(?:es|ed)?': 'want',
  '(?:take|takes|taken|took) up(?! to\\b)': 'start, continue, adopt',
  '(?:go|goes|gone|going|went) on(?! purpose)': 'continue',
  '(?:no|some)body(?![-.])': 'no one, someone, or name the subject',
  'put back': 'restore',
  '(?:is|are|was|were|be|been) played': 'run, replayed',
}
const CLUMSY = Object.entries(PLAIN_WORDS).map(([word, plain]) => ({
  found: new RegExp(`(?<![\\w-])${word}(?!\\w)`, 'i'),
  plain,
}))
const WORDED = /^(src|roles|docs|reporters|scripts|examples|test)\/|^[^/]+\.md$/
/** These hold such words as data. */
const MAY_USE = ['scripts/house-check.mjs']

/** @returns {string[]} one line for each word in a text that has a plainer one */
export function clumsyWords(file, text) {
  if (!WORDED.test(file) || MAY_USE.includes(file)) return []
  return text.split('\n').flatMap((line, n) =>
    CLUMSY.flatMap(({ found, plain }) => {
      const [word] = found.exec(line) ?? []
      return word === undefined
        ? []
        : [`${file}:${n + 1} says ${JSON.stringify(word.trim())}. Plain: ${plain}.`]
    }),
  )
}

/** @returns {string[]} one line for each citation in a text */
export function citations(file, text) {
  if (MAY_CITE.includes(file)) return []
  return text.split('\n').flatMap((line, n) => {
    const found = CITATION.exec(line)
    return found === null
      ? []
      : [
          `${file}:${n + 1} cites ${JSON.stringify(found[0])}, which is not in the repository. Name the rule instead (docs/rules.md).`,
        ]
  })
}

/** @returns {string[]} one line for each base name that two files of a layer share */
export function sharedNames(files) {
  const seen = new Map()
  return files
    .filter((file) => file.startsWith('src/') && CODE.test(file))
    .flatMap((file) => {
      const [, layer = ''] = file.split('/')
      const name = path.basename(file).replace(CODE, '')
      const key = `${layer} ${name}`
      const other = seen.get(key)
      seen.set(key, file)
      return other === undefined || SHARED_NAMES.includes(name)
        ? []
        : [
            `${file} and ${other} have one name. Rename one, so that a search for it finds one file.`,
          ]
    })
}

/** @returns {string[]} one line for each folder with too many code files */
export function fullFolders(files) {
  const counts = new Map()
  for (const file of files)
    if (/^(src|test)\/.*\.tsx?$/.test(file) && !DATA.test(file))
      counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files, and ${FOLDER_FILES} are the most. Give what belongs together a folder of its own.`,
    )
}

/** @returns {string[]} one line for each line of code that is too long and holds no string, template or expression that cannot be broken */
export function longLines(file, text) {
  if (!file.startsWith('src/') || !CODE.test(file)) return []
  return text
    .split('\n')
    .flatMap((line, n) =>
      line.length > COLUMNS &&
      !/['"`]|^\s*\/|https?:/.test(line.replace(/^\s*(\/\/|\*|\/\*\*).*$/, ''))
        ? [`${file}:${n + 1} has ${line.length} columns, and ${COLUMNS} are the most.`]
        : [],
    )
}

if (process.argv[1] === import.meta.filename) {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))
  const found = [...sharedNames(files), ...fullFolders(files)]
  for (const file of files.filter((one) => TEXT.test(one) && !DATA.test(one))) {
    const text = readFileSync(file, 'utf8')
    found.push(...citations(file, text), ...longLines(file, text), ...clumsyWords(file, text))
  }
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error(`\nhouse-check: ${found.length} to repair`)
    process.exitCode = 1
  }
}
