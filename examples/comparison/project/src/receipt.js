// What a purchase costs.
import { cents } from './amount.js'
import { money } from './money.js'

/** Total in cents; the discount, in percent, is rounded to the nearest cent. */
export function total(items, discount = 0) {
  const sum = items.reduce((all, { price, count }) => all + cents(price) * count, 0)
  return sum - Math.floor((sum * discount) / 100)
}

export function lastLine(items, discount) {
  return `TOTAL ${money(total(items, discount))}`
}
