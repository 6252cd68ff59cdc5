// Whether an entry in a list of issues says that there is none: "No issues found.", "None, all
// tests pass", "无".
//
// Every clause must say so. One that excepts something, or that the words below do not know, is an
// issue.

/** Longest text that is looked at, in characters: an agent that has nothing to report is brief. */
const CHARS = 300

const THING =
  '(?:known |open |new |blocking |blocker |critical |major |minor |remaining |outstanding |further |additional |other |more |real |significant |serious |functional |test |lint |type |build |code |unresolved )*(?:issues?|blockers?|problems?|bugs?|errors?|warnings?|failures?|failing tests?|failed tests?|tests? fail(?:ed|ing|ures?)?|findings?|defects?|regressions?|concerns?|gaps?|remarks?|comments?|points?|questions?|items?|files?|changes? (?:needed|required))'
const SEEN =
  '(?:found|identified|detected|discovered|reported|observed|encountered|remain(?:ing)?|left|open|known|outstanding|noted|seen|present|raised|exist|to (?:report|note|fix|mention|address))'
const WHEN =
  '(?: (?:at this time|at this point|at present|at the moment|so far|yet|now|currently|here|in this (?:iteration|turn|run|commit|round)|during (?:validation|testing|development|this iteration)|this time|in general|overall|anymore|any more))?'
const DONE =
  '(?:pass(?:es|ed|ing)?|green|ok(?:ay)?|fine|good|met|resolved|fixed|solved|closed|addressed|done|complete(?:d)?|clear(?:ed)?|successful|succeed(?:ed)?|satisfied|clean|work(?:s|ing)?(?: as (?:expected|intended))?|as expected|correct)'

const NOTHING: readonly RegExp[] = [
  /^(?:none|null|nil|undefined|n\/?a|no|nope|nothing|empty|false|0|zero|~|-+|[-–—]+|\[\s*\]|\{\s*\}|not applicable|clean|clear|lgtm|all (?:good|clear|ok|green|fine|set)|looks good(?: to me)?|ok|resolved|all resolved|done)$/,
  new RegExp(
    `^(?:(?:there (?:are|is|were|was) |(?:i |we )?(?:have )?(?:found|see|saw) |has |have )?(?:no|zero|0|not any)|without(?: any)?|free of) ${THING}(?: (?:were|was|are|is|have been|has been))?(?: ${SEEN})?${WHEN}$`,
  ),
  new RegExp(
    `^(?:i |we )?(?:did not|didn't|could not|couldn't|do not|don't) (?:find|see|have|detect|identify|observe|encounter)(?: any)? ${THING}${WHEN}$`,
  ),
  new RegExp(
    `^(?:none|nothing)(?: (?:was|were|is|are|has been|have been))?(?: ${SEEN}| blocking| else| further| wrong| missing)?${WHEN}$`,
  ),
  new RegExp(
    `^(?:all|every|each)(?: (?:of )?(?:the|my|our))?(?: \\d+)?(?: (?:open|known|previous|reported|existing|new|remaining|unit|integration|planned|tasks?|earlier|prior))* ?(?:tests?|checks?|issues?|requirements?|tasks?|blockers?|problems?|findings?|criteria|edge cases|bugs?)?(?: (?:is|are|were|was|have been|has been|have|now|already|fully))* ${DONE}${WHEN}$`,
  ),
  new RegExp(`^everything(?: (?:is|was|now))* ${DONE}${WHEN}$`),
  new RegExp(
    `^(?:the )?(?:tests?|suite|test suite|checks?|build)(?: (?:is|are|all|now))* ${DONE}${WHEN}$`,
  ),
  /^(?:issue|bug|error|problem)[- ]free$/,
  /^(\d+)\s*(?:\/|of|out of)\s*\1 (?:tests? )?pass(?:ed|ing|es)?$/,
  /^(?:无|無|没有|沒有|暂无|暫無|目前没有|目前无|暂时没有|尚无)(?:任何|其他|已知|新的|未解决的|阻塞性?)*(?:问题|問題|阻塞|障碍|错误|缺陷|异常|失败|遗留问题|待办|阻碍|风险)?$/,
  /^(?:未|没有|沒有|并未)(?:发现|發現|检测到|遇到|出现)(?:任何|其他|明显|新的)*(?:问题|問題|错误|缺陷|异常|阻塞)$/,
  /^(?:全部|所有|全体)?(?:的)?(?:单元)?(?:测试|測試|用例|问题|任务|检查)?(?:均|都|全部|皆)?(?:已经|已)?(?:全部)?(?:通过|通過|解决|解決|修复|完成|正常)$/,
  /^一切(?:正常|顺利)$/,
  /^(?:なし|無し|特になし|問題なし|問題ありません|없음|문제 없음|keine|aucun|ninguno|нет)$/,
]

const EXCEPTS =
  /\b(?:except|apart from|but|besides|however|although|though|unless|other than|only|still|aside from)\b|除了?|但|不过|仅/

/** Whether a whole entry says that there is nothing. */
export function saysNothing(text: string): boolean {
  const plain = plainOf(text)
  return plain.length <= CHARS && !EXCEPTS.test(plain) && clausesOf(plain).every(isNothing)
}

/** Whether an entry starts with "nothing" and continues with something, and so is ambiguous. */
export function isUnclear(text: string): boolean {
  const plain = plainOf(text)
  if (plain.length > CHARS || saysNothing(text)) return false
  const [first = '', ...others] =
    plain.split(EXCEPTS).length > 1 ? plain.split(EXCEPTS) : clausesOf(plain)
  return others.length > 0 && isNothing(first.trim().replace(/[,;:\s]+$/, ''))
}

function isNothing(clause: string): boolean {
  return NOTHING.some((one) => one.test(clause))
}

function plainOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/^[\s>*•+]*(?:[-–—]\s+)?/, '')
    .replace(/[*_`"“”✓✅✔☑️]/gu, '')
    .replace(/^(?:issues?|blockers?|status)\s*:\s*/, '')
    .replace(/[\s.!。！]+$/, '')
    .trim()
}

// "n/a" and "12/12" are one clause, a parenthesis is one of its own.
function clausesOf(plain: string): string[] {
  const parts = plain
    .split(
      /[()（）]|[.;,!，。；、](?:\s+|$|(?=\p{Script=Han}))|\s+[-–—]+\s+|:\s+|\s+(?:and|so(?! far)|as(?! expected| intended)|because|since)\s+|\n/u,
    )
    .map((part) => part.trim().replace(/[.!。]+$/, ''))
    .filter((part) => part !== '')
  return parts.length === 0 ? [''] : parts
}
