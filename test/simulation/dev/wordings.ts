// How agents word what they have to report. What an entry means is known here, and not asked of the
// product.
export type Wording = { text: string; means: 'nothing' | 'low' | 'finding' }

export const WORDINGS: readonly Wording[] = [
  { text: '', means: 'nothing' },
  { text: 'No issues found.', means: 'nothing' },
  { text: 'None, all tests pass', means: 'nothing' },
  { text: 'n/a', means: 'nothing' },
  { text: 'all resolved', means: 'nothing' },
  { text: '无', means: 'nothing' },
  { text: 'no blocking issues remain', means: 'nothing' },
  { text: '[low] the name of a variable is long', means: 'low' },
  { text: 'Minor: a comment has a typo', means: 'low' },
  { text: 'FR-001 is not met', means: 'finding' },
  { text: '[medium] the sum of negative numbers is wrong', means: 'finding' },
  { text: '[high] no input is checked', means: 'finding' },
  { text: '[high] save() drops its second argument (optional)', means: 'finding' },
  { text: 'Note: orders are lost on restart', means: 'finding' },
]

export const meaning = (n: number): Wording => WORDINGS[n % WORDINGS.length] as Wording
