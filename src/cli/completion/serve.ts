// Answers the completion scripts: `ratchet completion-server -- <the words of the line>`, with
// COMP_CWORD for the completed word and SHELL for the shell. Prints nothing on stderr and never
// fails.
import path from 'node:path'
import { complete, type Candidate } from './complete.js'
import { sourcesIn } from './sources.js'

/** Tells a script to complete file names; bash does so by default if there are no candidates. */
const FILES = '__tabtab_complete_files__'

/**
 * Prints one line for each candidate, in the format of the shell: zsh and fish also show a
 * description.
 */
export async function serveCompletion(
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const at = Number(env['COMP_CWORD'] ?? words.length - 1)
  const line = Array.from({ length: Math.max(1, at) }, (_, n) => words[n + 1] ?? '')
  const shell = path.basename(env['SHELL'] ?? 'bash')
  const named = line[line.indexOf('--project') + 1]
  const project = path.resolve(cwd, line.includes('--project') && named !== undefined ? named : '.')
  const found = await complete(line, sourcesIn(project, env))
  if (found === 'files') return shell === 'bash' ? '' : `${FILES}\n`
  return found.map((one) => `${lineOf(one, shell)}\n`).join('')
}

function lineOf({ value, about }: Candidate, shell: string): string {
  if (shell === 'zsh')
    return `${value.replaceAll(':', '\\:')}${about === undefined ? '' : `:${about}`}`
  return shell === 'fish' && about !== undefined ? `${value}\t${about}` : value
}
