// Makes a schema of the contract strict, as its objects ignore unknown keys and fill in defaults:
// what comes over the wire has every key that it needs, and no other.
import { z } from 'zod'

/** Returns what is wrong with a value of a schema, or `undefined`. */
export type Check = (value: never) => string | undefined

type Made = Map<z.ZodType, z.ZodType>

/**
 * Returns the schema with every object in it strict, every default required, and each schema of
 * `checks` with its check.
 *
 * @param made schemas that were made with the same checks
 */
export function strictSchema(
  schema: z.ZodType,
  checks: ReadonlyMap<z.ZodType, Check> = new Map<z.ZodType, Check>(),
  made: Made = new Map(),
): z.ZodType {
  const known = made.get(schema)
  if (known !== undefined) return known
  const strict = strictly(schema, (inner) => strictSchema(inner, checks, made))
  const check = checks.get(schema)
  const checked =
    check === undefined
      ? strict
      : strict.superRefine((value, ctx) => {
          const message = check(value as never)
          if (message !== undefined) ctx.addIssue({ code: 'custom', message })
        })
  made.set(schema, checked)
  return checked
}

type Inner = (schema: z.ZodType) => z.ZodType

function strictly(schema: z.ZodType, inner: Inner): z.ZodType {
  const within = (part: unknown): z.ZodType => inner(part as z.ZodType)
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>).map(
      ([key, value]) => [key, inner(value)] as const,
    )
    return schema.clone({ ...schema.def, shape: Object.fromEntries(shape), catchall: z.never() })
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: within(schema.def.element) })
  if (schema instanceof z.ZodRecord)
    return schema.clone({ ...schema.def, valueType: within(schema.def.valueType) })
  if (schema instanceof z.ZodUnion)
    return schema.clone({ ...schema.def, options: schema.def.options.map(within) })
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return schema.clone({ ...schema.def, innerType: within(schema.def.innerType) } as never)
  if (schema instanceof z.ZodDefault) return within(schema.def.innerType)
  if (PLAIN.some((kind) => schema instanceof kind)) return schema
  throw new Error(`an input of an activity has a schema that is not known here: ${schema.type}`)
}

const PLAIN = [
  z.ZodString,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodUnknown,
] as const
