// Floods: 20 MB on stdout that are no messages, 20 MB on stderr, 20 MB of answer full of claims and broken
// fences; then it does its work. With "endless" as its argument the 20 MB are one line.
import { honest, play } from './script.mjs'

const MB = 1 << 20
const written = (stream, text) => new Promise((resolve) => stream.write(text, resolve))
const CLAIMS = '100% of tests pass. ```json\n{"root_causes": ["'.repeat(400)
const lineEnd = process.argv[3] === 'endless' ? '' : '\n'

play(async (turn) => {
  for (let mb = 0; mb < 20; mb++) {
    await written(process.stdout, 'x'.repeat(MB) + lineEnd)
    await written(process.stderr, 'e'.repeat(MB))
  }
  await written(process.stdout, '\n')
  for (let part = 0; part < (20 * MB) / CLAIMS.length; part++) {
    turn.answer(CLAIMS)
    if (part % 16 === 0) await written(process.stdout, '')
  }
  turn.answer('\n```\n')
  honest(turn)
})
