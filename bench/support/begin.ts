// Set-up and tear-down of a bench: starts the servers, writes the result.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import getServers from '../../test/support/servers/global-setup.js'
import { thisMachine } from './machine.js'
import { isQuick, openSections, RESULTS, sectionsOf, writeResult } from './results.js'

/**
 * Sections of a whole run. A partial run is printed and not written: its ratios would be mixed with
 * those of another run.
 */
const SECTIONS = 7

export default async function setup(): Promise<() => void> {
  const began = performance.now()
  await getServers()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ratchet-bench-'))
  openSections(folder)
  return () => {
    const sections = sectionsOf(folder)
    rmSync(folder, { recursive: true, force: true })
    if (isQuick || sections.length < SECTIONS)
      return console.log(
        `nothing written: ${isQuick ? 'small numbers' : `${sections.length} of ${SECTIONS} sections`}`,
      )
    const file = writeResult(RESULTS, {
      date: new Date().toISOString().slice(0, 10),
      seconds: (performance.now() - began) / 1_000,
      machine: thisMachine(),
      sections,
    })
    console.log(`written: ${path.relative(process.cwd(), file)}.md and .json`)
  }
}
