// What the tests cost: the twenty files that take longest, and the processor time of each layer.
// Prints it, and writes it to bench/results/tests.md. Usage: npm test -- --reporter default
// --reporter ./test/support/cost-reporter.ts
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { thisMachine } from '../../bench/support/machine.js'
import { asTable } from './table.js'

const FILE = path.resolve(import.meta.dirname, '../../bench/results/tests.md')
const SLOWEST = 20

type Cost = { file: string; layer: string; tests: number; wallS: number; processorS: number }

export default class CostReporter implements Reporter {
  readonly #began = performance.now()
  readonly #files: Cost[] = []

  onTestModuleEnd(module: TestModule): void {
    const { processorMs = 0 } = module.meta()
    this.#files.push({
      file: module.relativeModuleId,
      layer: module.project.name,
      tests: [...module.children.allTests()].length,
      wallS: module.diagnostic().duration / 1_000,
      processorS: processorMs / 1_000,
    })
  }

  onTestRunEnd(): void {
    const report = reportOf(this.#files, (performance.now() - this.#began) / 1_000)
    writeFileSync(FILE, report)
    process.stdout.write(`\n${report}\nwritten: bench/results/tests.md\n`)
  }
}

/** The report as Markdown, in seconds. */
export function reportOf(files: readonly Cost[], wallS: number): string {
  const { cpu, cores, memoryGb, node } = thisMachine()
  const layers = [...new Set(files.map(({ layer }) => layer))].map((layer) => {
    const own = files.filter((one) => one.layer === layer)
    const sum = (of: (one: Cost) => number): number => own.reduce((all, one) => all + of(one), 0)
    return [
      layer,
      String(own.length),
      String(sum(({ tests }) => tests)),
      sum(({ processorS }) => processorS).toFixed(0),
    ]
  })
  const slowest = [...files].sort((a, b) => b.wallS - a.wallS).slice(0, SLOWEST)
  const all = files.reduce((sum, one) => sum + one.processorS, 0)
  return [
    '# What the tests cost',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}. ${files.length} files, ${wallS.toFixed(0)} s of wall time, ${all.toFixed(0)} s of processor time in the files; Vitest itself and the shared Temporal server are not in it.`,
    '',
    '## Processor time of each layer',
    '',
    asTable(['layer', 'files', 'tests', 'processor time (s)'], layers),
    '',
    `## The ${SLOWEST} files that take longest`,
    '',
    asTable(
      ['file', 'wall time (s)', 'processor time (s)', 'tests'],
      slowest.map((one) => [
        one.file,
        one.wallS.toFixed(1),
        one.processorS.toFixed(1),
        String(one.tests),
      ]),
    ),
    '',
  ].join('\n')
}
