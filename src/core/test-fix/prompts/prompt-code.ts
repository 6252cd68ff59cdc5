// The code around failing tests in a prompt, and what the last fix changed.
import { bounded, fenced, section } from '../../prompts/prompt-parts.js'
import { LINE_SHOWN, oneLine } from '../../text/one-line.js'
import type { ShownFile } from '../code/failing-code.js'

/** Characters of the patch of the last fix. */
export const PATCH_SHOWN = 8_000
const NAMES_SHOWN = 20

export type PromptCode = {
  shown: readonly ShownFile[]
  /** Files that did not fit. */
  leftOut: readonly string[]
  /** The last fix as a patch, and what became of it. */
  lastFix?: { patch: string; result: string } | undefined
}

/** Sections with the code; empty if there is none. */
export function codeSection({ shown, leftOut, lastFix }: PromptCode): string[] {
  return [
    shown.length === 0
      ? ''
      : section('## Code', [
          'The failing tests, the files that their errors name, and what these import, as they are now. If that is enough to answer, read no more.',
          '',
          ...shown.flatMap((one) => [heading(one), '', fenced(one.text), '']),
          ...(leftOut.length === 0
            ? []
            : [`Not shown, as too long: ${leftOut.slice(0, NAMES_SHOWN).map(name).join(', ')}`]),
        ]),
    lastFix === undefined
      ? ''
      : section('## Last Fix', [
          `${oneLine(lastFix.result)}:`,
          '',
          fenced(bounded(lastFix.patch, PATCH_SHOWN, 'of the patch'), 'diff'),
        ]),
  ]
}

function heading({ file, text, from, of, whole }: ShownFile): string {
  return whole
    ? `### ${name(file)}`
    : `### ${name(file)}, lines ${from}-${from + text.split('\n').length - 1} of ${of}`
}

function name(file: string): string {
  return oneLine(file, LINE_SHOWN)
}
