import { round } from './money.js'

export function subtotal(lines) {
  return lines.reduce((sum, line) => sum + line.price, 0)
}

export function discount(amount, percent) {
  return round(amount - percent)
}

export function total(lines, { percentOff = 0, taxPercent = 0 } = {}) {
  const net = discount(subtotal(lines), percentOff)
  return round(net + (net * taxPercent) / 100)
}
