// All eleven role texts with the form of their result: the filled form is read as an answer, and
// the empty form is none.
import { describe, expect, test } from 'vitest'
import { roleText } from '../../../src/adapters/agents/roles.js'
import { ROLES, type Role } from '../../../src/contract/config/agent-config.js'
import { CYCLE_ROLES } from '../../../src/contract/dev-cycle/cycle-state.js'
import { PHASES } from '../../../src/contract/dev-cycle/discovery.js'
import { LOOP_ACTIONS, LOOP_ROLES } from '../../../src/contract/dev-loop/loop-input.js'
import { readAnalysis } from '../../../src/core/test-fix/answers/analysis-answer.js'
import { readAssessment } from '../../../src/core/test-fix/answers/assessment-answer.js'
import { readPhaseBlock } from '../../../src/core/dev-cycle/answers/phase-block.js'
import { workPrompt } from '../../../src/core/dev-cycle/prompts/prompt-work.js'
import { readGate } from '../../../src/core/test-fix/answers/gate-answer.js'
import { workerPrompt } from '../../../src/core/dev-loop/prompts/prompt-action.js'
import { readWorker } from '../../../src/core/dev-loop/answers/action-block.js'
import { rolePart, type RolePart } from '../../../src/core/prompts/role-part.js'
import { brief, pathsOf } from './dev-loop/loop-brief.js'

// prettier-ignore
const DUTIES: { role: Role; part: RolePart; read: (text: string) => { ok: boolean } }[] = [
  { role: 'cli-planning-agent', part: 'analysis', read: (text) => readAnalysis(text, { earlierCauses: [] }) },
  { role: 'test-fix-agent', part: 'assessment', read: (text) => readAssessment(text, [{ test: 'adds', file: 'a.test.ts' }]) },
  { role: 'test-fix-agent', part: 'review', read: readGate },
]

/** What an agent writes into the placeholder of a form. */
const MEANT: [RegExp, string][] = [
  [/"<(?:a number from 0 to 1)>"/g, '0.9'],
  [/"<(?:count|percent)>"/g, '80'],
  [/<file>:<function>:<lines>/g, 'src/a.ts:add:1-2'],
  [/<file> > <test>/g, 'a.test.ts > adds'],
  [/<test>/g, 'adds'],
  [/"<low, medium or high>"/g, '"high"'],
  [/"(\w+)(?:\|\w+)+"/g, '"$1"'],
  [/\[<[^\]]*>\]/g, '[]'],
  [/<passed>\/<total>/g, '17/20'],
  [/<percent>/g, '85'],
  [/<count>/g, '1'],
  [/<X\.Y\.Z>/g, '1.0.0'],
  [/<action, or null>/g, 'null'],
  [/^(- \w+: \w+)(?: \| \w+)+$/gm, '$1'],
  [/<[a-z][^<>\n]*>/g, 'all of it'],
]
const filled = (form: string): string =>
  MEANT.reduce((text, [placeholder, value]) => text.replace(placeholder, value), form)
const section = (prompt: string, heading: string): string =>
  prompt.slice(prompt.lastIndexOf(`\n${heading}\n`))
/** The last indented block, fenced as in an answer of an agent. */
const lastJsonIn = (text: string): string => {
  const json =
    text
      .match(/(?:^ {4}.*\n?)+/gm)
      ?.at(-1)
      ?.replaceAll(/^ {4}/gm, '')
      .trimEnd() ?? ''
  return `\`\`\`json\n${json}\n\`\`\`\n`
}

test('each of the eleven roles has a text of its name and a test below', () => {
  for (const role of ROLES) expect(roleText(role)).toMatch(new RegExp(`^# Role: ${role}\n`))
  expect(
    new Set([
      ...DUTIES.map(({ role }) => role),
      ...PHASES.map((phase) => CYCLE_ROLES[phase]),
      ...LOOP_ACTIONS.map((action) => LOOP_ROLES[action]),
    ]),
  ).toEqual(new Set(ROLES))
})

describe.each(DUTIES)('$role, $part', ({ role, part, read }) => {
  const text = rolePart(roleText(role), part)

  test('the duty ends with the form of its result', () =>
    expect(text.slice(text.lastIndexOf('\nResult:'))).toContain(lastJsonIn(text).split('\n')[1]))
  test('the filled form is an answer', () =>
    expect(read(filled(lastJsonIn(text)))).toMatchObject({ ok: true }))
  test('the empty form is none', () => expect(read(lastJsonIn(text))).toMatchObject({ ok: false }))
})

test.each<{ role: Role; part: RolePart; ends: string }>(
  // prettier-ignore
  [
  { role: 'test-fix-agent', part: 'fix', ends: 'Result: a short summary in words. Files changed, why, and what is left open.' },
  { role: 'cli-planning-agent', part: 'plan', ends: 'Result: Markdown under the headings that the prompt names.' },
],
)('$role, $part: the result has no form but words', ({ role, part, ends }) =>
  expect(rolePart(roleText(role), part).trim().endsWith(ends)).toBe(true),
)

describe.each(PHASES)('the agent of %s', (phase) => {
  const prompt = workPrompt({
    brief: {
      cycleId: 'cycle-v1-20261120T100000-abcd1234',
      phase,
      iteration: 1,
      maxIterations: 5,
      description: 'Add a login',
      version: '1.0.0',
      focus: '',
      sourceRefs: [],
      openIssues: [],
      decisions: [],
      changedFiles: 0,
    },
    roleText: roleText(CYCLE_ROLES[phase]),
    paths: { workspace: '/w', dir: '/w/p', progress: `/w/p/${phase}`, board: '/w/p/board' },
    board: '',
    first: { predecessors: [] },
    own: [],
    simplified: false,
  })

  test('its text ends with the block, and names where the form stands', () => {
    expect(rolePart(roleText(CYCLE_ROLES[phase]), 'cycle').trim().split('\n').at(-1)).toContain(
      'End with the `PHASE_RESULT` block, filled in exactly as under OUTPUT FORMAT in the prompt.'.replace(
        'End',
        phase === 'cd' ? 'Result: end' : 'End',
      ),
    )
    expect(prompt.match(/^#{2} .*$/gm)?.at(-1)).toBe('## OUTPUT FORMAT')
  })
  const form = section(prompt, '## OUTPUT FORMAT')
  // One that has nothing to add leaves the details out.
  test('the filled form is an answer', () =>
    expect(
      readPhaseBlock(filled(form.slice(0, form.indexOf('If lists need more room'))), phase),
    ).toMatchObject({ ok: true, block: { status: 'success', summary: 'all of it' } }))
  test('the whole prompt is none', () =>
    expect(readPhaseBlock(prompt, phase)).toMatchObject({ ok: false }))
})

describe.each(LOOP_ACTIONS)('the worker of %s', (action) => {
  const prompt = workerPrompt({
    loop: brief(action),
    roleText: roleText(LOOP_ROLES[action]),
    paths: pathsOf(action),
    limitMs: 600_000,
    simplified: false,
  })
  const form = section(prompt, '## EXPECTED OUTPUT')

  test('its text ends with the block, and names where the form stands', () => {
    expect(section(roleText(LOOP_ROLES[action]), '## Result')).toContain(
      'End with the `WORKER_RESULT` block, filled in exactly as under EXPECTED OUTPUT in the prompt',
    )
    expect(prompt.match(/^#{2} .*$/gm)?.at(-1)).toBe('## EXPECTED OUTPUT')
  })
  // A worker that needs nothing leaves the questions out.
  test('the filled form is an answer', () => {
    const read = readWorker(filled(form.slice(0, form.indexOf('If you cannot continue'))), action)
    expect(read).toMatchObject({ status: 'success', summary: 'all of it', questions: [] })
    expect(read.problem).toBeUndefined()
  })
  test('the whole prompt is none', () =>
    expect(readWorker(prompt, action)).toMatchObject({ status: 'unknown' }))
})
