// Global set-up of `npm run agents`: installs what is missing and names the folders of programs.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { KNOWN_NAMES } from '../../src/contract/known-agents.js'

export default function install(): void {
  const bins = execFileSync(process.execPath, [path.resolve('scripts/agents/install.mjs')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim().split('\n')
  process.env['RATCHET_AGENTS_BINS'] = JSON.stringify(Object.fromEntries(KNOWN_NAMES.map((name, i) => [name, bins[i]])))
}
