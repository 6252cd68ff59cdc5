// Thrown if no agent of a role can be used; ends the run, which a person can resume.

/**
 * No agent of a chain can be used: there is no login, or its provider stayed away for longer than a
 * run waits.
 */
export class NoAgentError extends Error {
  override readonly name = 'NoAgentError'
}
