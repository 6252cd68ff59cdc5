// Preparations: nothing of an earlier package is lost, and no agent rates itself.
import type { Protection } from './protection.js'

const WRITE = 'test/adapters/records/prep/write-package.test.ts'
const QUALITY = 'test/unit/core/prep/prep-quality.test.ts'
const WORKFLOW = 'test/workflows/prep/prep-workflow.test.ts'

export const PREP: readonly Protection[] = [
  {
    protection: 'a package that was there is copied before it is replaced',
    file: 'src/adapters/records/prep/write-package.ts',
    find: 'if (before !== undefined && before.text !== text)',
    replace: 'if (before === undefined)',
    red: { file: WRITE, name: 'a package that was there is copied once' },
  },
  {
    protection: 'a source that leads out of the project is not looked at',
    file: 'src/adapters/records/prep/source-refs.ts',
    find: '&& isInside(realpathSync(file), realpathSync(project))',
    replace: '',
    red: { file: WRITE, name: 'nothing outside of it is' },
  },
  {
    protection: 'a part that rests on an assumption is at most partly known',
    file: 'src/core/prep/prep-quality.ts',
    find: 'Math.min(scores[name], ASSUMED)',
    replace: 'scores[name]',
    red: { file: QUALITY, name: 'at most 1 for an assumed part' },
  },
  {
    protection: 'a stopped preparation writes no package',
    file: 'src/workflows/prep/workflow.ts',
    find: 'if (!isMade && run.state !== undefined) delete run.state.draft',
    replace: '',
    red: { file: WORKFLOW, name: 'at a question writes no package' },
  },
]
