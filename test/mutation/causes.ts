// Several causes of one fix: independent, committed apart, and only the wrong ones taken out.
import type { Protection } from './protection.js'

const CHOOSE = 'test/unit/core/test-fix/causes/choose-causes.test.ts'
const SPLIT = 'test/unit/core/test-fix/causes/split-by-cause.test.ts'
const SEARCH = 'test/unit/core/test-fix/causes/part-search.test.ts'
const PARTS = 'test/adapters/git/parts.test.ts'
const WORKFLOW = 'test/workflows/causes.test.ts'

export const CAUSES: readonly Protection[] = [
  {
    protection: 'causes that share a test are not fixed in one turn',
    file: 'src/core/test-fix/causes/choose-causes.ts',
    find: 'if (!isKnown || !isApart) continue',
    replace: 'if (!isKnown) continue',
    red: { file: CHOOSE, name: 'no two of them share a file or a failing test' },
  },
  {
    protection: 'a file and a directory of its name are in one group',
    file: 'src/core/test-fix/causes/split-by-cause.ts',
    find: 'files.length > 0 && !meet(files, others)',
    replace: 'files.length > 0',
    red: { file: SPLIT, name: 'a file where another cause has a directory' },
  },
  {
    protection: 'a cause that broke nothing is back for the next run',
    file: 'src/core/test-fix/causes/part-search.ts',
    find: 'return harm < search.harm',
    replace: 'return harm <= search.harm',
    red: { file: SEARCH, name: 'finds every wrong cause among good ones and takes it out alone' },
  },
  {
    protection: 'each cause has a commit of its own files',
    file: 'src/adapters/git/parts.ts',
    find: 'tree: n === groups.length - 1 ? tree : await treeWith(repo, expectHead, done)',
    replace: 'tree',
    red: { file: PARTS, name: 'each cause is a commit of its own files under its task' },
  },
  {
    protection: 'a fix of several causes that breaks a test is searched',
    file: 'src/workflows/test-fix/fix-iteration.ts',
    find: 'if (parts.length < 2 || harmOf(whole) === 0)',
    replace: 'if (parts.length < 20)',
    red: { file: WORKFLOW, name: 'causes are left out one by one until nothing is broken' },
  },
  {
    protection: 'a rollback of several causes undoes all of them',
    file: 'src/adapters/git/candidates.ts',
    find: '    at = await readCommit(repo, parent)\n',
    replace: '    return parent\n',
    red: {
      file: 'test/adapters/git/verdict-steps.test.ts',
      name: 'causes that are kept are a chain of commits without those that were taken out',
    },
  },
  {
    protection: 'no candidate is published as the branch',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: 'const head = await acceptedAt(clone, tip)',
    replace: 'const head = tip',
    red: {
      file: 'test/adapters/git/verdict-steps.test.ts',
      name: 'a kept candidate becomes a commit of the same tree and parent',
    },
  },
  {
    protection: 'a search leaves half of the minutes of the budget',
    file: 'src/workflows/test-fix/take-out.ts',
    find: 'if (!mayRunAgain({ leftMinutes, spentMs, nextMs: rest.after.durationMs }))',
    replace: 'if (leftMinutes === 0)',
    red: { file: WORKFLOW, name: 'a search takes at most half of the minutes that are left' },
  },
  {
    protection: 'a fix of several causes is compared with the run before the first of them',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: 'await acceptedAt(repo, fix)',
    replace: '`${fix}^`',
    red: {
      file: 'test/activities/resume.test.ts',
      name: 'several causes that wait for their retest keep their commits',
    },
  },
]
