// A WORKER_RESULT that is written as JSON: below or behind its name, or under it as a key. The form
// asks for lines; agents whose own results are JSON write it so all the same, also when they are
// asked again.
import { isSample } from '../../answers/agent-values.js'
import { jsonObjects, type JsonObject } from '../../answers/fenced-json.js'
import type { BlockField, ResultBlock } from '../../answers/result-block.js'
import { jsonAt, valueIn } from './action-details.js'

const NAMED = /^[\s#*_`>"'{=<[-]{0,20}WORKER_RESULT["*_`]{0,5}\s{0,3}:?[*_`]{0,5}[ \t]{0,3}/im

/** The blocks of an answer that are JSON, in their order; `rest` is the whole answer. */
export function jsonBlocks(text: string): ResultBlock[] {
  const name = NAMED.exec(text)
  if (name === null) return []
  const behind = jsonAt(text.slice(name.index + name[0].length))
  return [...(isObject(behind) ? [behind] : []), ...jsonObjects(text).objects.reverse()].map(
    (object) => {
      const inner = valueIn(object, 'WORKER_RESULT')
      return blockOf(isObject(inner) ? inner : object, text)
    },
  )
}

function blockOf(object: JsonObject, rest: string): ResultBlock {
  const fields = Object.entries(object).flatMap(([key, value]): [string, BlockField][] => {
    const text = typeof value === 'string' ? value : isObject(value) ? '' : JSON.stringify(value)
    return text === '' || isSample(text)
      ? []
      : [
          [
            key
              .trim()
              .toLowerCase()
              .replace(/[\s-]+/g, '_'),
            { text, items: [] },
          ],
        ]
  })
  return { fields: new Map(fields), rest }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
