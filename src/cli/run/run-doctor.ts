// ratchet doctor: checks the machine and the project, and says how to fix what is wrong. Changes
// nothing without --fix, which makes only safe repairs.
import type { Check, Repair } from '../doctor/check.js'
import { checks } from '../doctor/checks.js'
import { explanationOf } from '../doctor/check-explanations.js'
import type { Context, Output } from '../context.js'
import { cutPath, hanging, withTilde, wrapped } from '../output/columns.js'
import { EXIT, badInput, interrupted } from '../output/errors.js'

/**
 * Width of a check's name. With the verdict before it, a line that installs an agent still fits 80
 * columns.
 */
const NAME = 15
const YES = 'yes'
const NO = 'no'

type Options = { explain?: boolean; fix?: boolean; yes?: boolean; sandbox?: boolean }
type Repaired = { check: string; done: string | null }

export async function run(
  context: Context,
  _args: string[],
  { explain = false, fix = false, yes = false, sandbox = false }: Options,
): Promise<number> {
  const { out } = context
  if (yes && !fix)
    throw badInput(
      '--yes has an effect only with --fix',
      '--yes',
      'use: ratchet doctor --fix --yes',
    )
  if (fix && !yes && out.ask === undefined)
    throw badInput(
      '--fix asks before each repair, and there is no terminal',
      'ratchet doctor --fix',
      'see what it would repair: ratchet doctor; then run: ratchet doctor --fix --yes',
    )
  const look = (): Promise<Check[]> => checks(context, sandbox)
  const first = await look()
  const repaired = fix ? await repairAll(out, first, yes) : undefined
  const found = repaired === undefined || repaired.length === 0 ? first : await look()
  const ok = found.every((check) => check.ok)
  const shown = found.map(({ repair, ...check }) => ({
    ...check,
    fixable: repair !== undefined,
    about: explanationOf(check.check) ?? '',
  }))
  out.answer({ ok, checks: shown, ...(repaired !== undefined && { repaired }) }, [
    ...found.flatMap((check, n) =>
      lines(check, explain ? newExplanation(found, n) : undefined, out),
    ),
    ...(repaired ?? []).map(
      ({ check, done }) =>
        `${done === null ? 'left' : 'fixed'}  ${check}${done === null ? '' : `: ${done}`}`,
    ),
    ...(repaired?.length === 0 ? ['nothing to repair'] : []),
  ])
  return ok ? EXIT.done : EXIT.otherwise
}

async function repairAll(out: Output, found: readonly Check[], yes: boolean): Promise<Repaired[]> {
  const repaired: Repaired[] = []
  for (const { check, detail, repair } of found) {
    if (repair === undefined) continue
    if (!yes) out.say(`${check}: ${detail}`)
    repaired.push({
      check,
      done: yes || (await confirmed(out, check, repair)) ? await repair.run() : null,
    })
  }
  return repaired
}

async function confirmed(out: Output, check: string, { ask }: Repair): Promise<boolean> {
  const question = {
    id: `doctor ${check}`,
    kind: 'decision' as const,
    text: ask,
    options: [YES, NO],
    recommended: YES,
    askedAt: Date.now(),
  }
  const given = await out.ask?.(question, out.interrupted)
  if (given === 'left' || given === undefined)
    throw interrupted(
      'ratchet doctor --fix',
      'repairs that you accepted are done; run it again for the rest',
    )
  return given.choice === YES
}

// Agents share an explanation, and so do hooks: only the first of them shows it.
function newExplanation(found: readonly Check[], n: number): string | undefined {
  const about = explanationOf(found[n]?.check ?? '')
  return found.slice(0, n).some(({ check }) => explanationOf(check) === about) ? undefined : about
}

function lines(
  { check, ok, detail, next, warning }: Check,
  about: string | undefined,
  { columns = Infinity, env }: Output,
): string[] {
  const label = `${!ok ? 'FAIL' : warning === true ? 'warn' : 'ok  '} ${check.padEnd(NAME)} `
  const width = columns - label.length
  // The next step stays whole, so that it can be copied.
  const shown = withTilde(detail, env['HOME'])
    .split(' ')
    .map((word) => (word.startsWith('~/') || word.startsWith('/') ? cutPath(word, width) : word))
    .join(' ')
  const steps = next === '' ? [] : withTilde(next, env['HOME']).split('\n')
  return hanging(
    label,
    [shown, ...steps, ...(about === undefined ? [] : [`(${about})`])].flatMap((text) =>
      wrapped(text, width),
    ),
  )
}
