// Words of a command line: whether an option is there, and its values.

/** Extensions of scripts, for a glob in braces. */
export const SCRIPTS = 'js,jsx,ts,tsx,mjs,cjs,mts,cts'

/** Returns whether one of the options is among the words, also as `--option=value`. */
export function has(words: readonly string[], ...options: string[]): boolean {
  return words.some((word) =>
    options.some(
      (option) =>
        word === option ||
        (option.startsWith('-') && option !== '--' && word.startsWith(`${option}=`)),
    ),
  )
}

/** This word, where the command does not have it. */
export function unless(args: readonly string[], word: string): string[] {
  return has(args, word) ? [] : [word]
}

/** Values of an option, which may be given more than once. */
export function valuesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((word, at) =>
    word === option
      ? (args[at + 1] ?? [])
      : word.startsWith(`${option}=`)
        ? word.slice(option.length + 1)
        : [],
  )
}

/** The last match of a pattern. */
export function lastOf(pattern: RegExp, text: string): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1)
}

/**
 * The number that a pattern finds in a summary, 0 where it finds none; `undefined` without a
 * summary.
 */
export function failedIn(summary: string | undefined, pattern: RegExp): number | undefined {
  return summary === undefined ? undefined : Number(pattern.exec(summary)?.[1] ?? 0)
}
