// Canaries in JavaScript and TypeScript: any call with a title and a function is a block, under any
// name. The blocks around a test make its full name, which is compared with the reported one.
import { parse, type ParserPlugin } from '@babel/parser'
import { assertForm, expectForm } from './assertions.js'
import { inserted, type Sabotage } from './sabotage.js'

type Node = { type: string; start: number; end: number; [field: string]: unknown }

/**
 * A call with a title and a function. `titles`: patterns, from the outermost block. `isTest`: one
 * that fails where its function throws.
 */
type Block = {
  titles: { pattern: string; isExact: boolean }[]
  /** The last title as it is written. */
  name: string
  body: Node
  isTest: boolean
}

/** Plugins to parse a file with; the first that can read it counts. */
function pluginsFor(file: string): ParserPlugin[][] {
  const common: ParserPlugin[] = ['decorators', 'explicitResourceManagement', 'importAttributes']
  if (/\.[cm]?ts$/.test(file)) return [[...common, 'typescript']]
  if (file.endsWith('.tsx')) return [[...common, 'typescript', 'jsx']]
  return [
    [...common, 'jsx'],
    [...common, 'jsx', 'flow'],
    [...common, 'jsx', 'typescript'],
  ]
}

export function javaScriptWithCanary({ source, file, test, text }: Sabotage): string | undefined {
  const program = parsed(source, file)
  if (program === undefined) return undefined
  const blocks = blocksOf(program).filter(({ isTest }) => isTest)
  const name = oneLine(test)
  const found = firstOf([
    blocks.filter(({ titles }) => titles.every(({ isExact }) => isExact) && matches(titles, name)),
    blocks.filter(({ titles }) => matches(titles, name)),
    // Some reports leave out the blocks around a test, and some blocks are made elsewhere.
    onlyOne(
      blocks.filter(
        ({ titles }) =>
          titles.at(-1)?.isExact === true && matches(titles.slice(-1), name, '(?:.* > )?'),
      ),
    ),
  ])
  const insertions = found.flatMap((block) =>
    canaryIn(source, block, failing(block, program, text)),
  )
  return insertions.length === 0 ? undefined : inserted(source, insertions)
}

/** The bodies of a file's tests, by their own titles; nothing where it cannot be read. */
export function testBodies(
  source: string,
  file: string,
): { test: string; start: number; end: number }[] {
  const program = parsed(source, file)
  return program === undefined
    ? []
    : blocksOf(program)
        .filter(({ isTest }) => isTest)
        .map(({ name, body: { start, end } }) => ({ test: name, start, end }))
}

const onlyOne = (blocks: Block[]): Block[] => (blocks.length === 1 ? blocks : [])
const firstOf = (lists: Block[][]): Block[] => lists.find((one) => one.length > 0) ?? []
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function matches(titles: Block['titles'], name: string, before = ''): boolean {
  return new RegExp(
    `^${before}${titles.map(({ pattern }) => pattern).join('(?: > | )')}(?: \\(\\d+\\))?$`,
  ).test(name)
}

function parsed(source: string, file: string): Node | undefined {
  for (const plugins of pluginsFor(file)) {
    try {
      const { program } = parse(source, {
        sourceType: 'unambiguous',
        plugins,
        errorRecovery: true,
        createParenthesizedExpressions: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
      })
      return program as unknown as Node
    } catch {
      // Another dialect may read it; where none does the file has no canary.
    }
  }
  return undefined
}

/** Every block below a node, those around it first. */
function blocksOf(root: Node): Block[] {
  const found: Block[] = []
  const walk = (node: Node, around: Block[]): void => {
    const block = blockOf(node, around)
    if (block !== undefined) found.push(block)
    for (const child of childrenOf(node))
      walk(child, block === undefined ? around : [...around, block])
  }
  walk(root, [])
  return found
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(
      (value): value is Node =>
        typeof value === 'object' &&
        value !== null &&
        typeof (value as Node).type === 'string' &&
        typeof (value as Node).start === 'number',
    )
}

function blockOf(node: Node, around: readonly Block[]): Block | undefined {
  if (node.type !== 'CallExpression') return undefined
  const [first, ...others] = node['arguments'] as Node[]
  if (first === undefined) return undefined
  const own = functionIn(others)
  const callee = node['callee'] as Node
  const title = titleOf(first, callee)
  if (own === undefined || title === undefined) return undefined
  return {
    titles: [...(around.at(-1)?.titles ?? []), title],
    name: nameIn(first),
    body: own['body'] as Node,
    isTest: isTest(callee) && others.some((one) => inParentheses(one) === own),
  }
}

function nameIn(title: Node): string {
  const value: unknown = title['value']
  return typeof value === 'string' ? value : 'a test with a computed title'
}

/** The function among arguments; blocks may be around a wrapped one too. */
function functionIn(values: readonly Node[]): Node | undefined {
  for (const value of values) {
    if (/^(Arrow)?FunctionExpression$/.test(value.type)) return value
    const inner =
      value.type === 'ParenthesizedExpression'
        ? functionIn([value['expression'] as Node])
        : value.type === 'CallExpression'
          ? functionIn(value['arguments'] as Node[])
          : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** A function of another name, or one around the test's own, may expect that it throws. */
function isTest(callee: Node): boolean {
  const names = namesIn(callee)
  return names.some((name) => TEST.test(name)) && !names.some((name) => MAY_FAIL.test(name))
}

const TEST = /^(test|it|specify|[fx](it|test))$/
const MAY_FAIL = /^(fails|failing|todo|skip\w*)$/
const inParentheses = (node: Node): Node =>
  node.type === 'ParenthesizedExpression' ? inParentheses(node['expression'] as Node) : node

/** Functions that take any value as a title. */
const KNOWN = /^(test|it|specify|describe|suite|context|[fx](it|test|describe))$/

function titleOf(node: Node, callee: Node): { pattern: string; isExact: boolean } | undefined {
  const isTable = /\b(each|for)\b/.test(namesIn(callee).join(' '))
  switch (node.type) {
    case 'StringLiteral':
      return literal(node['value'] as string, isTable)
    case 'TemplateLiteral': {
      const parts = (node['quasis'] as Node[]).map((part) =>
        literal((part['value'] as { cooked?: string | null }).cooked ?? '', isTable, false),
      )
      return {
        pattern: parts.map(({ pattern }) => pattern).join('.*'),
        isExact: parts.length === 1 && parts.every(({ isExact }) => isExact),
      }
    }
    case 'Identifier':
      return isKnown(callee)
        ? { pattern: `(?:${escaped(node['name'] as string)}|.*)`, isExact: false }
        : undefined
    default:
      return isKnown(callee) && !/Function/.test(node.type)
        ? { pattern: '.*', isExact: false }
        : undefined
  }
}

function isKnown(callee: Node): boolean {
  return namesIn(callee).some((name) => KNOWN.test(name))
}

/** Names in `test.each(table)`, from the root. */
function namesIn(callee: Node): string[] {
  switch (callee.type) {
    case 'Identifier':
      return [callee['name'] as string]
    case 'MemberExpression':
      return [...namesIn(callee['object'] as Node), ...namesIn(callee['property'] as Node)]
    case 'CallExpression':
      return namesIn(callee['callee'] as Node)
    case 'TaggedTemplateExpression':
      return namesIn(callee['tag'] as Node)
    default:
      return []
  }
}

function literal(
  text: string,
  isTable: boolean,
  trimmed = true,
): { pattern: string; isExact: boolean } {
  const words = trimmed ? oneLine(text) : text.replace(/\s+/g, ' ')
  if (!isTable) return { pattern: escaped(words), isExact: true }
  // What stands for a value of the table: "%s", "$name.first", "$#".
  const parts = words.split(/%[sdifjoOpc#$]|\$[\w.#]+/)
  return {
    pattern: parts.map((part) => escaped(part.replaceAll('%%', '%'))).join('.*'),
    isExact: parts.length === 1,
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

function canaryIn(
  source: string,
  { body }: Block,
  statement: string,
): { at: number; text: string }[] {
  if (body.type !== 'BlockStatement')
    return [
      { at: body.start, text: `{ ${statement}; return (` },
      { at: body.end, text: ') }' },
    ]
  const directives = body['directives'] as Node[]
  const at = directives.at(-1)?.end ?? body.start + 1
  return [
    { at, text: `${directives.length > 0 && source[at - 1] !== ';' ? ';' : ''} ${statement};` },
  ]
}

/**
 * A statement that throws the text.
 *
 * Code under test may have replaced the assertions: the text is thrown only where each assertion
 * that the test uses fails when it must. The condition keeps compilers from refusing what follows
 * as never reached.
 */
function failing(block: Block, program: Node, text: string): string {
  const own = assertionsIn(block.body)
  const used = own.length > 0 ? own : assertionsIn(program)
  return used
    .slice(0, MOST_ASSERTIONS)
    .reduceRight(
      (inner, assertion) => `try { ${assertion} } catch { ${inner} }`,
      `if ([].length === 0) throw new Error('${text}')`,
    )
}

const MOST_ASSERTIONS = 3

function assertionsIn(root: Node): string[] {
  const found = new Set<string>()
  const walk = (node: Node, above?: Node): void => {
    // A chain that is read, as `expect(a).to.be.true`, is one where nothing follows it.
    const isRead =
      node.type === 'MemberExpression' &&
      above?.type !== 'MemberExpression' &&
      !(above?.type === 'CallExpression' && above['callee'] === node)
    const form = node.type === 'CallExpression' || isRead ? assertionOf(node) : undefined
    if (form !== undefined) found.add(form)
    for (const child of childrenOf(node)) walk(child, node)
  }
  walk(root)
  return [...found]
}

/**
 * The form that must fail of `assert(…)`, `assert.name(…)`, `expect(…).chain(…)` or
 * `expect(…).chain`.
 */
function assertionOf(whole: Node): string | undefined {
  const isCall = whole.type === 'CallExpression'
  const members: string[] = []
  let node = isCall ? (whole['callee'] as Node) : whole
  for (
    ;
    node.type === 'MemberExpression' && (node['property'] as Node).type === 'Identifier';
    node = node['object'] as Node
  )
    members.unshift((node['property'] as Node)['name'] as string)
  if (node.type === 'Identifier' && node['name'] === 'assert')
    return isCall ? assertForm(members) : undefined
  if (node.type !== 'CallExpression' || members.length === 0) return undefined
  const [root, ...rest] = namesIn(node['callee'] as Node)
  // `expect.soft(…)` reports a failure and throws none.
  return root === 'expect' ? expectForm(rest.length > 0 ? rest : members, isCall) : undefined
}
