// History holds references to large texts, never the texts: a payload stays under 16 kB.
import { z } from 'zod'

/** A file on the project's host, with what is needed to notice that it changed. */
export const FileRef = z.object({ path: z.string(), sha256: z.string(), bytes: z.number().int() })
export type FileRef = z.infer<typeof FileRef>
