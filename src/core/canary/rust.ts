// Canaries in Rust: functions with a `#[test]` attribute, of any test macro.
import { inserted, type Sabotage } from './sabotage.js'

/**
 * Behind a condition: the compiler would warn of code that is never reached, and some projects
 * refuse warnings.
 */
const canary = (text: string): string => ` if true { panic!("${text}"); }`

/** The last part of the reported name is the function. */
export function rustWithCanary({ source, test, text }: Sabotage): string | undefined {
  const name = /(\w+)$/.exec(test.trim())?.[1]
  if (name === undefined) return undefined
  const attribute = String.raw`#\[\s*(?:\w+\s*::\s*)*test\b[^\]]*\]`
  const between = String.raw`(?:\s*(?:#\[[^\]]*\]|//[^\n]*\n))*\s*`
  const head = new RegExp(
    String.raw`${attribute}${between}(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+${name}\s*\([^)]*\)[^{;]*\{`,
    'g',
  )
  const found = [...source.matchAll(head)]
  const [one] = found
  return one === undefined || found.length > 1
    ? undefined
    : inserted(source, [{ at: one.index + one[0].length, text: canary(text) }])
}
