// ratchet doctor: looks at the machine and the project, changes nothing, and says how to fix what is wrong.
import type { Context } from '../context.js'
import { checks } from '../checks.js'
import { EXIT } from '../errors.js'

export async function run(context: Context): Promise<number> {
  const found = await checks(context)
  const ok = found.every((check) => check.ok)
  context.answer({ ok, checks: found }, found.flatMap(({ check, ok: fine, detail, next, warning }) => [
    `${!fine ? 'FAIL ' : warning === true ? 'warn ' : 'ok   '} ${check.padEnd(16)} ${detail}`,
    ...(next === '' ? [] : next.split('\n').map((line) => `      ${''.padEnd(16)} ${line}`)),
  ]))
  return ok ? EXIT.done : EXIT.otherwise
}
