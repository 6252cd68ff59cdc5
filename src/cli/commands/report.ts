// ratchet report: writes what a run did into one file or to stdout.
import { ID, type Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'The page is one file that needs no network: how the run ended, the pass rate of each iteration, each fix with its',
    'diff and its measured and claimed result, who worked when, what it cost, what still fails, and links to transcripts',
    'and records. It works for open and closed runs, even if no server knows them any more, and starts nothing.',
    'HTML is written into the record, and its path is printed; the other formats go to stdout. More: docs/report.md',
  ],
  arguments: [ID],
  options: [
    ['--format <format>', 'html (default), md, json, ctrf or junit'],
    ['--output <file>', 'Write the report to this file; - is stdout'],
    ['--open', 'Open the page in the browser'],
  ],
  values: {
    '--format': ['html', 'md', 'json', 'ctrf', 'junit'],
    '--output': 'files',
  },
  examples: [
    'ratchet report WFS-test-shop --open',
    'ratchet report WFS-test-shop --format md | gh pr comment --body-file -',
  ],
  load: () => import('../run/run-report.js'),
}
