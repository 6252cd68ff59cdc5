// Programs that run the rest of their command line: `npx vitest`, `uv run --group dev pytest`.
//
// Only known options are skipped. After an unknown one, the next word may be its value or the
// command, so nothing is recognised.

type Launcher = {
  words: readonly string[]
  /** Options without a value. */
  flags?: RegExp
  /** Options whose value is the next word; `--option=value` is known too. */
  valued?: RegExp
  /**
   * Flags for the command must be behind a `--` that stands before it, else they are the
   * launcher's.
   */
  separator?: true
}

const PACKAGE = /^(-p|--package)$/
const SILENT = /^(-s|--silent)$/
const UV: Pick<Launcher, 'flags' | 'valued'> = {
  flags:
    /^(--(no-sync|frozen|locked|isolated|active|exact|offline|quiet|verbose|(all-)?(extras|groups|packages)|no-dev|dev|only-dev|no-default-groups|no-project|no-config|no-cache|no-progress|no-env-file|no-editable|reinstall|refresh|upgrade|(no-)?managed-python)|-[qvnU])$/,
  valued:
    /^(--(with|with-requirements|with-editable|extra|no-extra|group|no-group|only-group|python|env-file|package|index|default-index|index-url|extra-index-url|find-links|cache-dir|color|resolution|prerelease)|-[pif])$/,
}

const COVERAGE: Pick<Launcher, 'flags' | 'valued'> = {
  flags:
    /^(--(all|check-coverage|(no-)?clean|skip-full|skip-empty|per-file|100|silent|cache|source-map|instrument|show-process-tree|exclude-after-remap)|-[as])$/,
  valued:
    /^(--(reporter|reports?-dir|include|exclude|src|lines|branches|functions|statements|temp-dir(ectory)?|extension|config|nycrc-path|cwd|require)|-[rnxoe])$/,
}

const LAUNCHERS: readonly Launcher[] = [
  { words: ['npx'], flags: /^(-y|--yes|--no|--no-install|-q|--quiet)$/, valued: PACKAGE },
  { words: ['npm', 'exec'], flags: /^(-y|--yes|--no)$/, valued: PACKAGE, separator: true },
  { words: ['npm', 'x'], flags: /^(-y|--yes|--no)$/, valued: PACKAGE, separator: true },
  { words: ['bunx'], flags: /^(--bun|--silent)$/ },
  { words: ['bun', 'x'], flags: /^(--bun|--silent)$/ },
  { words: ['bun', 'run'], flags: /^(--bun|--silent)$/ },
  { words: ['pnpm', 'exec'] },
  { words: ['pnpm', 'dlx'], valued: /^--package$/ },
  { words: ['pnpm'], flags: SILENT },
  { words: ['yarn', 'exec'] },
  { words: ['yarn', 'dlx'], flags: /^(-q|--quiet)$/, valued: PACKAGE },
  { words: ['yarn', 'run'] },
  { words: ['yarn'], flags: SILENT },
  { words: ['uv', 'run'], ...UV },
  { words: ['poetry', 'run'] },
  { words: ['pipenv', 'run'] },
  { words: ['rye', 'run'] },
  { words: ['hatch', 'run'] },
  { words: ['pdm', 'run'], flags: /^(-s|--site-packages|-v)$/ },
  { words: ['c8'], ...COVERAGE },
  { words: ['nyc'], ...COVERAGE },
  { words: ['cross-env'] },
  { words: ['dotenv'], flags: /^(-o|-c)$/, valued: /^-[efv]$/ },
  { words: ['env'], flags: /^-i$/, valued: /^(-u|--unset)$/ },
  { words: ['time'] },
  { words: ['exec'] },
]

/**
 * `rest`: the command that is launched. `before`: words that must come before flags added at its
 * end.
 */
export type Launched = { rest: string[]; before: string[] }

/** Takes the launcher off a command; `undefined` where it has none that is known. */
export function launched(words: readonly string[]): Launched | undefined {
  const launcher = LAUNCHERS.find((one) => one.words.every((word, at) => words[at] === word))
  if (launcher === undefined) return undefined
  let at = launcher.words.length
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') return { rest: words.slice(at + 1), before: [] }
    if (!word.startsWith('-')) break
    // `uv run -m pytest` is `python -m pytest`.
    if (launcher.words[0] === 'uv' && (word === '-m' || word === '--module'))
      return { rest: ['python', '-m', ...words.slice(at + 1)], before: [] }
    if (launcher.valued?.test(word) === true) at++
    else if (
      launcher.flags?.test(word) !== true &&
      launcher.valued?.test(word.replace(/=.*$/, '')) !== true
    )
      return undefined
  }
  const rest = words.slice(at)
  // `hatch run ENVIRONMENT:COMMAND`
  if (launcher.words[0] === 'hatch' && rest[0] !== undefined)
    rest[0] = rest[0].replace(/^[\w.-]+:/, '')
  return { rest, before: launcher.separator === true ? ['--'] : [] }
}
