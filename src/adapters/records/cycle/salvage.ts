// What a master file still says, whatever has become of it: each field that can be read, each entry of a
// list that can be read. Source: 003 "State Rebuild"; ccw §1.7 "state corrupt".
import { z } from 'zod'
import { readOwn } from './own-files.js'
import { lenientJson } from './lenient-json.js'
import { StoredCycle } from './schema.js'

/** Larger than any record: a document has 1 MB at most. */
const MOST = 64 * 1024 * 1024

export type Salvaged = {
  /** Text of the file, `undefined` where there is none. */
  text: string | undefined
  /** All of it is as it should be. */
  record: StoredCycle | undefined
  /** What can be read of it. */
  found: Partial<StoredCycle>
  /** Why it is not as it should be, in one sentence. */
  problem: string | undefined
  /** Schema version, where it is newer than this one's. */
  newer: number | undefined
}

/** Reads a master file as far as that goes. */
export function salvage(master: string): Salvaged {
  const nothing: Salvaged = { text: undefined, record: undefined, found: {}, problem: undefined, newer: undefined }
  const read = readOwn(master, MOST)
  if (read === undefined) return nothing
  if ('problem' in read) return { ...nothing, problem: `${master} ${read.problem}` }
  const { text } = read
  const { value, whole } = lenientJson(text)
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  const schema = object?.['schema']
  if (typeof schema === 'number' && schema > 1) return { ...nothing, text, newer: schema }
  const parsed = StoredCycle.safeParse(object)
  if (whole && parsed.success) return { text, record: parsed.data, found: parsed.data, problem: undefined, newer: undefined }
  return { text, record: undefined, found: { ...fieldsIn(text), ...partsOf(object ?? {}) }, problem: problemOf(master, { text, object, whole, error: parsed.error }), newer: undefined }
}

function problemOf(master: string, { text, object, whole, error }: { text: string; object: object | undefined; whole: boolean; error: z.ZodError | undefined }): string {
  if (text.trim() === '') return `${master} is empty`
  if (object === undefined) return `${master} holds no JSON object`
  if (!whole) return `${master} is cut or is no JSON`
  const [first] = error?.issues ?? []
  return `${master} does not have the form of a record: ${first === undefined ? 'it cannot be read' : `${first.path.join('.') || 'the whole'}: ${first.message}`}`
}

function partsOf(object: Record<string, unknown>): Partial<StoredCycle> {
  const fields = Object.entries(StoredCycle.shape).flatMap(([key, schema]) => {
    const value = Object.hasOwn(object, key) ? readable(schema as z.ZodType, object[key]) : undefined
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(fields) as Partial<StoredCycle>
}

// A list without the entries that cannot be read; an object whose parts can be left out, without those.
function readable(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.flatMap((one) => readable(schema.element as z.ZodType, one) ?? [])
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined
  const parts = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, part]) => {
    const found = Object.hasOwn(value, key) ? readable(part, (value as Record<string, unknown>)[key]) : undefined
    if (found !== undefined) return [[key, found]]
    return part instanceof z.ZodArray ? [[key, []]] : []
  })
  const again = schema.safeParse(Object.fromEntries(parts))
  return again.success ? again.data : undefined
}

const WORDS = { title: z.string(), description: z.string(), created_at: z.string(), status: StoredCycle.shape.status } as const

// Where not even the beginning is JSON: the texts that nothing else has.
function fieldsIn(text: string): Partial<StoredCycle> {
  const fields = Object.entries(WORDS).flatMap(([key, schema]) => {
    const [, raw] = new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*")`).exec(text) ?? []
    const value = raw === undefined ? undefined : schema.safeParse(lenientJson(raw).value).data
    return value === undefined ? [] : [[key, value]]
  })
  const [, list] = /"task_history"\s*:\s*(\[[^]*)/.exec(text) ?? []
  const history = list === undefined ? undefined : readable(z.array(z.string()), lenientJson(list).value)
  return { ...(Object.fromEntries(fields) as Partial<StoredCycle>), ...(Array.isArray(history) && history.length > 0 ? { task_history: history as string[] } : {}) }
}
