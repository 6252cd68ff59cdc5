// Which files a turn's tool calls say they wrote, moved or deleted. What an agent does in a shell
// is not seen here, nor what it did after its transcript was full.
import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { at } from '../../../core/agents/agent-events.js'

/** Files that are named at most. */
const FILES_NAMED = 200
/** Longer ones are no paths. */
const PATH_CHARS = 4_096

const EDITS: readonly unknown[] = ['edit', 'delete', 'move']

/** A tool call as its last update left it. */
type Call = { kind?: unknown; status?: unknown; content?: unknown; locations?: unknown }

/**
 * Edited files in the order in which they were named first, each once: relative to `cwd` where they
 * lie in it, else absolute. A call that failed, or that still waits for leave, has edited nothing.
 *
 * @param transcript path of a turn's transcript; one that is missing names no file
 */
export function editedFiles(transcript: string, cwd: string): string[] {
  const roots = [...new Set([cwd, real(cwd)])]
  const files = toolCalls(linesOf(transcript))
    .filter(({ status }) => status !== 'failed' && status !== 'pending')
    .flatMap(pathsOf)
    .map((file) => inside(roots, path.resolve(cwd, file)))
  return [...new Set(files)].slice(0, FILES_NAMED)
}

function toolCalls(lines: readonly string[]): Call[] {
  const calls: Call[] = []
  const byId = new Map<unknown, Call>()
  for (const update of lines.flatMap(updateOf)) {
    const name = at(update, 'sessionUpdate')
    if (name !== 'tool_call' && name !== 'tool_call_update') continue
    const id = at(update, 'toolCallId')
    // A restarted agent may number its calls from the start.
    const known = name === 'tool_call' ? undefined : byId.get(id)
    const call = known ?? {}
    for (const field of ['kind', 'status', 'content', 'locations'] as const)
      call[field] = at(update, field) ?? call[field]
    if (known === undefined) calls.push(call)
    byId.set(id, call)
  }
  return calls
}

function updateOf(line: string): unknown[] {
  if (!line.includes('"tool_call')) return []
  try {
    return [at(JSON.parse(line), 'update')]
  } catch (error) {
    if (error instanceof SyntaxError) return [] // torn by a crash
    throw error
  }
}

function pathsOf({ kind, content, locations }: Call): string[] {
  const located = pathsIn(list(locations))
  const changed = pathsIn(list(content).filter((part) => at(part, 'type') === 'diff'))
  // Qwen names the file in its diff without its directories, which its location has.
  return [
    ...(EDITS.includes(kind) ? located : []),
    ...changed.map((file) => located.find((whole) => whole.endsWith(`${path.sep}${file}`)) ?? file),
  ]
}

function pathsIn(parts: readonly unknown[]): string[] {
  return parts
    .map((part) => at(part, 'path'))
    .filter(
      (file): file is string =>
        typeof file === 'string' && file !== '' && file.length <= PATH_CHARS,
    )
}

function list(raw: unknown): unknown[] {
  return Array.isArray(raw) ? raw : []
}

function inside(roots: readonly string[], file: string): string {
  const relative = roots
    .map((root) => path.relative(root, file))
    .find(
      (name) =>
        name !== '' && name !== '..' && !name.startsWith(`..${path.sep}`) && !path.isAbsolute(name),
    )
  return relative ?? file
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function real(dir: string): string {
  try {
    return realpathSync(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return dir
    throw error
  }
}
