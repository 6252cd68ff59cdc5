// Dev loops of a test file, in a namespace of the shared Temporal server, one run at a time against
// a stub host.
import { afterAll, beforeAll } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Question } from '../../../src/contract/question.js'
import type { RunResult } from '../../../src/contract/result.js'
import { loopHost, type LoopHost, type LoopScript } from './loop-host.js'
import { sharedEnv } from '../servers/temporal.js'
import { waitFor } from '../wait.js'
import { quietRuntime, runCycle, type Running } from '../servers/workflow-env.js'

export const INTERACTIVE = { project: '/repo', task: 'Fix the flaky importer' }
export const AUTO = { ...INTERACTIVE, mode: 'auto' }
export const PARALLEL = { ...INTERACTIVE, mode: 'parallel' }

export type RunningLoop = Running & {
  /** Waits until a matching question is open. */
  asked: (fits?: (question: Question) => boolean) => Promise<Question>
  answer: (answer: unknown) => Promise<unknown>
  /** Waits for the menu and chooses. */
  choose: (choice: string) => Promise<unknown>
}

export type LoopRuns = {
  client: () => TestWorkflowEnvironment['client']
  /** Starts a loop, runs `body` meanwhile, and ends its worker. */
  run: <T>(host: LoopHost, body: (run: RunningLoop) => Promise<T>, input?: unknown) => Promise<T>
  /** Runs a script to its end. */
  whole: (script: LoopScript, input?: unknown) => Promise<{ host: LoopHost; result: RunResult }>
}

/** Registers the hooks of the calling test file. */
export function loopRuns(): LoopRuns {
  let env: TestWorkflowEnvironment
  let n = 0
  beforeAll(async () => {
    quietRuntime()
    env = await sharedEnv()
  })
  afterAll(() => env.teardown())
  const run: LoopRuns['run'] = (host, body, input = AUTO) => {
    const id = `loop-b-${++n}`
    return runCycle(
      env,
      host,
      (running) => {
        const answered = new Set<string>()
        const handle = () => env.client.workflow.getHandle(id)
        const asked: RunningLoop['asked'] = (fits = () => true) =>
          waitFor(
            async () =>
              (await handle().query<Question[]>('questions')).find(
                (one) => fits(one) && !answered.has(one.id),
              ),
            { what: 'a question', timeoutMs: 20_000 },
          )
        const answer = (given: unknown) => handle().executeUpdate('answer', { args: [given] })
        const choose = async (choice: string) => {
          const { id: questionId } = await asked(({ kind }) => kind === 'menu')
          return answer({ questionId, choice })
        }
        return body({ ...running, asked, answer, choose })
      },
      input,
      id,
      'dev-loop',
    )
  }
  return {
    client: () => env.client,
    run,
    async whole(script, input) {
      const host = loopHost(script)
      return { host, result: await run(host, (r) => r.result(), input) }
    },
  }
}
