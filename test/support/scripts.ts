// User scripts: a directory with the installed package, and the output of a script there.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import type { CliProcessUser } from './cli-process.js'
import { BUILT } from './servers/local.js'

export type Scripted = { stdout: string; stderr: string; code: number }

/** Runs a module, which must exit on its own. */
export function runScript(
  user: CliProcessUser,
  source: string,
  args: string[] = [],
): Promise<Scripted> {
  const dir = path.join(user.root, 'script')
  mkdirSync(path.join(dir, 'node_modules'), { recursive: true })
  const installed = path.join(dir, 'node_modules/ratchet-cycles')
  if (!existsSync(installed)) symlinkSync(path.dirname(BUILT), installed)
  writeFileSync(path.join(dir, 'run.mjs'), source)
  return ran(process.execPath, ['run.mjs', ...args], { cwd: dir, env: user.env })
}

/** The same for a TypeScript file; `npm run types` checks its types. */
export function runTypeScript(
  user: CliProcessUser,
  file: string,
  args: string[] = [],
): Promise<Scripted> {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return runScript(user, outputText, args)
}

/** Runs a program to its end. */
export function ran(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Scripted> {
  return promisify(execFile)(command, args, { ...options, maxBuffer: 16 * 1024 * 1024 }).then(
    (out) => ({ ...out, code: 0 }),
    (error: { stdout?: string; stderr?: string; code?: number | string; message: string }) => ({
      stdout: error.stdout ?? '',
      stderr: error.stderr ?? error.message,
      code: typeof error.code === 'number' ? error.code : -1,
    }),
  )
}
