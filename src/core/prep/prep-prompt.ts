// The prompt of a preparation, and the form of its answer.
import {
  type PrepAnswer,
  DIMENSIONS,
  QUESTION_CHARS,
  QUESTIONS_ASKED,
} from '../../contract/prep/prep-draft.js'
import type { PrepFor } from '../../contract/prep/prep-input.js'
import { oneLine } from '../text/one-line.js'
import { fenced, fencedJson, joined, section } from '../prompts/prompt-parts.js'
import { refinedRoom } from './refined-task.js'

export type PrepAsk = {
  for: PrepFor
  task: string
  /** A person answers its questions. */
  asks: boolean
  /** To the questions of the turn before. */
  answers: readonly PrepAnswer[]
  /** The time for the turn is over. */
  converge?: boolean | undefined
}

/** What the five parts hold. */
const PARTS: Readonly<Record<(typeof DIMENSIONS)[number], string>> = {
  objective: 'what is to be achieved, and for whom',
  success_criteria: 'what can be seen or measured when it is done',
  scope: 'what belongs to it, with files or modules, and what does not',
  constraints: 'what must stay as it is: interfaces, data, dependencies, conventions',
  context: 'what the project has already that the work builds on',
}

/** @param limitMs how long the turn may take */
export function prepPrompt(ask: PrepAsk, limitMs: number): string {
  const minutes = Math.max(1, Math.round(limitMs / 60_000))
  return joined([
    ask.converge === true
      ? section('## CONVERGE NOW', [
          `The time for this turn is over. You have about ${minutes} minute${minutes === 1 ? '' : 's'} left: answer with what you have.`,
        ])
      : section('## PREPARE A TASK', [
          `You prepare a task for a development ${ask.for}. You do not carry it out: read the project as far as the task needs it, and change no file. What you change is discarded. You have about ${minutes} minute${minutes === 1 ? '' : 's'}.`,
          'Later agents get your answer with the task, so write what they cannot see in the task itself. Name real files and symbols. Do not widen the task.',
        ]),
    section('## TASK', [fenced(ask.task)]),
    answersSection(ask.answers),
    section('## PARTS', [
      ...DIMENSIONS.map((name) => `- ${name}: ${PARTS[name]}`),
      '',
      `Together they have at most ${refinedRoom(ask.task)} characters. Each has a score: 2 clear, 1 partly known, 0 unknown. A part that rests on an assumption counts at most 1.`,
    ]),
    section('## QUESTIONS AND ASSUMPTIONS', [questionsLine(ask)]),
    section('## ANSWER', [prepForm(ask.for)]),
  ])
}

function questionsLine({ asks, answers }: PrepAsk): string {
  if (!asks || answers.length > 0)
    return 'No one answers questions now: leave "questions" empty, and write each thing that you cannot know under "assumptions".'
  return `A person answers your questions. Ask at most ${QUESTIONS_ASKED}, and only what the project does not say and what changes the work; each has at most ${QUESTION_CHARS} characters and the answer that you recommend. What is of less weight is an assumption.`
}

function answersSection(answers: readonly PrepAnswer[]): string {
  if (answers.length === 0) return ''
  return section('## ANSWERS TO YOUR QUESTIONS', [
    answers
      .map(
        ({ question, answer, by }) =>
          `Q: ${oneLine(question)}${by === 'user' ? '' : ' (no one answered: your recommendation counts, as an assumption)'}\n${fenced(answer)}`,
      )
      .join('\n\n'),
    '',
    'Work them into the parts, in the words of the person where they decide something.',
  ])
}

/** The form of the answer, also for the retry prompt. */
export function prepForm(command: PrepFor): string {
  const part = (name: string): object => ({ score: '<0, 1 or 2>', value: `<${name}>` })
  return joined([
    'End with ONE fenced JSON object, with every <…> replaced by what you found; lists may be empty:',
    fencedJson({
      dimensions: Object.fromEntries(DIMENSIONS.map((name) => [name, part(PARTS[name])])),
      tech_stack: '<languages and frameworks, in one line>',
      source_refs: ['<path in the project, or URL, that the later agents should read>'],
      assumptions: [{ about: `<${DIMENSIONS.join('|')}>`, text: '<what you assume>' }],
      questions: [
        {
          about: `<${DIMENSIONS.join('|')}>`,
          text: '<question>',
          options: ['<optional: an answer>'],
          recommended: '<the answer that you recommend>',
        },
      ],
      ...(command === 'loop'
        ? {
            tasks: [
              {
                description: '<one step of the work, in the order in which they are done>',
                priority: '<high|medium|low>',
                files: ['<path>'],
                _convergence: {
                  criteria: ['<what must hold>'],
                  verification: '<how to check it>',
                  definition_of_done: '<when it is done, in one sentence>',
                },
              },
            ],
          }
        : {}),
    }),
  ])
}
