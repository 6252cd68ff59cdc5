// Small records of ours, each one JSON document in a file. They are written whole, so one that
// cannot be read was damaged by a power loss: nothing is known of it, as where it is missing.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** What the file holds; `undefined` where it is missing, no JSON, or of another shape. */
export function storedJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      error instanceof SyntaxError ||
      error instanceof z.ZodError
    )
      return undefined
    throw error
  }
}

/** The same; `undefined` also where the disk cannot read it, for what a run can do without. */
export function readableJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return storedJson(file, schema)
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return undefined
    throw error
  }
}
