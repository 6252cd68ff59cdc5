// Loaded before a worker: its clock jumps by as many milliseconds as the file `clock` among its points says.
import { readFileSync } from 'node:fs'

const LOOK_MS = 50
const file = `${process.env.RATCHET_FAULT_POINTS}/clock`
let ahead = 0
const real = Date.now
const RealDate = Date

const look = setInterval(() => {
  try {
    ahead = Number(readFileSync(file, 'utf8'))
    clearInterval(look)
  } catch {
    // it has not been set yet
  }
}, LOOK_MS)
look.unref()

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(real() + ahead)
    else super(...given)
  }

  static now() {
    return real() + ahead
  }
}
