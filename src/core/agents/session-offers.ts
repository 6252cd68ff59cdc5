// What an agent offers to choose from with a session: as options, or as modes and models of their
// own, which drafts of the protocol had. Agents differ, so nothing here may throw.
import { at } from './agent-events.js'

/** Modes, or models, that are named at most. */
const SHOWN = 10
/** Longest name, in characters. */
const SHOWN_CHARS = 200

/** Id of the option by which a mode or a model is chosen, or `undefined`. */
export function optionOf(session: unknown, category: 'mode' | 'model'): string | undefined {
  const id = at(optionFor(session, category), 'id')
  return typeof id === 'string' ? id : undefined
}

/** The model that an option of the session names, or `undefined`. */
export function currentModel(session: unknown): string | undefined {
  const value = at(optionFor(session, 'model'), 'currentValue')
  return typeof value === 'string' ? value : undefined
}

/** Modes or models by the names under which they are chosen, the first few. */
export function offered(session: unknown, category: 'mode' | 'model'): string[] {
  const own =
    category === 'mode'
      ? at(session, 'modes', 'availableModes')
      : at(session, 'models', 'availableModels')
  const listed =
    [at(optionFor(session, category), 'options'), own].find((list): list is unknown[] =>
      Array.isArray(list),
    ) ?? []
  return listed
    .map((one) => at(one, 'value') ?? at(one, 'modelId') ?? at(one, 'id'))
    .filter((id): id is string => typeof id === 'string')
    .slice(0, SHOWN)
    .map((id) => id.slice(0, SHOWN_CHARS))
}

function optionFor(session: unknown, category: string): unknown {
  const options = at(session, 'configOptions')
  return Array.isArray(options)
    ? (options as unknown[]).find(
        (one) => at(one, 'category') === category || at(one, 'id') === category,
      )
    : undefined
}
