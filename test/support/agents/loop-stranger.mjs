// All five workers of a dev loop with unusual behaviour: it reads only the first line of a prompt.
// Tasks in a numbered list, questions and results in JSON, other words for statuses, notes in
// another file; develop commits its work itself.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say, serve, textOf } from './wire.mjs'

const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`
const change = (file, from, to) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

const workers = {
  init: () =>
    'I had a look.\n\n## Worker Result\n\n* **Status**: ✅ Completed\n* **Summary**: two tasks\n\n**DETAILED_OUTPUT**\n\n### TASK_BREAKDOWN\n\n1. Fix add (high)\n2. Fix mul\n\n### EXECUTION_PLAN\n\n1. add\n2. mul\n',
  develop: ({ task, turn, text, workspace }) => {
    const file = path.join(workspace, 'calc.py')
    if (task === 'T1' && turn === 'work')
      return json({
        CLARIFICATION_NEEDED: [
          { question: 'Which way?', options: ['by a table', 'by the operator (recommended)'] },
        ],
      })
    if (task === 'T1' && !text.includes('A: by the operator'))
      return 'WORKER_RESULT: {"status":"blocked","summary":"no one told me which way"}'
    if (task === 'T1') change(file, 'a - b', 'a + b')
    else change(file, 'def mul(a, b):\n    return a + b', 'def mul(a, b):\n    return a * b')
    execFileSync(
      'git',
      ['-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qam', 'all mine'],
      { cwd: workspace },
    )
    return `WORKER_RESULT: ${JSON.stringify({ action: 'develop', status: 'done', summary: `${task} is fixed`, files_changed: ['calc.py'], tasks_completed: [task], loop_back_to: null })}`
  },
  debug: () => 'WORKER_RESULT:\n- status: resolved\n- loop_back_to: ~\n',
  validate: () =>
    `${json({ WORKER_RESULT: { action: 'validate', status: 'passed', summary: 'all is well', loop_back_to: 'none' }, DETAILED_OUTPUT: { tests: { passed: 3, failed: 0 } } })}Have a nice day.`,
  complete: () =>
    '<WORKER_RESULT>\naction: loop-complete\nstatus: finished\nsummary: it calculates\n</WORKER_RESULT>\n\nCOMMIT_SUGGESTION: Calculate right\n',
}

serve({
  'session/prompt': (params) => {
    const text = textOf(params)
    const { role, task, turn, paths } = JSON.parse(
      text.slice('ratchet-turn: '.length, text.indexOf('\n')),
    )
    const action = role.replace('loop-', '')
    writeFileSync(
      path.join(paths.progress, `${action}.md`),
      `# ${action}\n\nnotes of ${action} ${task ?? ''}\n`,
    )
    say(params.sessionId, workers[action]({ ...paths, task, turn, text }))
    return { stopReason: 'end_turn' }
  },
})
