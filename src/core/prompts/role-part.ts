// A role with several duties has a section for each, `## When …`. A prompt gets the one it is
// about: with the others it would hold several forms of a result, and all but one of them are
// wrong.

const HEADINGS = {
  analysis: 'When you analyse failures',
  plan: 'When you plan tests',
  fix: 'When the task is a fix',
  assessment: 'When you are asked how critical failures are',
  review: 'When the task is a review',
  task: 'When the task is one of a test-fix cycle',
  cycle: 'When you are CD in a development cycle',
} as const
export type RolePart = keyof typeof HEADINGS

/** The text of a role without its other duties; one that does not have this duty stays whole. */
export function rolePart(text: string, part: RolePart): string {
  const sections = text.split(/^(?=## )/m)
  const own = `## ${HEADINGS[part]}\n`
  if (!sections.some((section) => section.startsWith(own))) return text
  return sections
    .filter((section) => !section.startsWith('## When ') || section.startsWith(own))
    .join('')
    .trim()
}
