// Answers an analysis of 20 MB in one object: a long approach, and 200,000 affected tests. Then it does its work.
import { honest, play, script } from './script.mjs'

const CHUNK = 1 << 16
const fenced = /```json\n([^]*?)\n```/

play((turn) => {
  if (turn.header.role !== 'cli-planning-agent') return honest(turn)
  const answer = JSON.parse(fenced.exec(script.analysis)[1])
  answer.fix_strategy.approach += ' It is well thought out.'.repeat(400_000)
  answer.affected_tests = Array.from(
    { length: 200_000 },
    (_, n) => `tests/test_${n}.py > test number ${n}`,
  )
  const text = script.analysis.replace(
    fenced,
    () => `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``,
  )
  for (let at = 0; at < text.length; at += CHUNK) turn.answer(text.slice(at, at + CHUNK))
})
