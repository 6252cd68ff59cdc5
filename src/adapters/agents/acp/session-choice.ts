// Chooses mode and model of a session. Agents offer them in different ways: as modes, as options,
// or by a method from drafts of the protocol.
import { at } from '../../../core/agents/agent-events.js'
import { currentModel, offered, optionOf } from '../../../core/agents/session-offers.js'
import { AgentRefusedError, NotAcpError } from '../errors.js'
import type { SessionChoice } from '../agent-port.js'

export type ChoosingAgent = {
  setMode: (modeId: string) => Promise<unknown>
  setOption: (configId: string, value: string) => Promise<unknown>
  /** The method of the drafts, which gemini and qwen still have. */
  setModel: (modelId: string) => Promise<unknown>
  /** Limits an answer before the first prompt. */
  starting: <T>(what: string, answer: Promise<T>) => Promise<T>
}

export const AUTH_REQUIRED = -32000
/** Characters of an agent's own text in an error, which goes into the history of its run. */
export const SHOWN_CHARS = 200

/**
 * Chooses mode and model of a session.
 *
 * @param session the agent's answer when it opened the session
 * @throws NotAcpError if the agent does not offer the choice, or refuses it
 */
export async function chooseIn(
  agent: ChoosingAgent,
  { mode, model, repeatsModel = false }: SessionChoice,
  session: unknown,
  { resumed }: { resumed: boolean },
): Promise<void> {
  if (mode !== undefined) {
    // Some have modes only as an option
    const configId = at(session, 'modes') ? undefined : optionOf(session, 'mode')
    await chosen(
      agent,
      'mode',
      mode,
      session,
      configId === undefined ? agent.setMode(mode) : agent.setOption(configId, mode),
    )
  }
  if (model !== undefined) await chooseModel(agent, model, session, resumed)
  else if (resumed && repeatsModel) await repeatModel(agent, session)
}

// The turn works with another model, too.
async function repeatModel(agent: ChoosingAgent, session: unknown): Promise<void> {
  const [configId, model] = [optionOf(session, 'model'), currentModel(session)]
  if (configId === undefined || model === undefined) return
  try {
    await agent.starting('the model', agent.setOption(configId, model))
  } catch (error) {
    if (!(error instanceof AgentRefusedError)) throw error
  }
}

async function chooseModel(
  agent: ChoosingAgent,
  model: string,
  session: unknown,
  resumed: boolean,
): Promise<void> {
  const configId = optionOf(session, 'model')
  const isListed = configId !== undefined || at(session, 'models')
  // Some agents say nothing about a resumed session; one that then refuses a model is not resumed.
  if (!isListed && resumed)
    return void (await agent.starting(
      'the model',
      agent
        .setOption('model', model)
        .catch((error: unknown) =>
          error instanceof AgentRefusedError
            ? agent.setModel(model)
            : Promise.reject(error as Error),
        ),
    ))
  if (!isListed)
    throw new NotAcpError(
      'the agent does not offer a choice of model over the protocol: remove "model" from its definition and name it in "args" or "env"',
    )
  await chosen(
    agent,
    'model',
    model,
    session,
    configId === undefined ? agent.setModel(model) : agent.setOption(configId, model),
  )
}

async function chosen(
  agent: ChoosingAgent,
  what: 'mode' | 'model',
  name: string,
  session: unknown,
  answer: Promise<unknown>,
): Promise<void> {
  try {
    await agent.starting(`the ${what}`, answer)
  } catch (error) {
    if (!(error instanceof AgentRefusedError) || error.error.code === AUTH_REQUIRED) throw error
    const offers = offered(session, what)
    throw new NotAcpError(
      `the agent does not take the ${what} ${JSON.stringify(name)} (${error.message.slice(0, SHOWN_CHARS)})${offers.length === 0 ? '' : `; it offers ${offers.join(', ')}`}`,
    )
  }
}
