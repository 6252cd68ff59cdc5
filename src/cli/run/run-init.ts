// ratchet init: writes a configuration from what it finds. It shows the configuration first, and
// never overwrites one.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { replaceFile } from '../../adapters/files/replace-file.js'
import { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { NAME_AN_AGENT } from '../../core/agents/agents-needed.js'
import { chooseRoles } from '../../core/agents/agent-choice.js'
import { initialConfig, type FoundTests } from '../../core/initial-config.js'
import { detectAgents, isUsable, type DetectedAgent } from '../../adapters/agents/detect-agents.js'
import { GitError } from '../../adapters/git/git.js'
import { findRepo, resolve } from '../../adapters/git/repo.js'
import { registerProject } from '../../adapters/config/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import { projectTrust } from '../../adapters/trust/project-trust.js'
import { resolveTestPlan } from '../../adapters/test-runners/command.js'
import { almostThere } from '../agents/agents-list.js'
import type { Context, Output } from '../context.js'
import { EXIT, badInput, interrupted } from '../output/errors.js'
import { trialBeforeInit, trialLines } from '../doctor/sandbox-trial.js'
import { projectDir } from '../start/project.js'

type Options = { force?: boolean; yes?: boolean }

const FILE = 'ratchet.config.json'
/** In the order in which they are read. */
const FILES = [FILE, 'ratchet.config.yaml', 'ratchet.config.yml']
/** A configuration that cannot be read. */
const UNKNOWN = { state: 'untrusted' } as const
const WRITE = 'write'
const OPEN = 'write without the sandbox'
const LEAVE = 'leave'

export async function run(
  context: Pick<Context, 'project' | 'out'>,
  _args: string[],
  { force = false, yes = false }: Options,
): Promise<number> {
  const { out } = context
  const project = projectDir(context.project)
  const old = existing(project)
  if (old.length > 0 && !force)
    throw badInput(
      'a configuration exists',
      old.join(' and '),
      old.every((place) => FILES.includes(path.basename(place)))
        ? 'edit it, or replace it with: ratchet init --force, which keeps the old one as .bak'
        : `edit it, or write ${FILE}, which is read instead, with: ratchet init --force`,
    )

  const dirs = userDirs(context.project.env)
  const { state } = await projectTrust(dirs, project, context.project.env).catch(() => UNKNOWN)
  const agents = await detectAgents({
    project,
    env: context.project.env,
    untrusted: state === 'untrusted',
  })
  const tests = findTests(project, context.project.env)
  const roles = chooseRoles(agents.filter(isUsable).map(({ name }) => name))
  const noRepository = await missingOf(project)
  const trial =
    state === 'untrusted' || 'problem' in tests || noRepository.length > 0
      ? undefined
      : await trialBeforeInit(context, project)
  const works = trial?.result === 'same'
  const configure = (enclosed: boolean): Record<string, unknown> | undefined =>
    initialConfig(roles, 'problem' in tests ? undefined : tests, enclosed)
  const attended = !yes && out.ask !== undefined
  let config = configure(works && (yes || attended))
  const missing = [
    ...noRepository,
    ...('problem' in tests ? [tests.problem] : []),
    ...missingAgents(agents, roles.default !== undefined),
  ]

  const file = path.join(project, FILE)
  const found = [
    ...foundLines(agents, tests),
    ...(trial === undefined ? [] : trialLines(trial, context.project.env)),
  ]
  if (config === undefined) {
    await registerProject(dirs, project)
    out.answer({ written: null, config: null, backups: [], agents, missing, sandbox: trial }, [
      ...found,
      'no agent and no test command found, so no configuration was written',
      ...missingLines(missing),
    ])
    return EXIT.otherwise
  }
  if (attended) {
    for (const line of [...found, `${file} will contain`, ...shownLines(config)]) out.say(line)
    const choice = await chosen(out, works)
    config = choice === WRITE ? config : choice === OPEN ? configure(false) : undefined
    if (config === undefined) {
      out.say('nothing was written')
      return EXIT.otherwise
    }
  }
  const backups = old.filter((place) => FILES.includes(path.basename(place))).map(keepAside)
  await replaceFile(file, textOf(config))
  await registerProject(dirs, project)
  out.answer({ written: file, config, backups, agents, missing, sandbox: trial }, [
    ...(attended ? [] : [...found, ...shownLines(config)]),
    `wrote ${file}`,
    ...backups.map((backup) => `the old one is ${backup}`),
    ...costLines('sandbox' in config, works),
    ...missingLines(missing),
    `next: ${nextOf(missing)}`,
  ])
  return EXIT.done
}

// By file name, as a file that cannot be parsed counts too.
function existing(project: string): string[] {
  const files = FILES.map((name) => path.join(project, name)).filter((file) => existsSync(file))
  return inPackage(path.join(project, 'package.json'))
    ? [...files, `${path.join(project, 'package.json')} ("ratchet")`]
    : files
}

function inPackage(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown
    return typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, 'ratchet')
  } catch (error) {
    if (error instanceof SyntaxError) return false // reported by the check of the test command
    throw error
  }
}

function keepAside(file: string): string {
  for (let n = 1; ; n++) {
    const backup = n === 1 ? `${file}.bak` : `${file}.bak${n}`
    if (existsSync(backup)) continue
    renameSync(file, backup)
    return backup
  }
}

function findTests(project: string, env: NodeJS.ProcessEnv): FoundTests | { problem: string } {
  try {
    return resolveTestPlan({ cwd: project, config: Config.parse({}).test, env })
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return { problem: `tests: ${error.message}; ${error.next}` }
  }
}

async function missingOf(project: string): Promise<string[]> {
  try {
    const head = await resolve(await findRepo(project), 'HEAD')
    return head === undefined
      ? [
          'the git repository has no commit yet; create one: git add -A && git commit -m "first commit"',
        ]
      : []
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return [
      'this is not a git repository; create one: git init && git add -A && git commit -m "first commit"',
    ]
  }
}

// If one agent is usable, the others are not reported, except for a missing login, which is one
// command away.
function missingAgents(agents: readonly DetectedAgent[], some: boolean): string[] {
  const lacking = almostThere(agents)
  return some || lacking.length > 0 ? lacking : [`no agent was found; ${NAME_AN_AGENT}`]
}

function foundLines(
  agents: readonly DetectedAgent[],
  tests: FoundTests | { problem: string },
): string[] {
  const usable = agents
    .filter(isUsable)
    .map(
      ({ name, version, login }) =>
        `found ${name}${version === null ? '' : ` ${version}`}, ${login.state === 'yes' ? `logged in: ${login.by}` : 'perhaps logged in'}`,
    )
  return [...usable, ...('problem' in tests ? [] : [`found a test command: ${tests.display}`])]
}

function missingLines(missing: readonly string[]): string[] {
  return missing.map((one) => `missing: ${one}`)
}

function nextOf(missing: readonly string[]): string {
  return missing.length === 0
    ? 'ratchet fix, or check everything with: ratchet doctor'
    : 'add what is missing, then run: ratchet doctor'
}

const textOf = (config: object): string => `${JSON.stringify(config, null, 2)}\n`

function shownLines(config: object): string[] {
  return textOf(config)
    .trimEnd()
    .split('\n')
    .map((one) => `  ${one}`)
}

/** Says what is lost without a sandbox. */
function costLines(enclosed: boolean, works: boolean): string[] {
  if (enclosed) return []
  return [
    'permissions: deny, as nothing encloses the agents: they edit files and have Ratchet run the tests, but may not build, run commands or look around outside of the workspace',
    ...(works ? [`to enclose runs, which then allow that, add "sandbox": "auto" to ${FILE}`] : []),
  ]
}

/** Returns what the person at the terminal chose. */
async function chosen(out: Output, works: boolean): Promise<string> {
  const question = {
    id: 'init',
    kind: 'decision' as const,
    text: 'Write it?',
    options: [WRITE, ...(works ? [OPEN] : []), LEAVE],
    recommended: WRITE,
    askedAt: Date.now(),
  }
  const given = await out.ask?.(question, out.interrupted)
  if (given === 'left' || given === undefined)
    throw interrupted('ratchet init', 'nothing was written')
  return given.choice ?? LEAVE
}
