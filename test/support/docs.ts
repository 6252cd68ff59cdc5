// The documentation as data: its pages, fenced blocks, spans of code, tables and links, read by
// markdown-it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import markdownIt, { type Token } from 'markdown-it'
import { parse } from 'shell-quote'
import { globSync } from 'tinyglobby'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Every documentation page, relative to the root, README first. */
export const PAGES = [
  'README.md',
  ...globSync(['*.md', 'docs/*.md', 'examples/**/README.md'], {
    cwd: ROOT,
    ignore: ['README.md', '**/node_modules/**'],
  }).sort(),
]

export type Place = { page: string; line: number }
export type Block = Place & { language: string; text: string }
export type Span = Place & { text: string }

/** Text of a page. */
export const textOf = (page: string): string => readFileSync(`${ROOT}/${page}`, 'utf8')

const tokensOf = (page: string): Token[] => markdownIt({ html: true }).parse(textOf(page), {})
const lineOf = (token: Token): number => (token.map?.[0] ?? 0) + 1

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  return tokensOf(page)
    .filter(({ type }) => type === 'fence')
    .map((token) => ({
      page,
      line: lineOf(token),
      language: token.info.trim(),
      text: token.content,
    }))
}

/** Whether a block has shell commands, which a reader copies. */
export const isShell = ({ language }: Block): boolean =>
  ['sh', 'console', 'bash', 'shell'].includes(language)

/** Code spans in the text of a page. */
export function spansOf(page: string): Span[] {
  return inlineOf(page).flatMap(({ line, children }) =>
    children
      .filter(({ type }) => type === 'code_inline')
      .map(({ content }) => ({ page, line, text: content })),
  )
}

/** Targets of links and pictures of a page. */
export function linksOf(page: string): (Place & { target: string })[] {
  return inlineOf(page).flatMap(({ line, children }) =>
    children.flatMap((token) => {
      const target = token.attrGet('href') ?? token.attrGet('src')
      return target === null ? [] : [{ page, line, target: String(target) }]
    }),
  )
}

/** Anchors of a page's headings, as GitHub generates them. */
export function anchorsOf(page: string): string[] {
  const tokens = tokensOf(page)
  return tokens.flatMap((token, n) =>
    token.type === 'heading_open'
      ? [
          (tokens[n + 1]?.content ?? '')
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, '')
            .replaceAll(' ', '-'),
        ]
      : [],
  )
}

function inlineOf(page: string): { line: number; children: Token[] }[] {
  let line = 1 // rows of a table have their own, cells have none
  return tokensOf(page).flatMap((token) => {
    if (token.map !== null) line = lineOf(token)
    return token.type === 'inline' ? [{ line, children: token.children ?? [] }] : []
  })
}

/**
 * The commands of a block, as a person types them: one per line, joined over a trailing backslash.
 * Comment lines are skipped. A script, which begins with `#!`, is one command.
 */
export function commandsOf({ text }: Pick<Block, 'text'>): string[] {
  if (text.startsWith('#!')) return [text]
  return text
    .replaceAll(/\\\n/g, '\\\n\u0000')
    .split(/\n(?!\u0000)/)
    .map((line) => line.replaceAll('\u0000', '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * Argument lists of the calls of `program` in a command, without redirections and comments. A
 * placeholder such as `<id>` is one word.
 */
export function callsOf(program: string, command: string): string[][] {
  const calls: string[][] = [[]]
  let skip = false
  for (const part of parse(command.replaceAll(/<([a-z][\w-]*)>/g, '$1'), (name) => `$${name}`)) {
    if (typeof part === 'object' && 'comment' in part) break
    if (typeof part === 'object' && part.op !== 'glob') {
      skip = ['<', '>', '>>', '>&'].includes(part.op)
      if (!skip) calls.push([])
    } else if (skip) skip = false
    else calls.at(-1)?.push(typeof part === 'string' ? part : part.pattern)
  }
  return calls.filter(([first]) => first === program).map(([, ...argv]) => argv)
}
