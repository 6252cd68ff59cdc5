// ratchet report: what a run did, in one file or on stdout.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'The page is one file that needs no network: how the run ended, the pass rate over its iterations, each fix with its',
    'diff and what was measured against what was claimed, who worked when, what it cost, what still fails, and links to',
    'transcripts and records. Open runs and closed ones, also where no server knows them any more. Starts nothing.',
    'HTML is written into the record and its path printed; the other formats go to stdout. More: docs/report.md',
  ],
  arguments: [ID],
  options: [
    ['--format <format>', 'html (default), md, json, ctrf or junit'],
    ['--output <file>', 'Write it there; - is stdout'],
    ['--open', 'Show the page in the browser'],
  ],
  values: {
    '--format': ['html', 'md', 'json', 'ctrf', 'junit'],
    '--output': 'files',
  },
  examples: [
    'ratchet report WFS-test-shop --open',
    'ratchet report WFS-test-shop --format md | gh pr comment --body-file -',
  ],
  run: async (...given) => (await import('../run/run-report.js')).run(...given),
}
