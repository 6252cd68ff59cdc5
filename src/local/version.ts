// Which build this is: a supervisor keeps the code it was started with, also over an upgrade.
import { readFileSync } from 'node:fs'

const file = new URL('../../package.json', import.meta.url)

/** Version of the package. */
export const VERSION = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
