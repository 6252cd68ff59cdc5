// A protection that can be taken out, and the test that goes red without it.

export type Protection = {
  /** What is taken out, as the table in ARCHITECTURE.md names it. */
  protection: string
  /** File below the repository, the code there that protects, which occurs once, and what stands in its place. */
  file: string
  find: string
  replace: string
  /** The test that goes red: its file, and a part of its full name. */
  red: { file: string; name: string }
}

/** Rows of the table in ARCHITECTURE.md, in order. */
export function rowsOf(protections: readonly Protection[]): string[] {
  return protections.map(({ protection, red }) => `| ${protection} | \`${red.file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}\` ("${red.name}") |`)
}
