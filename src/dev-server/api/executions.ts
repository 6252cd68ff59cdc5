// Lists of runs in the answers of the server, which leave out what is empty or zero.
import { z } from 'zod'
import type { SearchAttribute } from '../../contract/names.js'
import { payloadValue } from './server-api.js'

export const SearchAttributes = z.object({
  indexedFields: z.record(z.string(), z.unknown()).default({}),
})

/** A page of a list. */
export const Executions = z.object({
  executions: z
    .array(
      z.object({
        execution: z.object({ workflowId: z.string() }),
        searchAttributes: SearchAttributes.optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().default(''),
})

/** Real path of the project of a run; a run that has just begun is not indexed yet. */
export function indexedProject(
  attributes: z.infer<typeof SearchAttributes> | undefined,
): string | undefined {
  const stored = attributes?.indexedFields['RatchetProject' satisfies SearchAttribute]
  const project = stored === undefined ? undefined : payloadValue(stored)
  return typeof project === 'string' ? project : undefined
}
