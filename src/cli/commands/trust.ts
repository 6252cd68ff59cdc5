// ratchet trust: shows what a repository makes this machine run, and allows it.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'A repository can bring agents, set-up commands, hooks, permissions, telemetry, agent programs and sessions. They run',
    'only after you have trusted them: here, at the question of the first run, with --trust, or with RATCHET_TRUST=1 in a',
    'CI. What git does not track is your own, and so is the test command that you run. If something is added or changed',
    'later, Ratchet asks again and names it.',
  ],
  options: [
    ['--show', 'Only show what it brings, and what is trusted'],
    ['--revoke', 'Forget that it was trusted'],
  ],
  examples: ['ratchet trust --show', 'ratchet trust', 'ratchet trust --revoke'],
  load: () => import('../run/run-trust.js'),
}
