// Installs the known agents at the versions that Ratchet was measured with, for `npm run agents`.
//
// Usage: node scripts/agents/install.mjs [name…]      all five: about 1.7 GB
// Each goes into a folder of its own below RATCHET_AGENTS_CACHE, else ~/.cache/ratchet/agents; nothing
// is put on PATH. What is there already is left alone. Prints one folder of programs a line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Only this one needs its install script: it puts the program of the platform in the place of a stub. None compiles anything. */
const NEEDS_SCRIPTS = new Set(['opencode'])

/** The table of known agents: the one in src, which imports nothing. */
async function knownAgents() {
  const source = await readFile(path.join(ROOT, 'src/contract/known-agents.ts'), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)).KNOWN_AGENTS
}

export function cacheDir(env = process.env) {
  return (
    env.RATCHET_AGENTS_CACHE ??
    path.join(env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'ratchet', 'agents')
  )
}

/**
 * Installs those that are missing.
 *
 * @returns the folder of programs by name
 */
export async function installAgents(names = []) {
  const known = await knownAgents()
  const unknown = names.find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw new Error(
      `no agent is called ${JSON.stringify(unknown)}; known are ${Object.keys(known).join(', ')}`,
    )
  const cache = cacheDir()
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const bins = {}
  // One after the other: they are large, and share npm's own cache.
  for (const name of names.length > 0 ? names : Object.keys(known))
    bins[name] = await installOne(cache, name, known[name])
  return bins
}

async function installOne(cache, name, { package: wanted, command }) {
  const home = path.join(cache, `${name}-${wanted.version}`)
  const bin = path.join(home, 'node_modules', '.bin')
  if (await exists(path.join(bin, command))) return bin
  const unlock = await lock(`${home}.lock`)
  try {
    if (await exists(path.join(bin, command))) return bin // another installer was faster
    const scratch = `${home}.part`
    await rm(scratch, { recursive: true, force: true })
    await mkdir(scratch, { recursive: true })
    console.error(`installing ${wanted.name}@${wanted.version}`)
    await npm(scratch, [
      'install',
      '--prefix',
      scratch,
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--engine-strict=false',
      ...(NEEDS_SCRIPTS.has(name) ? [] : ['--ignore-scripts']),
      `${wanted.name}@${wanted.version}`,
    ])
    if (!(await exists(path.join(scratch, 'node_modules', '.bin', command))))
      throw new Error(`${wanted.name}@${wanted.version} has no program ${command}`)
    await rm(home, { recursive: true, force: true })
    await rename(scratch, home)
    return bin
  } finally {
    await unlock()
  }
}

async function npm(cwd, args) {
  // Of `npm run` it would inherit the settings of this project, such as its folder.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|config_(local_prefix|engine_strict|save_exact))/.test(name),
    ),
  )
  const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`npm ${args.at(-1)} ended with ${code}`)
}

/** One installer at a time: a file with the process's id, which does not count once that process is gone. */
async function lock(file) {
  for (;;) {
    const handle = await open(file, 'wx').catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (handle !== undefined) {
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(file, { force: true })
    }
    if (!alive(Number(await readFile(file, 'utf8').catch(() => ''))))
      await rm(file, { force: true })
    await sleep(500)
  }
}

function alive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bins = await installAgents(process.argv.slice(2))
  for (const bin of Object.values(bins)) console.log(bin)
}
