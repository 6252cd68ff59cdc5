// ratchet doctor: looks at the machine and the project, and says how to fix what is wrong. It
// changes nothing, but for --fix, which mends what can be mended safely.
import type { Check, Repair } from '../doctor/check.js'
import { explanationOf } from '../doctor/check-explanations.js'
import type { Context } from '../context.js'
import type { Definition } from '../definition.js'
import { cutPath, hanging, withTilde, wrapped } from '../output/columns.js'
import { EXIT, badInput, interrupted } from '../output/errors.js'

/**
 * Of the name of a check. With the verdict before it a line that installs an agent still fits 80
 * columns.
 */
const NAME = 15
const YES = 'yes'
const NO = 'no'

type Options = { explain?: boolean; fix?: boolean; yes?: boolean }
type Mended = { check: string; done: string | null }

export const command: Definition = {
  text: [
    'FAIL keeps runs from working, warn does not: it says what is slow, or what dead processes have left behind.',
    'Mended is what nobody can miss: files of processes that are gone, processes of runs whose worker has died, an ignore',
    'file of .workflow, search attributes, workspaces of projects that are gone and hold no work. Each is asked about.',
  ],
  options: [
    ['--explain', 'Say of each check what it is about'],
    ['--fix', 'Mend what can be mended safely; asks about each'],
    ['--yes', 'With --fix: without asking'],
  ],
  examples: ['ratchet doctor --fix', "ratchet doctor --json | jq '.checks[] | select(.ok | not)'"],
  run,
}

async function run(
  context: Context,
  _args: string[],
  { explain = false, fix = false, yes = false }: Options,
): Promise<number> {
  if (yes && !fix)
    throw badInput('--yes belongs to --fix', '--yes', 'write: ratchet doctor --fix --yes')
  if (fix && !yes && context.ask === undefined)
    throw badInput(
      'nobody can be asked here',
      'ratchet doctor --fix',
      'see first what it would do: ratchet doctor, then let it: ratchet doctor --fix --yes',
    )
  const { checks } = await import('../doctor/checks.js')
  const first = await checks(context)
  const mended = fix ? await repairAll(context, first, yes) : undefined
  const found = mended === undefined || mended.length === 0 ? first : await checks(context)
  const ok = found.every((check) => check.ok)
  const told = found.map(({ mend, ...check }) => ({
    ...check,
    fixable: mend !== undefined,
    about: explanationOf(check.check) ?? '',
  }))
  context.answer({ ok, checks: told, ...(mended !== undefined && { mended }) }, [
    ...found.flatMap((check, n) =>
      lines(check, explain ? newExplanation(found, n) : undefined, context),
    ),
    ...(mended ?? []).map(
      ({ check, done }) =>
        `${done === null ? 'left' : 'mended'}  ${check}${done === null ? '' : `: ${done}`}`,
    ),
    ...(mended?.length === 0 ? ['there is nothing that can be mended here'] : []),
  ])
  return ok ? EXIT.done : EXIT.otherwise
}

async function repairAll(
  context: Context,
  found: readonly Check[],
  yes: boolean,
): Promise<Mended[]> {
  const mended: Mended[] = []
  for (const { check, detail, mend } of found) {
    if (mend === undefined) continue
    if (!yes) context.say(`${check}: ${detail}`)
    mended.push({
      check,
      done: yes || (await confirmed(context, check, mend)) ? await mend.run() : null,
    })
  }
  return mended
}

async function confirmed(context: Context, check: string, { ask }: Repair): Promise<boolean> {
  const question = {
    id: `doctor ${check}`,
    kind: 'decision' as const,
    text: ask,
    options: [YES, NO],
    recommended: YES,
    askedAt: Date.now(),
  }
  const given = await context.ask?.(question, context.interrupted)
  if (given === 'left' || given === undefined)
    throw interrupted(
      'ratchet doctor --fix',
      'what was answered with yes is done; call it again for the rest',
    )
  return given.choice === YES
}

// Agents share an explanation, and so do hooks: it is said with the first of them.
function newExplanation(found: readonly Check[], n: number): string | undefined {
  const about = explanationOf(found[n]?.check ?? '')
  return found.slice(0, n).some(({ check }) => explanationOf(check) === about) ? undefined : about
}

function lines(
  { check, ok, detail, next, warning }: Check,
  about: string | undefined,
  { columns = Infinity, env }: Context,
): string[] {
  const label = `${!ok ? 'FAIL' : warning === true ? 'warn' : 'ok  '} ${check.padEnd(NAME)} `
  const width = columns - label.length
  // What is to be done stays whole: it may be copied.
  const told = withTilde(detail, env['HOME'])
    .split(' ')
    .map((word) => (word.startsWith('~/') || word.startsWith('/') ? cutPath(word, width) : word))
    .join(' ')
  const steps = next === '' ? [] : withTilde(next, env['HOME']).split('\n')
  return hanging(
    label,
    [told, ...steps, ...(about === undefined ? [] : [`(${about})`])].flatMap((text) =>
      wrapped(text, width),
    ),
  )
}
