// Drafts of a preparation, as steps of a playbook.
import type { Step } from '../runs/real-run.js'

const part = (value: string, score = 2) => ({ score, value })

/** A draft that is ready; it names one file that is there. */
export const DRAFT = {
  dimensions: {
    objective: part('add adds and mul multiplies'),
    success_criteria: part('every test of tests/test_calc.py passes'),
    scope: part('calc.py'),
    constraints: part('the names of the functions stay', 1),
    context: part('the tests state what each function does'),
  },
  tech_stack: 'Python, pytest',
  source_refs: ['tests/test_calc.py', 'https://example.org/sums', 'docs/none.md', '../outside'],
  assumptions: [],
  questions: [],
}

export const TASK = {
  description: 'add adds',
  priority: 'high',
  files: ['calc.py'],
  _convergence: {
    criteria: ['add(1, 2) is 3'],
    verification: 'pytest tests/test_calc.py',
    definition_of_done: 'test_add passes',
  },
}

export const QUESTION = {
  about: 'scope',
  text: 'May the tests change?',
  options: ['yes', 'no'],
  recommended: 'no',
}

/** An answer that ends in this draft. */
export const says = (draft: unknown): Step['do'][number] => ({
  say: `I looked at calc.py.\n\n\`\`\`json\n${JSON.stringify(draft)}\n\`\`\`\n`,
})

/** A step of the agent that prepares. */
export const drafts = (
  draft: unknown,
  when: Record<string, unknown> = {},
  work: Step['do'] = [],
): Step => ({ when: { kind: 'prep', ...when }, do: [...work, says(draft)] })
