// A user of the built `ratchet` whose agents are the real programs, with the model stub behind all
// of them.
import '../support/servers/await-servers.js'
import path from 'node:path'
import { KNOWN_NAMES } from '../../src/contract/known-agents.js'
import type { TurnHeader } from '../../src/contract/turn.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import type { Turn } from '../support/model-stub/conversation.js'
import { setUp } from '../support/model-stub/set-up.js'
import { ModelStub, type Script, type Step } from '../support/model-stub/stub.js'
import type { Step as Played } from '../support/runs/real-run.js'
import { base, headersIn } from './rig.js'

export type CommandLine = { user: CliProcessUser; stub: ModelStub; close: () => Promise<void> }

/** The role of a prompt is its mark: the first line of Ratchet's names it. */
const ROLE = /ratchet-turn: \{[^\n]*?"role":"([\w-]+)"/g

/** All five are set up in one home. */
export async function commandLine(): Promise<CommandLine> {
  const user = cliProcessUser()
  const stub = await ModelStub.start(ROLE)
  const home = user.env['HOME'] as string
  Object.assign(user.env, base(home), ...KNOWN_NAMES.map((name) => setUp(name, home, stub.url)))
  return {
    user,
    stub,
    async close() {
      await user.remove()
      await stub.close()
    },
  }
}

/**
 * A script selected by the newest prompt.
 *
 * @param steps `done`: how many tools were used before that prompt, as far as the conversation
 * shows
 */
export function byPrompt(steps: (header: TurnHeader, done: number) => Step[]): Script {
  return (turns) => {
    const prompt = turns.findLastIndex((turn) => headersIn(turn).length > 0)
    const header = headersIn(turns[prompt] as Turn).at(-1) as TurnHeader
    return steps(header, turns.slice(0, prompt).filter(({ from }) => from === 'tool').length)
  }
}

/**
 * What the scripted agent would write and answer, for a model to do. Boards and logs are left out:
 * they are appended to, which takes a shell.
 */
export function asModel(
  actions: Played['do'],
  { paths: { progress = '', workspace } }: TurnHeader,
): Step[] {
  const said: string[] = []
  const steps = actions.flatMap((action): Step[] => {
    const { write, result } = action as {
      write?: { path: string; text: string }
      result?: { block: string; fields: Record<string, unknown>; json?: unknown }
    }
    if (write !== undefined)
      return [
        {
          write: path.relative(workspace, write.path.replace('{progress}', progress)),
          content: write.text,
        },
      ]
    if (result !== undefined) said.push(answer(result))
    return []
  })
  return [...steps, { say: said.join('\n') }]
}

function answer({
  block,
  fields,
  json,
}: {
  block: string
  fields: Record<string, unknown>
  json?: unknown
}): string {
  const lines = Object.entries(fields).map(
    ([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [
    `${block}:`,
    ...lines,
    ...(json === undefined ? [] : ['', '```json', JSON.stringify(json), '```']),
    '',
  ].join('\n')
}

/** Both functions of the calculator, whole lines. */
// prettier-ignore
export const REPAIR: Step[] = [
  { read: 'calc.py' },
  { edit: 'calc.py', find: '    return a - b', replace: '    return a + b' },
  { edit: 'calc.py', find: 'def mul(a, b):\n    return a + b', replace: 'def mul(a, b):\n    return a * b' },
]
export const REPAIRED = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n'
