// Output of a followed run that cannot be polled: the server loses a query now and then, and a
// prompt may hold a line back until it is no longer true.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Given } from '../../../../src/cli/context.js'
import { follow, type Followed } from '../../../../src/cli/follow/follow.js'
import type { Question } from '../../../../src/contract/question.js'
import type { RunResult, StatusReply } from '../../../../src/contract/result.js'

const AWAY =
  'waiting      host: the server or the workflow worker does not answer; if this lasts, run: ratchet doctor'
const MENU: Question = {
  id: 'menu-1',
  kind: 'menu',
  text: 'what next?',
  options: ['develop', 'exit'],
  recommended: 'develop',
  askedAt: 0,
}
const lost = Object.assign(new Error('lost'), { code: 4 })
const status = {
  id: 'run',
  kind: 'dev-loop',
  project: '/p',
  status: 'running',
  phase: 'deciding',
  waitingFor: 'person: what next?',
  iteration: 1,
  maxIterations: 10,
  passRate: null,
  branch: null,
  questions: 1,
  history: [],
} satisfies StatusReply

/**
 * Follows a run whose looks are answered, or not, one after the other; the end comes after the last
 * of them.
 */
async function followed(
  looks: readonly ('answered' | 'lost')[],
  ask?: (end: Promise<void>) => Promise<Given | undefined>,
): Promise<string[]> {
  const said: string[] = []
  let n = 0
  let over: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (over = resolve))
  const handle = {
    status: () => {
      const seen = looks[n++]
      if (n > looks.length) over()
      return seen === 'lost' ? Promise.reject(lost) : Promise.resolve(status)
    },
    pending: () => Promise.resolve([]),
    questions: () => Promise.resolve([MENU]),
    state: () => Promise.reject(lost),
    answer: () => Promise.resolve({ questionId: MENU.id, answer: '' }),
    result: () =>
      ended.then(
        () =>
          new Promise((resolve) =>
            setImmediate(() => resolve({ result: { history: [] } as unknown as RunResult })),
          ),
      ),
  }
  const run = {
    id: 'run',
    kind: 'dev-loop',
    handle,
    server: {
      local: false,
      ratchet: { client: { withDeadline: (_: number, call: () => unknown) => call() } },
    },
    project: '/p',
    uiUrl: null,
  } as unknown as Followed
  const say = (line: string): void => void said.push(line)
  await follow(
    {
      say,
      warn: say,
      takesInterrupt: () => undefined,
      interrupted: new AbortController().signal,
      ...(ask === undefined ? {} : { ask: () => ask(ended) }),
    } as unknown as Parameters<typeof follow>[0],
    run,
    undefined,
    () => nextTurn(),
  )
  return said.filter((line) => line === AWAY)
}

test.each(
  // prettier-ignore
  [
  { why: 'one lost query is not said',       looks: ['answered', 'lost', 'answered'],                 times: 0 },
  { why: 'two in a row are',                 looks: ['answered', 'lost', 'lost', 'answered'],         times: 1 },
  { why: 'and once, however long it is',     looks: ['lost', 'lost', 'lost', 'lost'],                 times: 1 },
  { why: 'again where it is away again',     looks: ['lost', 'lost', 'answered', 'lost', 'lost'],     times: 2 },
] as const,
)('a run that cannot be polled: $why', async ({ looks, times }) =>
  expect(await followed(looks)).toHaveLength(times),
)

test('prints nothing about a run that could not be polled only during a prompt', async () => {
  expect(
    await followed(['answered', 'lost', 'lost', 'answered'], (end) => end.then(() => undefined)),
  ).toEqual([])
})
