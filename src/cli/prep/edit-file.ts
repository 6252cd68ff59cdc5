// Opens a file in the person's editor, and waits until it is closed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parse } from 'shell-quote'
import { badInput } from '../output/errors.js'

/** Editor of last resort, which POSIX has. */
const USUAL = 'vi'

/**
 * Runs `$VISUAL`, else `$EDITOR`. Its value is words, as in `code --wait`; no shell reads it.
 *
 * @throws RefusalError `BadInput` if it cannot be started, fails, or needs a shell
 */
export async function editFile(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const value = [env['VISUAL'], env['EDITOR']].find((one) => (one ?? '').trim() !== '') ?? USUAL
  const words = parse(value)
  const [program, ...args] = words.filter((word) => typeof word === 'string')
  const refuse = (why: string): never => {
    throw badInput(
      `the editor ${JSON.stringify(value)} ${why}`,
      file,
      'set VISUAL or EDITOR to a program and its arguments, and edit the file with it',
    )
  }
  if (program === undefined || words.length !== args.length + 1) return refuse('needs a shell')
  const editor = spawn(program, [...args, file], { env, stdio: 'inherit' })
  try {
    const [code, signal] = (await once(editor, 'close')) as [number | null, string | null]
    if (code !== 0) refuse(`ended with ${signal ?? `code ${code ?? 'none'}`}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    refuse(`cannot be started: ${(error as Error).message}`)
  }
}
