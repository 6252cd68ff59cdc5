// The sources as programs, for tests that run them in separate processes. Transpiled into a
// temporary directory, so that a test never runs a stale build.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const PARTS = ['src/contract', 'src/core', 'src/adapters', 'test/support/agents/driver-process.ts']

export type Compiled = { playbook: string; driverProcess: string; remove(): void }

export function compileSources(): Compiled {
  const out = mkdtempSync(path.join(os.tmpdir(), 'ratchet-compiled-'))
  writeFileSync(path.join(out, 'package.json'), '{"type":"module"}')
  for (const shared of ['node_modules', 'agent-settings'])
    symlinkSync(path.join(ROOT, shared), path.join(out, shared))
  for (const source of PARTS.flatMap(sources)) {
    const target = path.join(out, source.replace(/\.ts$/, '.js'))
    mkdirSync(path.dirname(target), { recursive: true })
    const { outputText } = ts.transpileModule(readFileSync(path.join(ROOT, source), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    })
    writeFileSync(target, outputText)
  }
  return {
    playbook: path.join(out, 'src/adapters/agents/scripted/main.js'),
    driverProcess: path.join(out, 'test/support/agents/driver-process.js'),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}

function sources(part: string): string[] {
  if (part.endsWith('.ts')) return [part]
  return readdirSync(path.join(ROOT, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(part, name))
}
