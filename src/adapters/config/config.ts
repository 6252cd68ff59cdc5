// Finds and reads a project's configuration. Errors name the file, the line and the fix.
import { lstatSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { lilconfigSync } from 'lilconfig'
import { LineCounter, parseDocument, type Document } from 'yaml'
import type { z } from 'zod'
import { Config, agentDefinition, agentsFor } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { KNOWN_NAMES } from '../../contract/known-agents.js'
import { digest } from '../state-dir.js'
import { splitCommand } from '../workspace/workspace-command.js'
import { ROLES } from '../../contract/config/agent-config.js'

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
  for (const name of FILES) requireFile(path.join(project, name))
  const loaders = { '.json': read, '.yaml': read, '.yml': read, noExt: read }
  const found = lilconfigSync('ratchet', {
    searchPlaces: FILES,
    packageProp: 'ratchet',
    stopDir: project,
    loaders,
  }).search(project)
  if (found === null || found.isEmpty === true || path.dirname(found.filepath) !== project)
    return { config: Config.parse({}), file: undefined, hash: digest('{}') }
  const inPackage = path.basename(found.filepath) === 'package.json'
  const text = readFileSync(found.filepath, 'utf8')
  const positions = locate(text, inPackage ? ['ratchet'] : [])
  if (positions.broken !== undefined)
    throw bad(
      found.filepath,
      positions.broken.line,
      `the file cannot be read, a brace, bracket, quote or comma may be missing there or before: ${positions.broken.message}`,
      'correct the syntax',
    )

  const parsed = Config.safeParse(found.config)
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, found.config))
    const shown = faults.slice(0, FAULTS_SHOWN)
    const more = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : []
    const lines = shown.map(({ at }) => (at.length === 0 ? 1 : positions.line(at)))
    throw bad(
      found.filepath,
      lines,
      [...shown.map(({ message }) => message), ...more].join('; '),
      [...new Set(shown.map(({ next }) => next))].join('; '),
    )
  }
  for (const name of Object.keys(parsed.data.agents))
    if (agentDefinition(parsed.data, name) === undefined)
      throw bad(
        found.filepath,
        positions.line(['agents', name]),
        `agents.${name} says neither a protocol nor which agent it extends`,
        name === 'playbook'
          ? 'add "protocol": "playbook"'
          : `add "protocol": "acp" or "exec" with a command, or "extends" with one of ${KNOWN_NAMES.join(', ')}`,
      )
  for (const role of ['default', ...ROLES] as const)
    for (const name of parsed.data.roles[role] ?? [])
      if (agentDefinition(parsed.data, name) === undefined)
        throw bad(
          found.filepath,
          positions.line(['roles', role]),
          `roles.${role} names the agent ${JSON.stringify(name)}, which is not defined`,
          `define it under "agents": { "${name}": { "protocol": "acp", "command": "…" } }, or use one of ${KNOWN_NAMES.join(', ')}`,
        )
  for (const [name, hook] of Object.entries(parsed.data.hooks))
    if (hook !== undefined && 'command' in hook)
      checkCommand(hook.command, `hooks.${name}`, (message, next) =>
        bad(found.filepath, positions.line(['hooks', name]), message, next),
      )
  return { config: parsed.data, file: found.filepath, hash: digest(JSON.stringify(parsed.data)) }
}

/** Refuses a directory, and a link that leads nowhere: a run would go by the defaults. */
function requireFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return
  const leadsTo = statSync(file, { throwIfNoEntry: false })
  if (leadsTo?.isFile() === true) return
  throw bad(
    file,
    undefined,
    leadsTo === undefined ? 'this is a link to a file that is not there' : 'this is not a file',
    'put a file in its place, or remove it',
  )
}

/**
 * Names of the variables that the configured agents of some roles, and webhooks, are given from the
 * caller's environment, where they are set.
 */
export function passedVariables(config: Config): string[] {
  return variablesOf(config, ({ passEnv = [], mayPassEnv = [] }) => [...passEnv, ...mayPassEnv])
}

/** Those of them that the configuration itself names, under `passEnv`. */
export function namedVariables(config: Config): string[] {
  return variablesOf(config, ({ passEnv = [] }) => passEnv)
}

function variablesOf(
  config: Config,
  ofAgent: (definition: {
    passEnv?: readonly string[]
    mayPassEnv?: readonly string[]
  }) => readonly string[],
): string[] {
  const names = new Set<string>()
  for (const role of ROLES)
    for (const agent of agentsFor(config, role))
      for (const name of ofAgent(agentDefinition(config, agent) ?? {})) names.add(name)
  for (const hook of Object.values(config.hooks))
    if (hook !== undefined && 'url' in hook) for (const name of hook.passEnv) names.add(name)
  return [...names].sort()
}

function checkCommand(
  command: string | string[],
  setting: string,
  refuse: (message: string, next: string) => RefusalError,
): void {
  try {
    splitCommand(command, setting)
  } catch (error) {
    throw error instanceof RefusalError ? refuse(error.message, error.next) : error
  }
}

function bad(
  file: string,
  at: number | undefined | (number | undefined)[],
  message: string,
  next: string,
): RefusalError {
  const lines = [...new Set([at].flat().filter((line) => line !== undefined))].sort((a, b) => a - b)
  return new RefusalError(
    'BadConfig',
    message,
    lines.length === 0 ? file : `${file}, line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`,
    next,
  )
}

type Fault = { at: string[]; message: string; next: string }
const FAULTS_SHOWN = 5

function faultsOf(issue: Issue, config: unknown): Fault[] {
  const at = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      at: [...at, key],
      message: `unknown key ${[...at, key].join('.')}`,
      next: `remove ${JSON.stringify(key)} or correct its spelling`,
    }))
  const { what, next } = problem(issue, valueAt(config, issue.path))
  return [
    {
      at,
      message: `${at.join('.') || 'the file'} ${what}`,
      next: next ?? `correct ${at.join('.') || 'it'}`,
    },
  ]
}

type Issue = z.core.$ZodIssue

// Rule and value, in the words of this file's author rather than of the schema.
function problem(issue: Issue, value: unknown): { what: string; next?: string } {
  const got = value === undefined ? 'nothing' : JSON.stringify(value)
  switch (issue.code) {
    case 'custom': {
      const [what = '', next] = issue.message.split('; ')
      return { what, next }
    }
    case 'invalid_type':
      return {
        what: value === undefined ? 'is missing' : `must be ${article(issue.expected)}, got ${got}`,
      }
    case 'too_small':
      return {
        what:
          issue.origin === 'string' || issue.origin === 'array'
            ? 'must not be empty'
            : `must be at least ${issue.minimum}, got ${got}`,
      }
    case 'too_big':
      return { what: `must be at most ${issue.maximum}, got ${got}` }
    case 'invalid_value': {
      const [, next] = issue.message.split('; ')
      return {
        what: `must be ${alternatives(issue.values.map((v) => JSON.stringify(v)))}, got ${got}`,
        next,
      }
    }
    case 'invalid_union': {
      if ('options' in issue && Array.isArray(issue.options))
        return {
          what:
            value === undefined
              ? 'is missing'
              : `must be ${alternatives(issue.options.map((o) => JSON.stringify(o)))}, got ${got}`,
        }
      const options = issue.errors.flat()
      const inside = options.find(
        (option) => option.path.length > 0 || option.code !== 'invalid_type',
      )
      if (inside !== undefined) return problem(inside, valueAt(value, inside.path))
      const expected = options.flatMap((option) =>
        option.code === 'invalid_type' ? [article(option.expected)] : [],
      )
      return { what: `must be ${alternatives(expected)}, got ${got}` }
    }
    case 'invalid_key':
      return { what: `is no valid name: ${issue.issues[0]?.message ?? issue.message}` }
    case 'invalid_format':
      return {
        what: /^must /.test(issue.message)
          ? `${issue.message}, got ${got}`
          : `is wrong: ${issue.message}, got ${got}`,
      }
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'not_multiple_of':
      return { what: `is wrong: ${issue.message}, got ${got}` }
  }
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  if (type === 'record') return 'an object'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function alternatives(words: string[]): string {
  return [...new Set(words)].join(' or ')
}

function valueAt(root: unknown, at: readonly PropertyKey[]): unknown {
  return at.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    root,
  )
}

function locate(
  text: string,
  prefix: string[],
): { broken?: { line: number; message: string }; line: (at: string[]) => number | undefined } {
  const counter = new LineCounter()
  const document: Document = parseDocument(text, { lineCounter: counter })
  const error = document.errors[0]
  const line = (at: string[]): number | undefined => {
    for (let depth = at.length; depth > 0; depth--) {
      const node = document.getIn(
        [...prefix, ...at.slice(0, depth).map((k) => (/^\d+$/.test(k) ? Number(k) : k))],
        true,
      ) as { range?: [number, number, number] } | undefined
      if (node?.range !== undefined && node.range !== null)
        return counter.linePos(node.range[0]).line
    }
    return undefined
  }
  return error === undefined
    ? { line }
    : {
        broken: {
          line: error.linePos?.[0].line ?? 1,
          message: (error.message.split('\n', 1)[0] ?? '').replace(
            / at line \d+, column \d+:?$/,
            '',
          ),
        },
        line,
      }
}
