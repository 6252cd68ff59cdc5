// Global set-up of `npm run agents`: installs what is missing and names the folders of programs.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { AGENTS } from './chosen.js'

export default function install(): void {
  const bins = execFileSync(
    process.execPath,
    [path.resolve('scripts/agents/install.mjs'), ...AGENTS],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
    .trim()
    .split('\n')
  process.env['RATCHET_AGENTS_BINS'] = JSON.stringify(
    Object.fromEntries(AGENTS.map((name, i) => [name, bins[i]])),
  )
}
