// Reads what a worker asks: `CLARIFICATION_NEEDED:`, then `Q1: text | Options: [A, B] |
// Recommended: [A]`.
//
// Workers write options over several lines, as bullets, or not at all. Prose that only mentions the
// heading asks nothing, and neither does an echoed sample.
import {
  QUESTIONS_KEPT,
  WORKER_ITEMS,
  type Clarification,
} from '../../../contract/dev-loop/action-reading.js'
import { bare, isNone, isSample, items, listText } from '../../answers/agent-values.js'
import { keptItems } from '../../dev-cycle/kept-items.js'
import { jsonObjects } from '../../answers/fenced-json.js'
import { oneLine } from '../../text/one-line.js'
import { jsonAt, textIn, valueIn } from './action-details.js'

/** Longest question, in characters. */
export const QUESTION_CHARS = 500
/**
 * What is looked at: lines below one heading, characters of a line, and of a question with its
 * options.
 */
const LINES_READ = 200
const RAW_CHARS = 4_000

const HEADING = /^[\s#*_`-]{0,20}CLARIFICATION_NEEDED[*_`]*\s*(?::\s*[*_`]*\s*(.*)|[*_`]*\s*)$/
const NUMBERED =
  /^\s*(?:[-*+•]\s+)?[*_`#\s]{0,8}(?:Q|Question\s{0,3})(\d{1,4})[*_`]*\s{0,3}[:.)][*_`]*\s*(.*)$/i
const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/
const OPTIONS =
  /(?:^|[|\n])\s{0,20}(?:[-*+•]\s{1,3})?[*_`]*(?:options?|choices)[*_`]*\s{0,3}:[*_`]*/i
const RECOMMENDED =
  /(?:^|[|\n])\s{0,20}(?:[-*+•]\s{1,3})?[*_`]*recommend(?:ed|ation)?[*_`]*\s{0,3}:[*_`]*/i
/** A text that the format has in the place of a question. */
const SAMPLE = /^(?:text|question|question text|your question)\??$/i

/** An option that says itself that it is recommended. */
const MARKED = /\s*(?:[([]\s*recommended\s*[)\]]|[-–—]\s*recommended)[*_`]*\s*$/i

type Asked = { number?: number; raw: string }

/**
 * The questions of the last heading that has any, at most `QUESTIONS_KEPT`, each once. Ids are
 * `Q1`, `Q2`, …
 */
export function readQuestions(text: string): Clarification[] {
  const json = jsonQuestions(text)
  if (json.length > 0) return json
  const lines = text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.slice(0, RAW_CHARS))
  const heads = lines.flatMap((line, at) => (HEADING.test(line) ? [at] : []))
  for (const [n, at] of [...heads.entries()].reverse()) {
    const inline = HEADING.exec(lines[at] ?? '')?.[1] ?? ''
    const questions = asked([
      ...(inline === '' ? [] : [inline]),
      ...lines.slice(at + 1, Math.min(heads[n + 1] ?? lines.length, at + LINES_READ)),
    ])
    const read = numbered(questions.flatMap((one) => clarification(one) ?? []))
    if (read.length > 0) return read
  }
  return []
}

// An array or an object below the heading, or under it as a key.
function jsonQuestions(text: string): Clarification[] {
  if (!text.includes('CLARIFICATION_NEEDED')) return []
  const named = jsonObjects(text)
    .objects.map((object) => valueIn(object, 'CLARIFICATION_NEEDED'))
    .find((value) => value !== undefined)
  const at = text.lastIndexOf('CLARIFICATION_NEEDED')
  const value =
    named ??
    jsonAt(
      text
        .slice(at)
        .replace(/^CLARIFICATION_NEEDED[*_`"]*\s*:?[*_`]*\s*(?:(?:`{3,}|~{3,})\w*)?\s*/, ''),
    )
  const inside: unknown = valueIn(value, 'questions') ?? value
  return numbered(
    (Array.isArray(inside) ? inside.slice(0, LINES_READ) : [inside]).flatMap(
      (one: unknown) => fromJson(one) ?? [],
    ),
  )
}

function fromJson(value: unknown): Omit<Clarification, 'id'> | undefined {
  const text =
    typeof value === 'string'
      ? value
      : ['question', 'text']
          .map((key) => textIn(value, key, QUESTION_CHARS))
          .find((one) => one !== undefined)
  if (text === undefined || isNone(text) || isSample(text) || SAMPLE.test(text)) return undefined
  const given = valueIn(value, 'options') ?? valueIn(value, 'choices')
  const { choices: options, marked } = unmarked(
    items(
      Array.isArray(given)
        ? given.map((one: unknown) => valueIn(one, 'label') ?? valueIn(one, 'value') ?? one)
        : given,
    ),
  )
  const [said] = items(
    ['recommended', 'recommendation', 'default']
      .map((key) => valueIn(value, key))
      .find((one) => one !== undefined),
  )
  const choice = said === undefined ? marked : chosen(said, options)
  return {
    text: oneLine(text, QUESTION_CHARS),
    options,
    recommended: choice,
  }
}

// A question is a numbered line and what belongs to it. Where the first line has no number, each
// bullet is one.
function asked(lines: readonly string[]): Asked[] {
  const found: Asked[] = []
  const first = lines.find((line) => !isEdge(line)) ?? ''
  const base = BULLET.exec(first)?.[1]?.length
  const byNumber = NUMBERED.test(first)
  let gap = false
  for (const line of lines) {
    if (isEdge(line)) {
      gap = true
      // The fence of the questions is closed here: what follows is outside of it.
      if (found.length > 0 && line.trim() !== '') break
      continue
    }
    if (isHeading(line)) break
    const [, number, text] = NUMBERED.exec(line) ?? []
    const [, indent = '', item] = BULLET.exec(line) ?? []
    const current = found.at(-1)
    if (number !== undefined) found.push({ number: Number(number), raw: text ?? '' })
    else if (isMore(line) && current !== undefined) current.raw += `\n${line}`
    else if (!byNumber && item !== undefined && indent.length <= (base ?? 0))
      found.push({ raw: item })
    else if (current === undefined) {
      // Prose asks only where it has a question mark.
      if (!line.includes('?')) break
      found.push({ raw: line })
    } else if (gap && item === undefined) break
    else current.raw += `\n${line}`
    gap = false
  }
  return found
}

function isMore(line: string): boolean {
  return OPTIONS.exec(line)?.index === 0 || RECOMMENDED.exec(line)?.index === 0
}

function isEdge(line: string): boolean {
  return line.trim() === '' || /^\s*(?:`{3,}|~{3,})/.test(line)
}

function isHeading(line: string): boolean {
  return (
    (/^\s{0,3}#{1,6}\s/.test(line) && !NUMBERED.test(line)) ||
    /^[\s#*_`-]*[A-Z]{3,}(?:_[A-Z]+)+[*_`]*\s*:/.test(line.slice(0, 200))
  )
}

function clarification({
  number,
  raw: all,
}: Asked): (Omit<Clarification, 'id'> & { number?: number }) | undefined {
  const raw = all.slice(0, RAW_CHARS)
  const marks = [OPTIONS.exec(raw), RECOMMENDED.exec(raw)]
    .flatMap((found) => (found === null ? [] : [found]))
    .sort((a, b) => a.index - b.index)
  const part = (mark: RegExpExecArray): string =>
    raw.slice(mark.index + mark[0].length, marks.find(({ index }) => index > mark.index)?.index)
  const head = raw.slice(0, marks[0]?.index)
  const options = marks.find(([text]) => OPTIONS.test(text))
  const recommended = marks.find(([text]) => RECOMMENDED.test(text))
  // Bullets right below a question are its options.
  const [question = '', ...below] = head.split(/\n(?=\s*(?:[-*+•]|\d{1,3}[.)])\s)/)
  const text = bare(oneLine(question.replace(/[|\s]+$/, ''), QUESTION_CHARS))
  if (isNone(text) || isSample(text) || SAMPLE.test(text)) return undefined
  const { choices, marked } = unmarked(
    options === undefined ? items(below.map(unbulleted)) : optionsIn(part(options)),
  )
  const choice = recommended === undefined ? marked : chosen(part(recommended), choices)
  return {
    number,
    text,
    options: choices,
    recommended: choice,
  }
}

function unmarked(said: readonly string[]): { choices: string[]; marked: string | undefined } {
  const kept = keptItems(said, WORKER_ITEMS)
  const choices = kept.map((option) => bare(option.replace(MARKED, '')))
  return { choices, marked: choices[kept.findIndex((option) => MARKED.test(option))] }
}

function optionsIn(raw: string): string[] {
  const text = raw.replace(/[|\s]+$/, '').trim()
  if (text.startsWith('[')) return listText(text)
  if (text.includes('\n')) return items(text.split('\n').map(unbulleted))
  return items(text.split(/[,;|]|\s\/\s/))
}

function unbulleted(line: string): string {
  return BULLET.exec(line)?.[2] ?? line
}

// The option that is meant: itself, its beginning, its label or its place. Without options the text
// stands for itself.
function chosen(raw: string, options: readonly string[]): string | undefined {
  const text = raw.replace(/[|\s]+$/, '').trim()
  const [said] = keptItems(
    text.startsWith('[') ? listText(text) : items([text.split('\n')[0] ?? '']),
  )
  if (said === undefined || options.length === 0) return said
  const low = said.toLowerCase()
  const label = /^(?:option\s+)?([a-z]|\d{1,2})\s*[).:]?$/.exec(low)?.[1]
  const place =
    label === undefined ? -1 : /\d/.test(label) ? Number(label) - 1 : label.charCodeAt(0) - 97
  return (
    options.find((one) => one.toLowerCase() === low) ??
    (label === undefined
      ? undefined
      : options.find((one) => new RegExp(`^${label}\\s*[).:]`, 'i').test(one))) ??
    [...options]
      .sort((a, b) => b.length - a.length)
      .find((one) => low.startsWith(one.toLowerCase()) && !/^\w/.test(low.slice(one.length))) ??
    (place < 0 ? undefined : options[place])
  )
}

function numbered(
  read: readonly (Omit<Clarification, 'id'> & { number?: number })[],
): Clarification[] {
  const once = read
    .filter((one, at) => read.findIndex(({ text }) => text === one.text) === at)
    .slice(0, QUESTIONS_KEPT)
  const taken = new Set<number>()
  return once.map(({ number, ...rest }) => {
    let own = number ?? 1
    // Two questions of one number: the second takes the next free one.
    while (own < 1 || taken.has(own)) own++
    taken.add(own)
    return { id: `Q${own}`, ...rest }
  })
}
