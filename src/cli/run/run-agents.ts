// ratchet agents: which coding agents are here and who plays what; `try` runs two small turns of
// one.
import { durationMs, durationProblem } from '../../contract/duration.js'
import { agentDefinition, type Config } from '../../contract/config.js'
import { KNOWN_NAMES } from '../../contract/known-agents.js'
import { choiceText } from '../../core/agents/agent-choice.js'
import { dollars } from '../../core/text/money.js'
import { oneLine } from '../../core/text/one-line.js'
import { MissingVariableError } from '../../adapters/agents/errors.js'
import { loadConfig } from '../../adapters/config/config.js'
import { withFoundAgents } from '../../adapters/config/run-config.js'
import { userDirs } from '../../adapters/state-dir.js'
import { agentLine, agentLines, type AgentLine } from '../agents/agents-list.js'
import { agentTable } from '../agents/agents-table.js'
import { TRY_PROMPT, tryAgent, type Tried, type TriedTurn } from '../agents/agents-try.js'
import { wrapped } from '../output/columns.js'
import type { Context } from '../context.js'
import { CommandError, EXIT, badInput, interrupted } from '../output/errors.js'
import { projectDir } from '../start/project.js'

type Options = { prompt?: string; timeout?: string }

const TIMEOUT = '2m'
const ANSWER_SHOWN = 300

export async function run(
  context: Context,
  [action, name]: string[],
  options: Options,
): Promise<number> {
  if (action !== undefined && action !== 'try')
    throw badInput(
      `there is no "agents ${action}"`,
      'ratchet agents',
      'see them all with: ratchet agents, or try one with: ratchet agents try <name>',
    )
  if (action === 'try') return tryOne(context, name, options)
  if (options.prompt !== undefined || options.timeout !== undefined)
    throw badInput(
      '--prompt and --timeout belong to: ratchet agents try <name>',
      'ratchet agents',
      'leave them out, or name an agent to try',
    )
  const project = projectDir(context)
  const { config, chosen } = withFoundAgents(loadConfig(project), { project, env: context.env })
  const agents = await agentLines(config, { project, env: context.env })
  const { columns = Infinity, env } = context
  const note =
    chosen === undefined
      ? []
      : [
          '',
          ...wrapped(
            `no role is configured; a run takes the agents that are here: ${choiceText(chosen)}. ratchet init writes them down`,
            columns,
          ),
        ]
  context.answer({ agents, chosen: chosen ?? null }, [
    ...agentTable(agents, { columns, home: env['HOME'] }),
    ...note,
  ])
  return EXIT.done
}

async function tryOne(
  context: Context,
  name: string | undefined,
  { prompt = TRY_PROMPT, timeout = TIMEOUT }: Options,
): Promise<number> {
  if (name === undefined)
    throw badInput(
      'the name of an agent is missing',
      'ratchet agents try',
      `write for example: ratchet agents try ${KNOWN_NAMES[0]}`,
    )
  if (prompt.trim() === '')
    throw badInput(
      '--prompt must not be empty',
      'ratchet agents try',
      'leave it out, or say what the agent is to do',
    )
  const problem = durationProblem(timeout)
  if (problem !== undefined)
    throw badInput(`--timeout ${problem}`, '--timeout', `write for example: --timeout ${TIMEOUT}`)
  const project = projectDir(context)
  const { config } = withFoundAgents(loadConfig(project), { project, env: context.env })
  const line = await ready(context, config, project, name)
  context.takesInterrupt()
  const tried = await tryAgent({
    agent: name,
    config,
    project,
    prompt,
    timeoutMs: durationMs(timeout),
    env: context.env,
    dirs: userDirs(context.env),
    signal: context.interrupted,
    say: context.say,
  }).catch((error: unknown) => {
    if (!(error instanceof MissingVariableError)) throw error
    throw notReady({
      ...line,
      missing: error.message,
      next: line.next === '' ? 'set it in this shell' : line.next,
    })
  })
  if (context.interrupted.aborted)
    throw interrupted(`ratchet agents try ${name}`, 'nothing of it is left')
  const verdict = judge(config, line, tried, timeout)
  context.answer({ ok: verdict.ok, ...tried, message: verdict.message, next: verdict.next }, [
    ...tried.turns.flatMap(turnLines),
    oneLine(verdict.message),
    ...(verdict.next === '' ? [] : [`next: ${verdict.next}`]),
  ])
  return verdict.ok ? EXIT.done : EXIT.otherwise
}

// What cannot begin at all is said before anything is made; a login may be where nobody can look.
async function ready(
  context: Context,
  config: Config,
  project: string,
  name: string,
): Promise<AgentLine> {
  if (agentDefinition(config, name) === undefined) {
    const names = [...new Set([...KNOWN_NAMES, 'playbook', ...Object.keys(config.agents)])]
    throw badInput(
      `there is no agent ${name}`,
      'ratchet agents try',
      `name one of ${names.join(', ')}, or define it under "agents" in ratchet.config.json`,
    )
  }
  const line = await agentLine(config, { project, env: context.env }, name)
  if (line.missing !== '' && line.login !== 'no') throw notReady(line)
  if (line.program === null) throw notReady(line)
  if (line.login === 'no') context.warn(`warning: ${line.missing}; ${line.next}`)
  return line
}

function notReady({ name, missing, next }: AgentLine): CommandError {
  return new CommandError(EXIT.otherwise, {
    type: 'AgentNotReady',
    message: `${name}: ${missing}`,
    where: 'this machine',
    next,
  })
}

type Verdict = { ok: boolean; message: string; next: string }

function judge(
  config: Config,
  line: AgentLine,
  { turns, resumed, remembered }: Tried,
  timeout: string,
): Verdict {
  const last = turns.at(-1)
  if (last === undefined) throw new Error('no turn was run')
  if (last.outcome !== 'completed') return { ok: false, ...failure(line, last, timeout) }
  const definition = agentDefinition(config, line.name)
  const startsAnew = definition?.protocol === 'exec' && definition.resumeArgs === undefined
  if (startsAnew)
    return {
      ok: true,
      message: `${line.name} works; every turn of it begins a new session, as it has no "resumeArgs"`,
      next: '',
    }
  if (!resumed)
    return {
      ok: false,
      message: `${line.name} works, but its session could not be resumed: the second turn began a new one`,
      next: 'a run restates the task where that happens; a newer version of the agent may resume',
    }
  const knew =
    remembered === true
      ? 'and knew what it had been told'
      : 'but did not name the word that it had been told'
  return {
    ok: true,
    message: `${line.name} works; another process went on in its session ${knew}`,
    next: '',
  }
}

function failure(
  { name, login, next }: AgentLine,
  { outcome, reason, limitedUntil }: TriedTurn,
  timeout: string,
): Omit<Verdict, 'ok'> {
  const why = reason === null ? '' : `: ${reason}`
  if (outcome === 'rate_limited')
    return {
      message: `${name} is rate limited${limitedUntil === null ? '' : ` until ${limitedUntil}`}${why}`,
      next: 'try it again then; a run waits by itself, or takes the next agent of its chain with limits.onRateLimit "next"',
    }
  if (outcome === 'unavailable')
    return {
      message: `${name} does not reach its model provider${why}`,
      next: 'check the network and the address in its settings; a run waits by itself, for "limits.unavailable" at most',
    }
  if (['timed_out', 'stalled', 'stopped'].includes(outcome))
    return {
      message: `${name} did not finish within ${timeout}${why}`,
      next:
        login === 'no'
          ? next
          : 'give it longer with --timeout, or try it by hand: it may ask something',
    }
  return {
    message: `${name} failed${why}`,
    next: login === 'no' ? next : 'mend what it says, or try the agent by hand',
  }
}

function turnLines(
  { outcome, sessionId, answer, usage, durationMs: took, changedFiles }: TriedTurn,
  n: number,
): string[] {
  const { inputTokens, outputTokens, costUsd, estimated } = usage
  const cost = costUsd === undefined ? '' : `, ${dollars(costUsd)} US dollars`
  return [
    `turn ${n + 1}   ${outcome} after ${(took / 1000).toFixed(1)} s`,
    ...(answer === '' ? [] : [`  answer   ${oneLine(answer, ANSWER_SHOWN)}`]),
    ...(changedFiles.length === 0 ? [] : [`  changed  ${oneLine(changedFiles.join(', '))}`]),
    `  usage    ${inputTokens} tokens in, ${outputTokens} out${cost}${estimated ? ' (estimated: the agent reported none)' : ''}`,
    ...(sessionId === null ? [] : [`  session  ${oneLine(sessionId)}`]),
  ]
}
