// ratchet doctor: looks at the machine and the project, changes nothing, and says how to fix what is wrong.
import type { Check } from '../check.js'
import type { Context } from '../context.js'
import { checks } from '../checks.js'
import { cutPath, hanging, withTilde, wrapped } from '../columns.js'
import { EXIT } from '../errors.js'

/** Of the name of a check. With the verdict before it a line that installs an agent still fits 80 columns. */
const NAME = 15

export async function run(context: Context): Promise<number> {
  const found = await checks(context)
  const ok = found.every((check) => check.ok)
  context.answer({ ok, checks: found }, found.flatMap((check) => lines(check, context)))
  return ok ? EXIT.done : EXIT.otherwise
}

function lines({ check, ok, detail, next, warning }: Check, { columns = Infinity, env }: Context): string[] {
  const label = `${!ok ? 'FAIL' : warning === true ? 'warn' : 'ok  '} ${check.padEnd(NAME)} `
  const width = columns - label.length
  // What is to be done stays whole: it may be copied.
  const told = withTilde(detail, env['HOME']).split(' ').map((word) => (word.startsWith('~/') || word.startsWith('/') ? cutPath(word, width) : word)).join(' ')
  const steps = next === '' ? [] : withTilde(next, env['HOME']).split('\n')
  return hanging(label, [told, ...steps].flatMap((text) => wrapped(text, width)))
}
