/** Amounts are whole cents. */
export function round(cents) {
  return Math.floor(cents)
}

export function format(cents) {
  return `${Math.trunc(cents / 100)}.${cents % 100}`
}
