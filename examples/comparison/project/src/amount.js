// Amounts as people write them, "1,250.50", in whole cents.

export function cents(text) {
  return Math.round(Number(text) * 100)
}
