// Cents as people read them: 125050 is "1,250.50".

export function money(cents) {
  const whole = String(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${whole}.${cents % 100}`
}
