// Hides texts and comments of source code, so that only code is left to look at. Positions and
// lines stay as they were.

export type CodeLanguage = 'python' | 'javascript'

/** Language of a source file by its name; `undefined` where its code is not looked at. */
export function codeLanguage(file: string): CodeLanguage | undefined {
  if (file.endsWith('.py')) return 'python'
  return /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file) ? 'javascript' : undefined
}

/** The source with blanks in the place of texts and comments; quotes stay. */
export function maskedCode(source: string, language: CodeLanguage): string {
  return language === 'python' ? masked(source, PYTHON) : masked(source, JAVASCRIPT)
}

/** One alternative a group: what is hidden, and what around it stays. */
const PYTHON =
  /(?<open>"""|''')(?:\\[\s\S]|(?!\k<open>)[\s\S])*(?:\k<open>|$)|(?<quote>["'])(?:\\[\s\S]|(?!\k<quote>)[^\\\n])*(?:\k<quote>|$|(?=\n))|#[^\n]*/g
/** A regular expression literal begins where no value stands before it. */
const JAVASCRIPT =
  /`(?:\\[\s\S]|[^\\`])*(?:`|$)|(?<quote>["'])(?:\\[\s\S]|(?!\k<quote>)[^\\\n])*(?:\k<quote>|$|(?=\n))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=(?:^|[(,=:[!&|?{};\n]|\breturn|=>)[ \t]*)\/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^\\/[\n])+\/[a-z]*/g

function masked(source: string, hidden: RegExp): string {
  return source.replace(hidden, (found) => {
    const quote = /^["'`]/.test(found) ? (found[0] as string) : ''
    const inner = found.slice(quote.length, found.length - quote.length)
    if (quote === '' || found.length < 2) return blanks(found)
    return `${quote}${blanks(inner)}${quote}`
  })
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** Numbers of the lines that hold code, from 1. */
export function codeLines(source: string, language: CodeLanguage): number[] {
  return maskedCode(source, language)
    .split('\n')
    .flatMap((line, at) => (/\w/.test(line) ? [at + 1] : []))
}
