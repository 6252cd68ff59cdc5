// All four agents of a dev cycle with unusual behaviour: no resume, edits reported only as diffs,
// bold headings and stars in its answers. RA repairs the sources, VAS overwrites RA's documents,
// and CD commits, leaves a child behind and says nothing.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say, serve, textOf, update } from './wire.mjs'

const block = (phase, ...lines) =>
  `Here you are.\n\n**PHASE_RESULT**:\n\n* **phase**: ${phase}\n* **status**: Success ✅\n${lines.map((line) => `* ${line}\n`).join('')}`
let calls = 0

const roles = {
  'requirements-analyst': ({ workspace, put, tell }) => {
    put('requirements.md', '# Requirements\n\n- FR-001: add adds, mul multiplies\n')
    const file = path.join(workspace, 'calc.py')
    const before = readFileSync(file, 'utf8')
    const after = before.replace('a - b', 'a + b')
    writeFileSync(file, after)
    tell({
      sessionUpdate: 'tool_call',
      toolCallId: `call-${++calls}`,
      title: 'Apply',
      kind: 'other',
      status: 'completed',
      content: [{ type: 'diff', path: file, oldText: before, newText: after }],
    })
    return block('RA', '**summary**: one requirement')
  },
  'exploration-planner': ({ put }) => {
    put('exploration.md', '# Exploration\n')
    put('architecture.md', '# Architecture\n')
    put(
      'plan.json',
      '```json\n[{ "id": "TASK-001", "name": "Fix both", "depends_on": "none" }]\n```\n',
    )
    return block('ep', 'summary: one task')
  },
  'code-developer': ({ workspace, put }) => {
    const file = path.join(workspace, 'calc.py')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        'def mul(a, b):\n    return a + b',
        'def mul(a, b):\n    return a * b',
      ),
    )
    put('implementation.md', '# Implementation\n')
    execFileSync(
      'git',
      [
        '-c',
        'user.name=x',
        '-c',
        'user.email=x@example.com',
        'commit',
        '-qam',
        'all mine',
        '--allow-empty',
      ],
      { cwd: workspace },
    )
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], {
      detached: true,
      stdio: 'ignore',
    }).unref()
    return ''
  },
  'validation-archivist': ({ progress, put, turn }) => {
    for (const name of ['validation.md', 'summary.md', 'coverage.md']) put(name, '# Looked at it\n')
    put('test-results.json', '{ "total": 3, "passed": 3, "failed": 0 }')
    if (turn === 'validate')
      writeFileSync(path.join(progress, '../ra/requirements.md'), '# Nothing is required\n')
    return block('vas', 'test_pass_rate: `100 %`')
  },
}

serve({
  'session/prompt': (params) => {
    const text = textOf(params)
    const { role, turn, paths } = JSON.parse(
      text.slice('ratchet-turn: '.length, text.indexOf('\n')),
    )
    const put = (name, content) => {
      mkdirSync(paths.progress, { recursive: true })
      writeFileSync(path.join(paths.progress, name), content)
    }
    const answer = roles[role]({
      ...paths,
      turn,
      put,
      tell: (change) => update(params.sessionId, change),
    })
    if (answer !== '') say(params.sessionId, answer)
    return { stopReason: 'end_turn' }
  },
})
