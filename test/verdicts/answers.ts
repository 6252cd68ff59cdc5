// Movers with answers that are hard to parse, and unavailable providers.
import { analysis, fix, scripted, type Expected, type Mover, type Play } from './play.js'
import type { Repository } from './repository.js'
import { goRepository } from './repositories/go.js'
import { pytestRepository } from './repositories/pytest.js'
import { smallVitest } from './repositories/small.js'
import { vitestRepository } from './repositories/vitest.js'

const LEVELS = 100_000
const DEEP = `The causes:\n\n\`\`\`json\n{"root_causes": ${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}, "fix_strategy": {}, "confidence_score": 1}\n\`\`\`\n`

const UNAVAILABLE =
  'API Error: 503 {"type":"error","error":{"type":"api_error","message":"Service Unavailable"}}'

const right = (r: Repository): Expected => ({
  outcome: 'success',
  edits: [r.many.fix, r.one.fix],
  iterations: 1,
  results: ['kept'],
})

/** Both fixes in the first iteration; every analysis is this text. */
function analysed(r: Repository, text: string): Play {
  const { steps = [], ...play } = scripted(r, [fix(r.many), fix(r.one)])
  return {
    ...play,
    steps: steps.map((step) =>
      step.when?.['role'] === 'cli-planning-agent' ? { ...step, do: [{ say: text }] } : step,
    ),
  }
}

/** The first prompts of the fix fail with this error. */
const fails = (times: number, r: Repository, message: string, data?: unknown): Play =>
  scripted(r, [
    { error: { code: -32603, message, times, ...(data === undefined ? {} : { data }) } },
    fix(r.many),
    fix(r.one),
  ])

// prettier-ignore
export const ANSWERS: readonly Mover[] = [
  { name: 'low confidence, and no other agent', kind: 'right', at: [pytestRepository], play: (r) => analysed(r, analysis(r, 0.2)), expected: right },
  { name: 'an answer of 100,000 levels', kind: 'rubbish', play: (r) => analysed(r, DEEP), expected: right },
  { name: 'a huge answer', kind: 'flooding', at: [goRepository], play: (r) => ({ program: { name: 'huge', edits: [[r.many.fix, r.one.fix]] }, maxIterations: 1 }), expected: right },
  { name: 'the provider answers 503', kind: 'away', at: [pytestRepository], play: (r) => fails(1, r, UNAVAILABLE), expected: right },
  { name: 'the provider answers 503 three times', kind: 'away', at: [smallVitest], play: (r) => fails(3, r, UNAVAILABLE), expected: right },
  { name: 'the connection to the provider breaks', kind: 'away', at: [vitestRepository], play: (r) => fails(1, r, 'Internal error', { details: 'read ECONNRESET', code: 'ECONNRESET' }), expected: right },
]
