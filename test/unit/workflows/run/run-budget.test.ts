// The budget of a run whose agents work at the same time.
import { expect, test } from 'vitest'
import type { Question } from '../../../../src/contract/question.js'
import { RunBudget, type BudgetedRun } from '../../../../src/workflows/run/run-budget.js'

/** A run that may buy one turn; each question for more is answered with `raise`. */
function runOf(): { run: BudgetedRun; asked: Question[]; budget: RunBudget } {
  const asked: Question[] = []
  const run: BudgetedRun = {
    control: { safePoint: () => Promise.resolve(), onStop: () => undefined },
    closing: false,
    questions: { textOf: () => undefined },
    ready: {
      usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
      prepared: { spending: { onRateLimit: 'wait', unavailableMs: 0, budget: { turns: 1 } } },
    },
    ask: (question) => {
      asked.push(question)
      return Promise.resolve('raise')
    },
    warn: () => undefined,
  }
  return { run, asked, budget: new RunBudget(run) }
}

test('two turns that begin at the same moment share a budget of one: the second asks', async () => {
  const { run, asked, budget } = runOf()
  const turn = (): Promise<void> =>
    budget.spend(() => {
      run.ready.usage = { ...run.ready.usage, turns: run.ready.usage.turns + 1 }
      return Promise.resolve()
    })
  await Promise.all([turn(), turn()])
  expect(asked.map(({ text }) => text)).toEqual([
    'the budget is spent (1 of 1 turns): raise it, or stop?',
  ])
})
