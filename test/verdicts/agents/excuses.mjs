// Repairs what it was given to repair, and calls everything else unimportant at each question.
import { honest, play, script, testsIn } from './script.mjs'

const low = (text) => Object.fromEntries(testsIn(text).map((test) => [test, 'low']))
const fenced = (value) => `\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`

play((turn) => {
  const { header, text, answer } = turn
  if (header.turn === 'assess')
    return answer(`None of these matters.${fenced({ criticality: low(text) })}`)
  if (header.role === 'cli-planning-agent')
    return answer(
      script.analysis.replace('"criticality": {}', `"criticality": ${JSON.stringify(low(text))}`),
    )
  honest(turn)
})
