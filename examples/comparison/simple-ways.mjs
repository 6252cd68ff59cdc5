// The two simple ways: a coding CLI with one prompt, by hand, and the same command in a shell loop.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signal, until } from './bench.mjs'
import { PROMPT_MARK } from './model.mjs'

const LOOP = fileURLToPath(new URL('./loop.sh', import.meta.url))
const PROMPT = `${PROMPT_MARK}. Find out why and fix the code in src. Do not change the tests.`
const CONTINUE = 'Continue.'

/** One prompt; and a second one in the last session. */
export const COMMANDS = {
  claude: {
    ask: [
      'claude',
      '-p',
      PROMPT,
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash(npm test)',
    ],
    goOn: [
      'claude',
      '-p',
      '--continue',
      CONTINUE,
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash(npm test)',
    ],
  },
  // Its sandbox does not let node start the processes of its tests.
  codex: {
    ask: ['codex', 'exec', '-s', 'danger-full-access', PROMPT],
    goOn: ['codex', 'exec', '-s', 'danger-full-access', 'resume', '--last', CONTINUE],
  },
}

/** Turns after which a person gives up on an agent that gets nowhere. */
export const TURNS = 3
/** Milliseconds after which a person stops waiting. */
export const WAIT_MS = 20_000

/** A person at the keyboard, who starts the agent and continues an interrupted session. */
export async function byHand(bench, event) {
  const { ask, goOn } = COMMANDS[bench.agent]
  const first = bench.startAgent(typed(bench, ask))
  if (event === 'hangs') return waitInVain(bench)
  if (event === undefined) return { said: (await first.ended).stdout.trim() }
  await bench.held()
  if (event === 'night') await interrupt(bench, first)
  else bench.kill()
  await first.ended
  return { said: (await bench.startAgent(typed(bench, goOn)).ended).stdout.trim() }
}

/** The loop in a terminal, restarted after an interruption. */
export async function inLoop(bench, event) {
  const command = ['sh', LOOP, ...COMMANDS[bench.agent].ask]
  const first = bench.startAgent(typed(bench, command))
  if (event === 'hangs') return waitInVain(bench)
  if (event !== undefined) {
    await bench.held()
    if (event === 'agent killed') bench.kill(first.pid)
    else {
      if (event === 'night') await interrupt(bench, first)
      else bench.kill()
      await first.ended
      return { said: saidBy(await bench.startAgent(typed(bench, command)).ended) }
    }
  }
  if (bench.manner !== 'lying') return { said: saidBy(await first.ended) }
  await until(() => bench.answers().length > TURNS, 'the loop to go round once more')
  bench.kill()
  await first.ended
  return { endless: true }
}

function saidBy({ code }) {
  return code === 0 ? 'npm test passes' : `exit code ${code}`
}

async function waitInVain(bench) {
  await bench.held()
  await delay(WAIT_MS)
  bench.kill()
  return { waited: true }
}

/** Ctrl-C goes to all processes in the foreground. */
async function interrupt(bench, { pid, ended }) {
  signal(-pid, 'SIGINT')
  await Promise.race([ended, delay(10_000)])
  bench.kill() // ends what ignored Ctrl-C: the terminal is closed overnight
}

function typed(bench, command) {
  bench.typed.push(command)
  return command
}
