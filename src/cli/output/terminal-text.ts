// Makes text safe to print at a terminal. File names, agents and tests may hold escape sequences
// that move the cursor, hide lines or answer for the person. Only Ratchet's own colours stay.

/** Bold, dim, the six colours, grey, and their ends. */
const OWN_COLOUR = '\\[(?:0|1|2|22|3[1-6]|39|90)m'
const OWN_SEQUENCE = new RegExp(`^\\u001b${OWN_COLOUR}$`)
const SEQUENCE =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g
/** Control characters except tab and newline, and those that reverse a line. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const FOREIGN_ESCAPE = new RegExp(`\\u001b(?!${OWN_COLOUR})`, 'g')

/** Returns the text without foreign escape sequences and control characters. */
export function terminalText(text: string): string {
  return text
    .replace(SEQUENCE, (found) => (OWN_SEQUENCE.test(found) ? found : ''))
    .replace(CONTROLS, '')
    .replace(FOREIGN_ESCAPE, '')
}
