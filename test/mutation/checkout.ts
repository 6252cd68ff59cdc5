// A copy of this checkout from which protections are removed.
import {
  cpSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { codeIn, type Protection } from './protection.js'

const HERE = path.resolve(import.meta.dirname, '../..')
/** Tests that start the built programs need a build. */
const NEEDS_BUILD = /^test\/((crash|e2e|matrix|processes|runs)\/|attacks\/second-user)/
const TEST_MS = 600_000
/**
 * Some tests wait forever without their protection; those that start no slow program get a shorter
 * limit.
 */
const QUICK_MS = 30_000

export type Verdict = { failed: string[]; passed: string[]; output: string }

export class Checkout {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-taken-out-'))

  /** Tracked and untracked files, without ignored ones. */
  async fill(): Promise<void> {
    const { stdout } = await execa(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: HERE },
    )
    for (const file of stdout.split('\0').filter(Boolean)) {
      const from = path.join(HERE, file)
      if (lstatSync(from, { throwIfNoEntry: false }) !== undefined)
        // Skips uncommitted deletions
        cpSync(from, path.join(this.dir, file), { verbatimSymlinks: true })
    }
    symlinkSync(path.join(HERE, 'node_modules'), path.join(this.dir, 'node_modules'))
  }

  /** The result of the named test without the protection. Restores the file afterwards. */
  async without({ file, find, replace, red }: Protection): Promise<Verdict> {
    const target = path.join(this.dir, file)
    const whole = readFileSync(target, 'utf8')
    const { start, end, matches } = codeIn(whole, find)
    if (matches !== 1)
      throw new Error(
        `${file} holds the code to take out ${matches} times instead of once: ${find}`,
      )
    writeFileSync(target, whole.slice(0, start) + replace + whole.slice(end))
    try {
      if (NEEDS_BUILD.test(red.file)) await execa('npm', ['run', 'build'], { cwd: this.dir })
      return await this.#run(red)
    } finally {
      writeFileSync(target, whole)
    }
  }

  async #run({ file, name }: Protection['red']): Promise<Verdict> {
    const report = path.join(this.dir, 'taken-out.json')
    rmSync(report, { force: true })
    const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const { all = '' } = await execa(
      'npx',
      [
        'vitest',
        'run',
        file,
        '--testNamePattern',
        pattern,
        '--reporter=json',
        `--outputFile=${report}`,
      ],
      {
        cwd: this.dir,
        all: true,
        reject: false,
        timeout: TEST_MS,
        env: NEEDS_BUILD.test(file) ? {} : { RATCHET_TEST_PATIENCE_MS: String(QUICK_MS) },
      },
    )
    const tests = (
      JSON.parse(readFileSync(report, 'utf8')) as {
        testResults: { assertionResults: { fullName: string; status: string }[] }[]
      }
    ).testResults.flatMap((one) => one.assertionResults)
    const of = (status: string): string[] =>
      tests.filter((one) => one.status === status).map((one) => one.fullName)
    return { failed: of('failed'), passed: of('passed'), output: all }
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true })
  }
}
