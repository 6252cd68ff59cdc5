// Finds and reads a project's configuration. Errors name the file, the line and the fix.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lilconfigSync } from 'lilconfig'
import { LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { Config, agentDefinition, agentsFor, ROLES } from '../contract/config.js'
import { RefusalError } from '../contract/failures.js'
import { digest } from './state-dir.js'

export type LoadedConfig = {
  config: Config
  /** The file it came from, `undefined` where there is none and the defaults hold. */
  file: string | undefined
  /** Digest of what was read; frozen at the start of a run. */
  hash: string
}

const FILES = ['ratchet.config.json', 'ratchet.config.yaml', 'ratchet.config.yml', 'package.json']

// YAML is a superset of JSON: one parser, one kind of position, for all of them.
const read = (_file: string, content: string): unknown => parseDocument(content).toJS() as unknown

/**
 * Loads the configuration of a project root.
 *
 * @throws RefusalError `BadConfig`
 */
export function loadConfig(project: string): LoadedConfig {
  const loaders = { '.json': read, '.yaml': read, '.yml': read, noExt: read }
  const found = lilconfigSync('ratchet', { searchPlaces: FILES, packageProp: 'ratchet', stopDir: project, loaders }).search(project)
  if (found === null || found.isEmpty === true || path.dirname(found.filepath) !== project) return { config: Config.parse({}), file: undefined, hash: digest('{}') }
  const inPackage = path.basename(found.filepath) === 'package.json'
  const text = readFileSync(found.filepath, 'utf8')
  const positions = locate(text, inPackage ? ['ratchet'] : [])
  if (positions.broken !== undefined) throw bad(found.filepath, positions.broken.line, positions.broken.message, 'correct the syntax')

  const parsed = Config.safeParse(found.config)
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number]
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const at = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String)
    const message = unknown === undefined ? `${at.join('.') || 'the file'} ${lower(issue.message)}` : `unknown key ${at.join('.')}`
    throw bad(found.filepath, positions.line(at), message, unknown === undefined ? `correct ${at.join('.') || 'it'}` : `remove ${JSON.stringify(unknown)} or correct its spelling`)
  }
  for (const role of ['default', ...ROLES] as const)
    for (const name of parsed.data.roles[role] ?? [])
      if (agentDefinition(parsed.data, name) === undefined)
        throw bad(found.filepath, positions.line(['roles', role]), `roles.${role} names the agent ${JSON.stringify(name)}, which is not defined`, `define it under "agents": { "${name}": { "protocol": "acp", "command": "…" } }`)
  return { config: parsed.data, file: found.filepath, hash: digest(JSON.stringify(parsed.data)) }
}

/** Names of the variables that the configured agents of some roles are given from the caller's environment. */
export function passedVariables(config: Config): string[] {
  const names = new Set<string>()
  for (const role of ROLES) for (const agent of agentsFor(config, role)) for (const name of agentDefinition(config, agent)?.passEnv ?? []) names.add(name)
  return [...names].sort()
}

function bad(file: string, line: number | undefined, message: string, next: string): RefusalError {
  return new RefusalError('BadConfig', message, line === undefined ? file : `${file}, line ${line}`, next)
}

function lower(message: string): string {
  return message.replace(/^(Invalid|Too|Expected|Unrecognized)/, (word) => `is wrong: ${word.toLowerCase()}`)
}

function locate(text: string, prefix: string[]): { broken?: { line: number; message: string }; line: (at: string[]) => number | undefined } {
  const counter = new LineCounter()
  const document: Document = parseDocument(text, { lineCounter: counter })
  const error = document.errors[0]
  const line = (at: string[]): number | undefined => {
    for (let depth = at.length; depth > 0; depth--) {
      const node = document.getIn([...prefix, ...at.slice(0, depth).map((k) => (/^\d+$/.test(k) ? Number(k) : k))], true) as { range?: [number, number, number] } | undefined
      if (node?.range !== undefined && node.range !== null) return counter.linePos(node.range[0]).line
    }
    return undefined
  }
  return error === undefined ? { line } : { broken: { line: error.linePos?.[0].line ?? 1, message: error.message.split('\n', 1)[0] ?? 'syntax error' }, line }
}
