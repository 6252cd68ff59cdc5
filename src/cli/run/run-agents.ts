// ratchet agents: lists the coding agents on this machine with their roles; `try` runs two small
// turns of one.
import { durationMs, durationProblem } from '../../contract/duration.js'
import { agentDefinition, type Config } from '../../contract/config/config.js'
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
import { projectTrust } from '../../adapters/trust/project-trust.js'
import { askTrust } from '../start/ask-trust.js'
import { projectDir } from '../start/project.js'

type Options = { prompt?: string; timeout?: string }

const TIMEOUT = '2m'
const ANSWER_SHOWN = 300

export async function run(
  context: Pick<Context, 'project' | 'out'>,
  [action, name]: string[],
  options: Options,
): Promise<number> {
  if (action !== undefined && action !== 'try')
    throw badInput(
      `unknown action "agents ${action}"`,
      'ratchet agents',
      'list them with: ratchet agents, or try one with: ratchet agents try <name>',
    )
  if (action === 'try') return tryOne(context, name, options)
  if (options.prompt !== undefined || options.timeout !== undefined)
    throw badInput(
      '--prompt and --timeout need: ratchet agents try <name>',
      'ratchet agents',
      'remove them, or name an agent to try',
    )
  const project = projectDir(context.project)
  const { config, chosen } = withFoundAgents(loadConfig(project), {
    project,
    env: context.project.env,
  })
  const { state } = await projectTrust(userDirs(context.project.env), project, context.project.env)
  const untrusted = state === 'untrusted'
  const agents = await agentLines(config, { project, env: context.project.env, untrusted })
  const { columns = Infinity, env } = context.out
  const note =
    chosen === undefined
      ? []
      : [
          '',
          ...wrapped(
            `no role is configured; runs use the agents found here: ${choiceText(chosen)}. ratchet init saves this choice`,
            columns,
          ),
        ]
  context.out.answer({ agents, chosen: chosen ?? null }, [
    ...agentTable(agents, { columns, home: env['HOME'] }),
    ...note,
  ])
  return EXIT.done
}

async function tryOne(
  context: Pick<Context, 'project' | 'out'>,
  name: string | undefined,
  { prompt = TRY_PROMPT, timeout = TIMEOUT }: Options,
): Promise<number> {
  const { out } = context
  if (name === undefined)
    throw badInput(
      'no agent named',
      'ratchet agents try',
      `use for example: ratchet agents try ${KNOWN_NAMES[0]}`,
    )
  if (prompt.trim() === '')
    throw badInput(
      '--prompt must not be empty',
      'ratchet agents try',
      'remove it, or give a prompt',
    )
  const problem = durationProblem(timeout)
  if (problem !== undefined)
    throw badInput(`--timeout ${problem}`, '--timeout', `use for example: --timeout ${TIMEOUT}`)
  const project = projectDir(context.project)
  const { config } = withFoundAgents(loadConfig(project), { project, env: context.project.env })
  await askTrust(context.project, out, project)
  const line = await ready(context, config, project, name)
  out.takesInterrupt()
  const tried = await tryAgent({
    agent: name,
    config,
    project,
    prompt,
    timeoutMs: durationMs(timeout),
    env: context.project.env,
    dirs: userDirs(context.project.env),
    signal: out.interrupted,
    say: out.say,
  }).catch((error: unknown) => {
    if (!(error instanceof MissingVariableError)) throw error
    throw notReady({
      ...line,
      missing: error.message,
      next: line.next === '' ? 'set it in this shell' : line.next,
    })
  })
  if (out.interrupted.aborted)
    throw interrupted(`ratchet agents try ${name}`, 'its temporary files were removed')
  const verdict = judge(config, line, tried, timeout)
  out.answer({ ok: verdict.ok, ...tried, message: verdict.message, next: verdict.next }, [
    ...tried.turns.flatMap(turnLines),
    oneLine(verdict.message),
    ...(verdict.next === '' ? [] : [`next: ${verdict.next}`]),
  ])
  return verdict.ok ? EXIT.done : EXIT.otherwise
}

// Refuses what cannot start before anything is created. A login may be in a place that cannot be
// checked.
async function ready(
  context: Pick<Context, 'project' | 'out'>,
  config: Config,
  project: string,
  name: string,
): Promise<AgentLine> {
  if (agentDefinition(config, name) === undefined) {
    const names = [...new Set([...KNOWN_NAMES, 'playbook', ...Object.keys(config.agents)])]
    throw badInput(
      `unknown agent ${name}`,
      'ratchet agents try',
      `use one of ${names.join(', ')}, or define it under "agents" in ratchet.config.json`,
    )
  }
  const line = await agentLine(config, { project, env: context.project.env }, name)
  if (line.missing !== '' && line.login !== 'no') throw notReady(line)
  if (line.program === null) throw notReady(line)
  if (line.login === 'no') context.out.warn(`warning: ${line.missing}; ${line.next}`)
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
  const startsNew = definition?.protocol === 'exec' && definition.resumeArgs === undefined
  if (startsNew)
    return {
      ok: true,
      message: `${line.name} works; every turn starts a new session, as it has no "resumeArgs"`,
      next: '',
    }
  if (!resumed)
    return {
      ok: false,
      message: `${line.name} works, but its session could not be resumed: the second turn started a new one`,
      next: 'runs then restate the task; a newer version of the agent may be able to resume',
    }
  const knew =
    remembered === true
      ? 'and remembered the word of the first turn'
      : 'but did not name the word of the first turn'
  return {
    ok: true,
    message: `${line.name} works; another process resumed its session ${knew}`,
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
      next: 'try again then; a run waits, or uses the next agent of its chain with limits.onRateLimit "next"',
    }
  if (outcome === 'unavailable')
    return {
      message: `${name} cannot reach its model provider${why}`,
      next: 'check the network and the address in its settings; a run waits for at most "limits.unavailable"',
    }
  if (['timed_out', 'stalled', 'stopped'].includes(outcome))
    return {
      message: `${name} did not finish within ${timeout}${why}`,
      next:
        login === 'no'
          ? next
          : 'raise --timeout, or try the agent by hand: it may be asking something',
    }
  return {
    message: `${name} failed${why}`,
    next: login === 'no' ? next : 'correct the cause, or try the agent by hand',
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
