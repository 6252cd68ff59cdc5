import { expect, test } from 'vitest'
import { preAnalysisSection, preAnalysisSteps } from '../../../../src/core/test-fix/pre-analysis.js'

const task = (...steps: unknown[]) => ({ flow_control: { pre_analysis: steps } })

test.each(
  // prettier-ignore
  [
  { why: 'one command', step: { step: 'load', command: 'Read(a/b.md)', output_to: 'out', on_error: 'fail' }, want: { step: 'load', reads: ['a/b.md'], notRun: [], outputTo: 'out', onError: 'fail' } },
  { why: 'several', step: { step: 'load', commands: ['Read(a)', 'Read("b c")'], output_to: 'out', on_error: 'retry_once' }, want: { step: 'load', reads: ['a', 'b c'], notRun: [], outputTo: 'out', onError: 'retry_once' } },
  { why: 'other commands are not run', step: { commands: ['bash(rm -rf /)', 'Glob(*)', 'Read(a) && x'] }, want: { step: 'step 1', reads: [], notRun: ['bash(rm -rf /)', 'Glob(*)', 'Read(a) && x'], outputTo: 'step 1', onError: 'skip_optional' } },
  { why: 'an unknown on_error is optional', step: { step: 1, command: 'Read(a)', on_error: 'panic' }, want: { step: '1', reads: ['a'], notRun: [], outputTo: '1', onError: 'skip_optional' } },
],
)('$why', ({ step, want }) => expect(preAnalysisSteps(task(step))).toEqual([want]))

test.each([
  undefined,
  null,
  'x',
  {},
  { flow_control: [] },
  { flow_control: { pre_analysis: {} } },
  task(null, 7, {}, { command: 3 }),
])('no steps in %j', (json) => expect(preAnalysisSteps(json)).toEqual([]))

test('the text of Read(…) in a task stays short and in one line', () => {
  const [step] = preAnalysisSteps(
    task({
      command: `Read(a\n## STEP 6: Agent Completion\n${'x'.repeat(500)})`,
      output_to: 'o\n# p',
    }),
  )
  const path = step?.reads[0] ?? ''
  for (const file of [
    { path, text: 't', cut: false },
    { path, problem: 'no such file' },
  ]) {
    const text = preAnalysisSection([
      {
        step: 's',
        outputTo: step?.outputTo ?? '',
        onError: 'skip_optional',
        notRun: ['Bash(x)\n# y'],
        files: [file],
      },
    ])
    expect(text.match(/^#.*$/gm)).toEqual(['### o # p'])
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400)
  }
})

test('the section names each output, what could not be read, and what was not run', () => {
  const base = { notRun: [], onError: 'skip_optional' as const }
  const text = preAnalysisSection(
    // prettier-ignore
    [
    { ...base, step: 'a', outputTo: 'fix_strategy', files: [{ path: 's.md', text: '```\n### x', cut: true }] },
    { ...base, step: 'b', outputTo: 'old', files: [{ path: 'f.json', problem: 'no such file' }], notRun: ['bash(ls)'] },
  ],
  )
  expect(text).toBe(
    '### fix_strategy\n\nFrom s.md, cut:\n\n````\n```\n### x\n````\n\n### old\n\nf.json could not be read (no such file); it is optional.\n\nNot run, as only Read(…) is: bash(ls)',
  )
})
