// Which tests a task is about: those that failed before the run count where it asks to repair them.
import { textKey } from '../dev-cycle/documents/same-text.js'

/** Minimum length of a test title that names its test anywhere in a description. */
const TITLE_CHARS = 6

const KINDS = String.raw`unit|integration|e2e|existing|old|other|failing|failed|broken|red|flaky`
const EACH = String.raw`up|all|of|the|our|my|these|those|every|remaining|\d+|${KINDS}`
/** One file limits the tests to those of it. */
const NO_FILE = String.raw`(?!\s+(?:in|of|from)\s+\S*\.\w)`
/** The object ends here: "the tests", not "the tests folder". */
const END = String.raw`(?=\s*(?:$|[.,;:!)\n]|(?:again|and|so|first|please|now|before|(?:in|on)\s+CI)\b))`
const PART = String.raw`(?:in|of|for)\b(?!\s+\S*\.\w)`
const GREEN = String.raw`(?:to\s+(?:be\s+)?|back\s+to\s+)?(?:pass|passing|green|succeed)\b`
const FIX = String.raw`\b(?:fix|repair|correct)\s+`
const MAKE = String.raw`\b(?:make|get|turn|bring)\s+`

// "Make the failing tests pass", "Fix the tests", "Get CI green" name all of them.
const ABOUT_TESTS = [
  String.raw`\b(?:failing|failed|red|broken)\s+(?:unit |integration )?tests?\b${NO_FILE}`,
  String.raw`\b(?:tests|the test)\s+(?:that |which )?(?:fails?\b|(?:is|are) (?:red|failing|broken)\b)`,
  String.raw`\b(?:all|every)\s+(?:the |unit |integration )?tests?\s+(?:must |should |have to |to )?(?:pass|be green|turn green|green)\b`,
  // "Make sure the tests pass" says how any task ends.
  String.raw`(?<!sure\s|ensure\s|sure that\s|ensure that\s)\bthe\s+(?:unit |integration )?tests\s+(?:must |should |have to |to )?(?:pass|be green|turn green|green)\b`,
  String.raw`\btest suite\s+(?:must|should)\s+(?:pass|be green|succeed)\b`,
  String.raw`失败的测试|测试.{0,6}通过|fehlschlagende\w* tests?`,
  String.raw`${FIX}(?:(?:${EACH}|test)\s+){0,6}(?:tests|specs|suites?|test failures|CI)(?:${END}|\s+${PART})`,
  String.raw`${MAKE}(?:(?:${EACH})\s+){0,4}(?:tests|(?:test\s+)?suites?|specs|CI|(?:npm|pnpm|yarn|go|cargo)\s+(?:run\s+)?test|pytest)\s+${GREEN}${END}`,
  String.raw`\b(?:tests|suite|specs|CI)\s+(?:is|are)\s+(?:red|failing|broken)\b`,
].map((one) => new RegExp(one, 'i'))

/** "Fix the test for parse": it has no other name. */
const ONE_TEST =
  /\b(?:fix|repair|correct) (?:the )?(?:(?:unit|failing|broken|red) )?(?:test|spec) /g
const JOINED = /^(?:for|of|named|called) /

/** Whether a task is about all tests that fail. */
export function isAboutTests(description: string): boolean {
  return ABOUT_TESTS.some((one) => one.test(description))
}

/** Whether a task is about a test: about all, about those of its file, or about this one. */
export function namesTest(description: string, test: string): boolean {
  if (isAboutTests(description)) return true
  const [file = '', ...titles] = test.split(' > ')
  const base = file.split('/').at(-1) ?? ''
  if (titles.length > 0 && base.includes('.') && repairsFile(description, base)) return true
  const title = textKey(titles.at(-1) ?? file)
  const said = `${textKey(description)} `
  if (title.length >= TITLE_CHARS && ` ${said}`.includes(` ${title} `)) return true
  return [...said.matchAll(ONE_TEST)].some(({ 0: match, index }) =>
    said
      .slice(index + match.length)
      .replace(JOINED, '')
      .startsWith(`${title} `),
  )
}

// A file that is named in passing is not to be repaired: "see a.test.ts".
function repairsFile(description: string, base: string): boolean {
  const file = String.raw`(?<![\w.@-])(?:[\w.@-]+/)*${base.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![\w-]|\.\w)`
  const others = String.raw`(?:[\w./@-]+\.\w+\s*(?:,\s*(?:and\s+)?|and\s+|&\s*))*`
  const words = String.raw`(?:(?!(?:and|add|write|with|then)\b)[^\s,;.]+\s+)`
  const inFile = String.raw`(?:tests?|specs?|failures?|suites?|cases?)\s+${words}{0,5}?(?:in|of|from)\s+`
  return [
    String.raw`${FIX}(?:(?:${EACH}|tests?|specs?|file)\s+){0,4}["'\`]?${others}${file}`,
    String.raw`${FIX}${words}{0,8}?${inFile}["'\`]?${others}${file}`,
    String.raw`${MAKE}(?:(?:${EACH}|in|tests?|specs?)\s+){0,5}["'\`]?${others}${file}["'\`]?\s+${GREEN}`,
    String.raw`${file}["'\`]?\s+(?:fails\b|is\s+(?:red|failing|broken)\b)`,
  ].some((one) => new RegExp(one, 'i').test(description))
}
