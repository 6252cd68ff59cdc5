// Whether a known agent is logged in, as far as that shows without asking anybody: a key in the
// environment, or a file that a login leaves behind. What such a file or variable holds is never
// read. A login elsewhere (a cloud's own, a model server of one's own) does not show.
import { KNOWN_AGENTS, type KnownName } from '../../contract/known-agents.js'

export type Login =
  /** `by`: the name of the variable, or the path of the file. */
  | { state: 'yes'; by: string }
  /** It may be, somewhere that cannot be looked into. */
  | { state: 'unknown'; by: string }
  | { state: 'no'; next: string }

/** What is looked at; no value of a variable but the folders. */
export type LoginFacts = {
  home: string
  /** Value of a variable, for the folder that it names. */
  folder: (variable: string) => string | undefined
  isSet: (variable: string) => boolean
  isFile: (path: string) => boolean
  platform: string
}

/** Judges the login of a known agent. */
export function loginOf(name: KnownName, facts: LoginFacts): Login {
  const { keyEnv, login } = KNOWN_AGENTS[name]
  const variable = keyEnv.find((one) => facts.isSet(one))
  if (variable !== undefined) return { state: 'yes', by: variable }
  const file = loginPaths(name, facts).find((one) => facts.isFile(one))
  if (file !== undefined) return { state: 'yes', by: file }
  if (name === 'claude' && facts.platform === 'darwin')
    return { state: 'unknown', by: 'the key chain' }
  return { state: 'no', next: login }
}

/**
 * Absolute paths of the files that a login leaves behind.
 *
 * A variable replaces the home directory for some agents and their own folder in it for others:
 * both are looked at.
 */
export function loginPaths(
  name: KnownName,
  { home, folder }: Pick<LoginFacts, 'home' | 'folder'>,
): string[] {
  return KNOWN_AGENTS[name].loginFiles.flatMap(({ path, under }) => {
    const dir = under === undefined ? undefined : folder(under)
    if (dir === undefined || dir === '') return [`${home}/${path}`]
    return [`${dir}/${path}`, `${dir}/${path.slice(path.indexOf('/') + 1)}`]
  })
}
