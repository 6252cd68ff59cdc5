// Decides which variables of an environment are secret without being named in a configuration. Both
// the name and the value must look so, as ordinary words would be blacked out in every output.

/** Words of a name, such as `STRIPE_API_KEY`. */
const SECRET_WORDS = new Set([
  'KEY',
  'APIKEY',
  'TOKEN',
  'SECRET',
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'CREDENTIAL',
  'CREDENTIALS',
])
const KNOWN_FORM =
  /^(?:sk-|sk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|AIza|xox[abprs]-|npm_|pypi-|eyJ[\w-]+\.)/
/** Shorter values are too likely to be words. */
const LEAST_CHARS = 12
/** Of lower case, upper case, digits and other characters. */
const LEAST_CLASSES = 3
/** Shannon entropy per character. */
const LEAST_BITS = 3.5

/** Returns whether a variable counts as secret by its name and value. */
export function isSecretVariable(name: string, value: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/)
  return words.some((word) => SECRET_WORDS.has(word)) && isStrong(value)
}

/** Returns whether a value is no ordinary word. */
export function isStrong(value: string): boolean {
  if (KNOWN_FORM.test(value)) return true
  if (value.length < LEAST_CHARS) return false
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((one) => one.test(value)).length
  return classes >= LEAST_CLASSES || bitsPerCharacter(value) >= LEAST_BITS
}

/** Forms in which a program may print a value: itself, base64, and encoded for a URL. */
export function formsOf(value: string): string[] {
  if (value.length < LEAST_CHARS) return [value]
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(value))).replace(/=+$/, '')
  const url = base64.replaceAll('+', '-').replaceAll('/', '_')
  return [...new Set([value, base64, url, encodeURIComponent(value)])]
}

function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / value.length
    return sum - share * Math.log2(share)
  }, 0)
}
