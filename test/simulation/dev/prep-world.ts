// Random preparations: what the agent drafts, what a person answers, and who pauses and stops; played
// by the workflow's own code, without Temporal.
import fc from 'fast-check'
import {
  DIMENSIONS,
  type PrepQuestion,
  type PrepReading,
} from '../../../src/contract/prep/prep-draft.js'
import type { SentTurn } from '../../../src/contract/turn-input.js'
import type { RunResult, StatusReply } from '../../../src/contract/result.js'
import type { Question } from '../../../src/contract/question.js'
import { prepare } from '../../../src/workflows/prep/workflow.js'
import { prepHost, type PrepHost } from '../../support/prep/prep-host.js'
import { turnResult } from '../../support/stub-host.js'
import { onHost, type Steering } from '../workflow-sdk.js'

/** What a turn gives: a draft, no draft that can be read, or nothing. */
type Turn = 'draft' | 'unusable' | 'failed'
/** What a person gives to a question: the nth option, or own words. */
type Given = number | 'words'

export type PrepWorld = {
  auto: boolean
  scores: readonly number[]
  /** The part of the task of each question. */
  questions: readonly PrepQuestion['about'][]
  given: readonly Given[]
  /** Questions have a deadline, and no one answers. */
  silent: boolean
  turns: readonly Turn[]
  /** Before the nth activity; a negative one at that look at a run that waits. */
  events: readonly { at: number; what: 'pause' | 'pause now' | 'resume' | 'stop' }[]
}

export type PlayedPrep = {
  world: PrepWorld
  result: RunResult
  host: PrepHost
  stopped: boolean
  /** Turns that began after the stop. */
  late: number
  /** Answers of a person that were accepted, by question. */
  answered: ReadonlyMap<string, string>
}

const DEADLINE_MS = 3_600_000
/** A run that waits for more is stuck. */
const MOST_LOOKS = 20
const OPTIONS = ['all', 'one']
const about = fc.constantFrom(...DIMENSIONS)

export const prepWorlds: fc.Arbitrary<PrepWorld> = fc.record({
  auto: fc.boolean(),
  scores: fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }),
  questions: fc.array(about, { maxLength: 5 }),
  given: fc.array(fc.oneof(fc.nat(1), fc.constant('words' as const)), {
    minLength: 1,
    maxLength: 5,
  }),
  silent: fc.boolean(),
  turns: fc.array(fc.constantFrom<Turn>('draft', 'draft', 'draft', 'unusable', 'failed'), {
    minLength: 1,
    maxLength: 6,
  }),
  events: fc.array(
    fc.record({
      at: fc.integer({ min: -3, max: 8 }),
      what: fc.constantFrom('pause', 'pause now', 'resume', 'stop'),
    }),
    { maxLength: 3 },
  ),
})

/** The same without pauses. */
export function unpaused(world: PrepWorld): PrepWorld {
  return { ...world, events: world.events.filter(({ what }) => what === 'stop') }
}

export function readingOf({ scores, questions }: PrepWorld): PrepReading {
  return {
    kind: 'prep',
    scores: Object.fromEntries(
      DIMENSIONS.map((name, n) => [name, scores[n] ?? 0]),
    ) as PrepReading['scores'],
    questions: questions.map((part, n) => ({
      id: `Q${n + 1}`,
      text: `Question ${n + 1}?`,
      options: OPTIONS,
      recommended: 'one',
      about: part,
    })),
  }
}

export async function playPrep(world: PrepWorld): Promise<PlayedPrep> {
  const answered = new Map<string, string>()
  let [stopped, late, looks] = [false, 0, 0]
  const host = prepHost({
    prepared: world.silent
      ? { questionLimits: { default: { after: DEADLINE_MS, then: 'recommended' } } }
      : {},
    turn: (_turn, call) => {
      if (stopped) late += 1
      const what = world.turns[(call - 1) % world.turns.length]
      if (what === 'failed') return { outcome: 'failed', reason: 'it broke' }
      return {
        read:
          what === 'unusable'
            ? { kind: 'unusable', problem: 'no JSON', form: 'the form' }
            : readingOf(world),
      }
    },
  })
  const acts = (at: number, run: Steering): void => {
    for (const { what } of world.events.filter((event) => event.at === at)) {
      if (what === 'stop') {
        stopped = true
        run.signal('stop', { reason: 'it is late' })
      } else if (what === 'resume') run.signal('resume')
      else run.signal('pause', { mode: what === 'pause now' ? 'now' : 'turn' })
    }
  }
  const answers = (run: Steering): void => {
    const [question] = run.query<Question[]>('questions')
    if (question === undefined) return
    const { id } = question
    const given = world.given[(Number(id.slice(1)) - 1) % world.given.length] ?? 0
    const text = given === 'words' ? 'as in the shop' : (OPTIONS[given] as string)
    run.update('answer', { questionId: id, ...(given === 'words' ? { text } : { choice: text }) })
    answered.set(id, text)
  }
  const result = await onHost(
    {
      id: 'prep-simulated',
      activities: {
        ...host.activities,
        agentTurn: (turn: SentTurn, cancelled: boolean) =>
          cancelled
            ? turnResult('stopped', { agent: turn.agent })
            : host.activities.agentTurn(turn),
      },
      before: (n, run) => {
        if (n > 0) acts(n, run)
      },
      idle: (run) => {
        looks += 1
        acts(-looks, run)
        // A pause stops the clock of a question: no one answers it until someone resumes.
        if (world.silent || run.query<StatusReply>('status').status === 'paused')
          run.signal('resume')
        else answers(run)
        return looks < MOST_LOOKS
      },
    },
    () => prepare({ project: '/repo', for: 'cycle', task: 'add a cart', auto: world.auto }),
  )
  return { world, result, host, stopped, late, answered }
}
