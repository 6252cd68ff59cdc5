// Salvages a damaged state file: every readable field, and every readable entry of a list.
import { z } from 'zod'
import { lenientJson } from './lenient-json.js'
import { readOwn } from './safe-files.js'

/** Larger than any record: a document has 1 MB at most. */
const MOST = 64 * 1024 * 1024

export type Salvaged<T> = {
  /** Text of the file, `undefined` where there is none. */
  text: string | undefined
  /** All of it is as it should be. */
  record: T | undefined
  /** The object in it, including what a person may have typed. */
  json: Record<string, unknown> | undefined
  /** The JSON is complete. */
  whole: boolean
  /** What can be read of it. */
  found: Partial<T>
  /** Why it is not as it should be, in one sentence that begins with the file. */
  problem: string | undefined
  /** Schema version, where it is newer than this one's. */
  newer: number | undefined
}

/**
 * Reads a state file of schema 1 as far as that goes. A link is not followed.
 *
 * @param words names of texts, and of lists of texts, that are looked for where not even the
 * beginning is JSON
 */
export function salvaged<T>(
  file: string,
  schema: z.ZodObject & z.ZodType<T>,
  words: { texts: readonly (keyof T & string)[]; lists: readonly (keyof T & string)[] },
): Salvaged<T> {
  const nothing: Salvaged<T> = {
    text: undefined,
    record: undefined,
    json: undefined,
    whole: false,
    found: {},
    problem: undefined,
    newer: undefined,
  }
  const read = readOwn(file, MOST)
  if (read === undefined) return nothing
  if ('problem' in read) return { ...nothing, problem: `${file} ${read.problem}` }
  const { text } = read
  const { value, whole } = lenientJson(text)
  const json =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  const version = json?.['schema']
  if (typeof version === 'number' && version > 1)
    return { ...nothing, text, json, whole, newer: version }
  const parsed = schema.safeParse(json)
  if (whole && parsed.success)
    return { ...nothing, text, json, whole, record: parsed.data, found: parsed.data }
  const found = {
    ...fieldsIn(text, schema, words),
    ...readableParts(schema, json ?? {}),
  } as Partial<T>
  return {
    ...nothing,
    text,
    json,
    whole,
    found,
    problem: problemOf(file, { text, json, whole, error: parsed.error }),
  }
}

function problemOf(
  file: string,
  {
    text,
    json,
    whole,
    error,
  }: { text: string; json: object | undefined; whole: boolean; error: z.ZodError | undefined },
): string {
  if (text.trim() === '') return `${file} is empty`
  if (json === undefined) return `${file} holds no JSON object`
  if (!whole) return `${file} is cut or is no JSON`
  const [first] = error?.issues ?? []
  return `${file} does not have the form of a record: ${first === undefined ? 'it cannot be read' : `${first.path.join('.') || 'the whole'}: ${first.message}`}`
}

function readableParts(
  schema: z.ZodObject,
  object: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([key, part]) => {
      const value = Object.hasOwn(object, key) ? readable(part, object[key]) : undefined
      return value === undefined ? [] : [[key, value] as const]
    },
  )
  return Object.fromEntries(fields)
}

// A list without the entries that cannot be read; an object whose parts can be left out, without
// those.
function readable(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one) => readable(schema.element as z.ZodType, one) ?? [])
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null)
    return undefined
  const parts = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, part]) => {
    const found = Object.hasOwn(value, key)
      ? readable(part, (value as Record<string, unknown>)[key])
      : undefined
    if (found !== undefined) return [[key, found]]
    return part instanceof z.ZodArray ? [[key, []]] : []
  })
  const again = schema.safeParse(Object.fromEntries(parts))
  return again.success ? again.data : undefined
}

// Where not even the beginning is JSON: the texts that nothing else has.
function fieldsIn(
  text: string,
  schema: z.ZodObject,
  { texts, lists }: { texts: readonly string[]; lists: readonly string[] },
): Record<string, unknown> {
  const shape = schema.shape as Record<string, z.ZodType>
  const found = texts.flatMap((key) => {
    const [, raw] =
      new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*")`).exec(text) ?? []
    const value = raw === undefined ? undefined : shape[key]?.safeParse(lenientJson(raw).value).data
    return value === undefined ? [] : [[key, value] as const]
  })
  const listed = lists.flatMap((key) => {
    const [, raw] = new RegExp(`"${key}"\\s*:\\s*(\\[[^]*)`).exec(text) ?? []
    const value =
      raw === undefined ? undefined : readable(z.array(z.string()), lenientJson(raw).value)
    return Array.isArray(value) && value.length > 0 ? [[key, value] as const] : []
  })
  return Object.fromEntries([...found, ...listed])
}
