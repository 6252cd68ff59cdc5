// Finds what a repository makes this machine run: tracked configuration, agent programs and session
// files. What git does not track is the user's own.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, type Config } from '../../contract/config/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../contract/known-agents.js'
import type { Executable } from '../../contract/trust.js'
import { executablesOf } from '../../core/trust/executables.js'
import { localProgram } from '../agents/agent-command.js'
import { loadConfig, type LoadedConfig } from '../config/config.js'
import { splitZ } from '../git/git.js'
import { inRepo, type Repo } from '../git/repo.js'
import { digest } from '../state-dir.js'
import { repoOf, trackedSessions } from './record-links.js'

/** Longest file whose content is read; of a longer one the size counts. */
const READ_BYTES = 1_048_576

/**
 * Returns what a project brings, in a fixed order. Without git every file counts as the
 * repository's.
 *
 * @param loaded its configuration, if that is to be used afterwards: a second read may say
 *   something else
 * @throws RefusalError `BadConfig`
 */
export async function broughtPrograms(
  project: string,
  { config, file }: LoadedConfig = loadConfig(project),
): Promise<Executable[]> {
  const repo = await repoOf(project)
  const tracked = (files: readonly string[]): Promise<string[]> => trackedOf(repo, files)
  const named = file === undefined ? [] : await tracked([file])
  const programs = await tracked(programsIn(config, project))
  return [
    ...(named.length === 0 ? [] : executablesOf(config)),
    ...programs.map((program) => ({
      what: path.relative(project, program),
      value: contentOf(program),
    })),
    ...(await trackedSessions(repo, project)),
  ]
}

/** Those of the files that git tracks; a link counts if it or its target is tracked. */
export async function trackedOf(
  repo: Repo | undefined,
  files: readonly string[],
): Promise<string[]> {
  const there = [...new Set(files)].filter((file) => existsSync(file))
  if (repo === undefined || there.length === 0) return there
  const root = realpathSync(repo.root)
  const own = there.flatMap((file) => {
    const places = [
      path.join(realpathSync(path.dirname(file)), path.basename(file)),
      realpathSync(file),
    ]
    return places.flatMap((place) => {
      const name = path.relative(root, place)
      return name.startsWith('..') || path.isAbsolute(name) ? [] : [{ file, name }]
    })
  })
  if (own.length === 0) return []
  const listed = new Set(
    splitZ(
      await inRepo({ ...repo, root }, [
        'ls-files',
        '-z',
        '--full-name',
        '--',
        ...own.map(({ name }) => `:(top,literal)${name}`),
      ]),
    ),
  )
  return there.filter((file) => own.some((one) => one.file === file && listed.has(one.name)))
}

/** Files of the project that an agent is started from. */
function programsIn(config: Config, project: string): string[] {
  const names = new Set([...KNOWN_NAMES, ...Object.keys(config.agents), 'playbook'])
  return [...names].flatMap((name) => {
    const definition = agentDefinition(config, name)
    if (definition === undefined) return []
    if (definition.protocol === 'playbook') return [path.resolve(project, definition.file)]
    const { known, command } = definition
    const local = [command, known && KNOWN_AGENTS[known].command].flatMap(
      (one) => (one !== undefined && localProgram(one, project)) || [],
    )
    return command.includes('/') ? [path.resolve(project, command), ...local] : local
  })
}

function contentOf(file: string): string {
  const { size } = statSync(file)
  if (size > READ_BYTES) return `${size} bytes`
  return digest(readFileSync(file)).slice(0, 16)
}
