// Formats money: in cents, and below a dollar with enough digits to show the amount, as a turn may
// cost less than a cent.

/** Digits that count below one dollar. */
const DIGITS = 3
/** Maximum number of decimals that the runtime can show. */
const MOST_DECIMALS = 20

/** Returns US dollars without their unit: "1,500.00", "0.50", "0.0043". */
export function dollars(value: number): string {
  const decimals =
    value > 0 && value < 1 ? Math.min(MOST_DECIMALS, DIGITS - 1 - Math.floor(Math.log10(value))) : 2
  return value.toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals,
  })
}
