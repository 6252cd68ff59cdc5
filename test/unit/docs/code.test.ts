// Code that the documentation shows: configurations are read by their schema, scripts compile
// against the package's types.
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { PAGES, ROOT, blocksOf, spansOf } from '../../support/docs.js'

const asObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
const KEYS = Object.keys(Config.shape).filter((key) => key !== '$schema')
const isConfig = (value: Record<string, unknown> | undefined): value is Record<string, unknown> =>
  value !== undefined && Object.keys(value).some((key) => KEYS.includes(key))

const configs = PAGES.flatMap((page) => [
  ...blocksOf(page)
    .filter(({ language }) => language === 'json')
    .map(({ line, text }) => ({ page, line, value: asObject(text) })),
  // A key with its value, as a sentence quotes it.
  ...spansOf(page)
    .filter(({ text }) => /^"\w+": [{[]/.test(text) && !text.includes('…'))
    .map(({ line, text }) => ({ page, line, value: asObject(`{${text}}`) })),
]).filter((one): one is { page: string; line: number; value: Record<string, unknown> } =>
  isConfig(one.value),
)

test.each(configs)('$page:$line: the configuration is one', ({ value }) => {
  expect(Config.safeParse(value).error?.issues).toBeUndefined()
})

test('every json block can be read', () => {
  expect(configs.length).toBeGreaterThan(12)
  expect(
    PAGES.flatMap(blocksOf).filter(
      ({ language, text }) => language === 'json' && asObject(text) === undefined,
    ),
  ).toEqual([])
})

test('every script compiles', { timeout: 60_000 }, () => {
  const sources = new Map(
    PAGES.flatMap(blocksOf)
      .filter(({ language }) => language === 'ts')
      .map(({ page, line, text }) => [
        path.join(ROOT, 'test', `${page.replaceAll('/', '-')}-${line}.ts`),
        // A short example uses the connection of an earlier one on the page.
        text.includes('import ')
          ? text
          : `import type { Ratchet } from 'ratchet-cycles'\ndeclare const ratchet: Ratchet\n${text}`,
      ]),
  )
  expect(sources.size).toBeGreaterThan(1)
  const { options } = ts.parseJsonConfigFileContent({ extends: './tsconfig.json' }, ts.sys, ROOT)
  const own: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    noUnusedLocals: false,
    paths: { 'ratchet-cycles': [path.join(ROOT, 'src/client/index.ts')] },
  }
  const real = ts.createCompilerHost(own)
  const host: ts.CompilerHost = {
    ...real,
    getSourceFile: (file, ...rest) =>
      sources.has(file)
        ? ts.createSourceFile(file, sources.get(file) ?? '', ts.ScriptTarget.Latest, true)
        : real.getSourceFile(file, ...rest),
    fileExists: (file) => sources.has(file) || real.fileExists(file),
    readFile: (file) => sources.get(file) ?? real.readFile(file),
  }
  const program = ts.createProgram([...sources.keys()], own, host)
  const problems = [...sources.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(
      ({ messageText }) =>
        `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
  expect(problems).toEqual([])
})
