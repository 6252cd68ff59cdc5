// Thrown where no agent of a role can be asked at all; ends the run, which a person can resume.

/**
 * Every agent of a chain has no login, or a provider that stayed away for longer than a run waits.
 */
export class NoAgentError extends Error {
  override readonly name = 'NoAgentError'
}
