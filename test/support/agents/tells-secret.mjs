// Leaks its key everywhere: in its answer, in thoughts, in a tool call, in a question, on standard
// error, in a file name and in the error that ends its first fix. The second fix repairs the code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ask, RpcError, say, serve, textOf, update } from './wire.mjs'

const key = process.env.PLANTED_KEY ?? 'no key'
const been = process.argv[2]

const analysis = {
  root_causes: [`add subtracts; I used ${key}`],
  fix_strategy: {
    approach: `Add, with ${key}.`,
    modification_points: ['calc.py:add:1-2'],
    expected_outcome: 'All tests pass',
  },
  confidence_score: 0.9,
  affected_tests: [],
  criticality: {},
}

const PHASES = {
  'requirements-analyst': 'ra',
  'exploration-planner': 'ep',
  'code-developer': 'cd',
  'validation-archivist': 'vas',
}

/** The block of a phase or of a worker, with the key in every text. */
function resultOf(role) {
  if (role in PHASES)
    return `PHASE_RESULT:\n- phase: ${PHASES[role]}\n- status: success\n- summary: done with ${key}\n- files_written: []\n- issues: [the key is ${key}]\n`
  const details = {
    tasks: [{ id: 'T1', description: `Fix it with ${key}`, priority: 'high', files: ['calc.py'] }],
    tasks_completed: ['T1'],
    tasks_remaining: [],
    recommendations: [`change ${key}`],
  }
  return `WORKER_RESULT:\n- action: ${role.replace('loop-', '')}\n- status: success\n- summary: done with ${key}\n- files_changed: []\n- next_suggestion: null\n- loop_back_to: null\n\nDETAILED_OUTPUT:\nThe key is ${key}.\n\n\`\`\`json\n${JSON.stringify(details)}\n\`\`\`\n`
}

function repair(workspace) {
  const file = path.join(workspace, 'calc.py')
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace('a - b', 'a + b')
      .replace('def mul(a, b):\n    return a + b', 'def mul(a, b):\n    return a * b'),
  )
}

serve({
  'session/prompt': async (params) => {
    const { sessionId } = params
    const { kind, role, paths } = JSON.parse(
      textOf(params).split('\n')[0].replace('ratchet-turn: ', ''),
    )
    process.stderr.write(`debug: PLANTED_KEY=${key}\n`)
    update(sessionId, {
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: `my key is ${key}` },
    })
    if (role === 'cli-planning-agent') {
      say(
        sessionId,
        `## Root Cause Analysis\n\n${`The key is ${key} and the sum is wrong. `.repeat(20)}\n\n\`\`\`json\n${JSON.stringify(analysis)}\n\`\`\`\n`,
      )
      return { stopReason: 'end_turn' }
    }
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: `curl -H "Authorization: ${key}"`,
      status: 'pending',
      rawInput: { key },
    })
    const { result } = await ask('session/request_permission', {
      sessionId,
      toolCall: {
        toolCallId: `t1-${key}`,
        title: `send ${key} somewhere`,
        kind: 'execute',
        rawInput: { key },
      },
      options: [
        { optionId: 'y', name: 'Yes', kind: 'allow_once' },
        { optionId: 'n', name: 'No', kind: 'reject_once' },
      ],
    })
    say(sessionId, `the answer about ${key} was ${JSON.stringify(result)}\n`)
    if (kind !== 'test-fix') {
      if (role === 'code-developer' || role === 'loop-develop') repair(paths.workspace)
      say(sessionId, `I used ${key}.\n\n${resultOf(role)}`)
      return { stopReason: 'end_turn' }
    }
    if (!existsSync(been)) {
      writeFileSync(been, '')
      throw new RpcError(-32603, `401 for ${key}`, { details: `${key} was refused` })
    }
    repair(paths.workspace)
    writeFileSync(path.join(paths.workspace, `note-${key}.txt`), 'a file of its own\n')
    say(sessionId, `Done with ${key.slice(0, 9)}`)
    say(sessionId, `${key.slice(9)}.`)
    return { stopReason: 'end_turn' }
  },
})
