// Further states in which an agent may leave the tree to a step.
import { test } from 'vitest'
import { commitAll, runGit } from '../../support/repositories/repos.js'
import {
  expectOwnStep,
  expectPutBack,
  expectTestStep,
  type AgentGit,
  type Tampering,
  type TestStep,
} from '../../support/runs/step-play.js'

test.each<AgentGit>([
  { why: 'committed', act: (root) => void commitAll(root, 'agent: fix') },
  {
    why: 'switched to a new branch and committed',
    act: (root) => {
      runGit(root, 'switch', '-qc', 'agent-work')
      commitAll(root, 'agent: fix')
    },
  },
  { why: 'detached HEAD', act: (root) => void runGit(root, 'switch', '-q', '--detach') },
])('an agent that $why: its work becomes a step on the branch without loss', expectOwnStep)

test.each<Tampering>(
  // prettier-ignore
  [
  { why: 'added', files: { 'src/new/add.test.js': 'trivial\n', 'pkg/conftest.py': 'skip\n' }, tampered: ['pkg/conftest.py', 'src/new/add.test.js'] },
  { why: 'replaced by a folder', files: { 'conftest.py': null }, after: { 'conftest.py/x': 'x' }, tampered: ['conftest.py'] },
  { why: 'in a folder replaced by a file', files: { test: null }, after: { test: 'a file' }, tampered: ['test', 'test/add.test.js', 'test/data.json', 'test/unit/deep.test.js'] },
],
)('a guarded file that was $why is restored and named, and its changes are kept', expectPutBack)

test.each<TestStep>(
  // prettier-ignore
  [
  { why: 'puts a link in the place of a test', files: { 'conftest.py': null }, after: { 'conftest.py': { link: 'src/add.js' } }, kept: [], tampered: ['conftest.py'], changed: [] },
  { why: 'puts a folder in the place of a test', files: { 'conftest.py': null }, after: { 'conftest.py/x': 'x' }, kept: [], tampered: ['conftest.py'], changed: [] },
  { why: 'puts a file in the place of a folder of tests', files: { test: null }, after: { test: 'a file' }, kept: [], tampered: ['test/add.test.js', 'test/data.json', 'test/unit/deep.test.js'], changed: [] },
  { why: 'moves a test away', files: { 'test/add.test.js': null, 'old/add.test.js': 'test add\n' }, kept: ['old/add.test.js'], tampered: ['test/add.test.js'], changed: [] },
  { why: 'brings configuration of its own', files: { 'vitest.config.js': 'export default { test: { include: [] } }\n' }, kept: [], tampered: ['vitest.config.js'], changed: [] },
],
)('a step that may write tests: $why', expectTestStep)
