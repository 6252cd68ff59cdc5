// A one-shot agent that asks a model once: `asks-model.mjs URL`. The prompt comes on standard input, the answer goes to
// standard output; what goes wrong is left to Node, as in most programs.
import { text } from 'node:stream/consumers'

const content = await text(process.stdin)
const tools = [{ type: 'function', function: { name: 'write', parameters: {} } }]
const response = await fetch(`${process.argv[2]}/v1/chat/completions`, {
  method: 'POST',
  body: JSON.stringify({ model: 'm', tools, messages: [{ role: 'user', content }] }),
})
if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
console.log((await response.json()).choices[0].message.content)
