// Finds the JSON object that an answer ends in, among prose, samples and other code.
//
// Fenced blocks count from the last to the first, so that a draft or a quoted sample further up
// loses; a block around the whole answer, or one that was never closed, is looked into. JSON is
// read strictly: an object with a trailing comma was cut or written by hand, and guessing at it is
// no reading.
import type { z } from 'zod'
import { boundedJson } from '../text/json.js'

export type JsonObject = Record<string, unknown>
export type JsonReading<T> = { ok: true; value: T } | { ok: false; problem: string }

/** Blocks within blocks that are looked into. */
const DEPTH = 4
/** Places in unfenced text where an object may begin. */
const STARTS = 50

/**
 * Reads the last object of an answer that fits; `keys` tell an attempt at the form from other JSON.
 */
export function lastJson<T>(
  text: string,
  schema: z.ZodType<T>,
  keys: readonly string[],
): JsonReading<T> {
  const { objects, broken } = jsonObjects(text)
  let near: string | undefined
  for (const object of objects) {
    const parsed = schema.safeParse(object)
    if (parsed.success) return { ok: true, value: parsed.data }
    if (near === undefined && keys.some((key) => Object.hasOwn(object, key)))
      near = parsed.error.issues
        .slice(0, 3)
        .map((i) => `${i.path.join('.') || 'the object'}: ${i.message}`)
        .join('; ')
  }
  if (near !== undefined) return { ok: false, problem: `the JSON does not have the form: ${near}` }
  if (text.trim() === '') return { ok: false, problem: 'the answer is empty' }
  return {
    ok: false,
    problem:
      broken === undefined
        ? 'there is no fenced JSON object in the form'
        : `the fenced JSON is not valid: ${broken}`,
  }
}

/**
 * Every JSON object of an answer, last first; `broken` says why the last block that looks like one
 * is none.
 */
export function jsonObjects(text: string): { objects: JsonObject[]; broken?: string } {
  const plain = text.replace(/\r\n?/g, '\n')
  const found = blocksOf(plain, DEPTH)
    .reverse()
    .map((block) => ({ block, ...parseObject(block) }))
  const objects = found.flatMap(({ object }) => (object === undefined ? [] : [object]))
  const unfenced = unfencedObject(plain)
  if (unfenced !== undefined) objects.push(unfenced)
  const broken = found.find(
    ({ object, block }) => object === undefined && block.trimStart().startsWith('{'),
  )?.problem
  return { objects, broken }
}

// A block that holds fences itself is replaced by what is in them.
function blocksOf(text: string, depth: number): string[] {
  const blocks: string[] = []
  let open: { fence: string; lines: string[] } | undefined
  const take = (lines: string[]): void => {
    const content = lines.join('\n')
    const inner =
      depth > 0 && parseObject(content).object === undefined ? blocksOf(content, depth - 1) : []
    blocks.push(...(inner.length > 0 ? inner : [content]))
  }
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === undefined) {
      if (fence !== '' && !(fence.startsWith('`') && rest.includes('`')))
        open = { fence, lines: [] }
    } else if (
      fence !== '' &&
      fence[0] === open.fence[0] &&
      fence.length >= open.fence.length &&
      rest.trim() === ''
    ) {
      take(open.lines)
      open = undefined
    } else open.lines.push(line)
  }
  if (open !== undefined) take(open.lines)
  return blocks
}

// The whole answer, or its end from a line that begins with a brace.
function unfencedObject(text: string): JsonObject | undefined {
  const starts = [...text.matchAll(/^[ \t]*\{/gm)].slice(0, STARTS)
  for (const { index } of starts) {
    const { object } = parseObject(text.slice(index))
    if (object !== undefined) return object
  }
  return undefined
}

function parseObject(text: string): { object?: JsonObject; problem?: string } {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return {}
  try {
    const value: unknown = boundedJson(trimmed)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { object: value as JsonObject }
      : {}
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message }
    throw error
  }
}
