// Builds the Temporal CLI with go, and tells how far that is by what go itself says: modules it
// downloads out of those that the module names, packages it compiles out of those that `go list`
// calls stale.
//
// What cannot be counted (an older go, a list that fails) is built all the same, without numbers.
import path from 'node:path'
import which from 'which'
import { z } from 'zod'
import { stopwatch } from '../adapters/stopwatch.js'
import { jsonOf } from '../core/text/json.js'
import { lastLine, type Run } from './temporal-download.js'

/** Time limit for go as a whole: a slow machine shows progress, and Ctrl-C ends it. */
export const BUILD_DEADLINE_MS = 1_800_000

/** How far a step is: so many of so many, and what it is at. */
export type Measure = {
  done: number
  total: number
  unit: 'modules' | 'packages' | 'MB'
  doing?: string
}

/**
 * Told what takes long, in words for a person; the same words with other numbers are the same step.
 */
export type OnProgress = (text: string, measure?: Measure) => void

export type Build = {
  module: string
  version: string
  command: string
  scratch: string
  run: Run
  env: NodeJS.ProcessEnv
  onProgress: OnProgress
}

const MODULES = 'building the Temporal server with go: getting its modules'
const PACKAGES = 'building the Temporal server with go: compiling'
const LINKING = 'building the Temporal server with go: linking'

const Downloaded = z.object({ Dir: z.string(), GoMod: z.string() })
const GoMod = z.object({ Require: z.array(z.object({ Path: z.string() })) })

/**
 * Builds `command` of the module.
 *
 * @returns path of the program
 * @throws with one sentence on what failed
 */
export async function goBuild(build: Build): Promise<string> {
  const { module, version, command, scratch, run, onProgress } = build
  const go = await which('go', { nothrow: true, path: build.env['PATH'] ?? '' })
  if (go === null) throw new Error('go is not on PATH')
  onProgress(MODULES)
  const took = stopwatch()
  const stale = await stalePackages(go, build)
  const total = stale?.size
  const compiling = (done: number, doing?: string): void =>
    total === undefined
      ? onProgress(PACKAGES)
      : onProgress(done < total ? PACKAGES : LINKING, {
          done,
          total,
          unit: 'packages',
          ...(doing !== undefined && { doing }),
        })
  compiling(0)
  const compiled = new Set<string>()
  const bin = path.join(scratch, 'gobin')
  const built = await run(go, ['install', '-v', `${module}/${command}@v${version}`], {
    env: { ...environment(build.env, '-mod=mod'), GOBIN: bin },
    timeoutMs: Math.max(1, BUILD_DEADLINE_MS - took()),
    cwd: scratch,
    onLine: (line) => {
      // Other lines are of downloads, or errors.
      if (stale?.has(line) !== true || compiled.has(line)) return
      compiled.add(line)
      compiling(compiled.size, line)
    },
  })
  if (built.code !== 0)
    throw new Error(lastLine(built.stderr) || `go ended with code ${built.code}`)
  return path.join(bin, path.basename(command))
}

// A user's -mod=vendor or -mod=readonly would refuse a module that is not theirs.
function environment(env: NodeJS.ProcessEnv, mod: string): NodeJS.ProcessEnv {
  return {
    ...env,
    GOFLAGS: [env['GOFLAGS'], mod].filter((flag) => flag !== undefined && flag !== '').join(' '),
    GOWORK: 'off',
  }
}

// Packages that have to be compiled. Asking for them downloads every module that is needed, and no
// other.
async function stalePackages(
  go: string,
  { module, version, command, scratch, run, env, onProgress }: Build,
): Promise<Set<string> | undefined> {
  const timeoutMs = BUILD_DEADLINE_MS / 2
  const got = await run(go, ['mod', 'download', '-json', `${module}@v${version}`], {
    env: environment(env, '-mod=mod'),
    timeoutMs,
    cwd: scratch,
  })
  const downloaded = got.code === 0 ? parsed(Downloaded, got.stdout) : undefined
  if (downloaded === undefined) return undefined
  const needs = await run(go, ['mod', 'edit', '-json', downloaded.GoMod], {
    env: environment(env, '-mod=mod'),
    timeoutMs,
    cwd: scratch,
  })
  const total = (needs.code === 0 ? parsed(GoMod, needs.stdout) : undefined)?.Require.length
  let done = 0
  // The module cache is read-only, so that nothing may be changed there.
  const listed = await run(
    go,
    ['list', '-deps', '-f', '{{if .Stale}}{{.ImportPath}}{{end}}', `./${command}`],
    {
      env: environment(env, '-mod=readonly'),
      timeoutMs,
      cwd: downloaded.Dir,
      onLine: (line) => {
        const doing = /^go: downloading (\S+)/.exec(line)?.[1]
        if (doing !== undefined && total !== undefined && done < total)
          onProgress(MODULES, { done: done++, total, unit: 'modules', doing })
      },
    },
  )
  return listed.code === 0
    ? new Set(listed.stdout.split('\n').filter((line) => line !== ''))
    : undefined
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  return schema.safeParse(jsonOf(text)).data
}
