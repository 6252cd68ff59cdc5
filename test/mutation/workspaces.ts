// Workspaces and git: the user's files are not touched or lost, every step happens once.
import type { Protection } from './protection.js'

const PREPARE = 'test/adapters/workspace/prepare.test.ts'
const REFUSALS = 'test/adapters/workspace/refusals.test.ts'
const IN_PLACE = 'test/adapters/workspace/in-place.test.ts'
const DEPENDENCIES = 'test/adapters/workspace/dependencies.test.ts'
const INSTALLED = 'test/adapters/workspace/installed.test.ts'
const ISOLATION = 'test/adapters/workspace/isolation.test.ts'
const MONOREPO = 'test/adapters/workspace/monorepo.test.ts'
const KINDS = 'test/adapters/workspace/kinds.test.ts'
const SUBMODULES = 'test/adapters/workspace/submodules.test.ts'
const CLONES = 'test/adapters/workspace/worker-clones.test.ts'
const KEEP_WORK = 'test/adapters/workspace/keep-work.test.ts'
const SNAPSHOT = 'test/adapters/git/user-repository/snapshot.test.ts'
const HOSTILE = 'test/adapters/git/hostile-clone.test.ts'
const SETTINGS = 'test/adapters/git/git-settings.test.ts'
const STEPS = 'test/adapters/git/steps.test.ts'
const PUBLISH = 'test/adapters/git/user-repository/publish.test.ts'
const MERGE = 'test/adapters/git/merge/merge-workers.test.ts'
const APPLY = 'test/adapters/git/user-repository/apply.test.ts'
const CLEAN = 'test/adapters/git/user-repository/clean.test.ts'
const LFS = 'test/adapters/git/lfs.test.ts'
const NEVER_TWICE = 'test/adapters/agents/never-twice.test.ts'
const LEFT_BEHIND = 'test/activities/left-behind.test.ts'
const GROUP = 'test/adapters/agents/group.test.ts'

export const WORKSPACES: readonly Protection[] = [
  // A clone under the state directory, with its own refs, config and hooks.
  {
    protection: 'a state directory inside the repository is refused',
    file: 'src/adapters/workspace/prepare.ts',
    find: '  refuseStateInside(deps.dirs, place.repo)\n',
    replace: '',
    red: { file: REFUSALS, name: 'a state directory inside the repository is refused' },
  },
  {
    protection: "a clone shares no inode with the user's repository",
    file: 'src/adapters/git/agent-clone.ts',
    find: 'await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)',
    replace: "await (await import('node:fs/promises')).link(from, to)",
    red: { file: HOSTILE, name: 'no inode of the user is in a workspace' },
  },
  {
    protection: "a clone of a partial clone cannot push to the user's repository",
    file: 'src/adapters/workspace/clone.ts',
    find: "['remote.user.pushurl', '/dev/null'], ",
    replace: '',
    red: {
      file: PREPARE,
      name: 'a workspace of a partial clone may fetch what is missing from the user, and pushes nowhere',
    },
  },
  {
    protection: 'global hooks do not run in a clone',
    file: 'src/adapters/workspace/clone.ts',
    find: ", ['core.hooksPath', path.join(repo.root, '.git', 'hooks')]",
    replace: '',
    red: {
      file: PREPARE,
      name: 'hooks that the user has set globally do not run in the workspace',
    },
  },
  {
    protection: 'settings that affect a checkout are copied',
    file: 'src/adapters/workspace/clone.ts',
    find: '...settings.filter(([name]) => !FILES.some(([one]) => one === name)), ',
    replace: '',
    red: {
      file: PREPARE,
      name: 'copies settings that affect a checkout',
    },
  },
  {
    protection: "a clone is read through Ratchet's git directory, never through its .git",
    file: 'src/adapters/git/repo.ts',
    find: "{ GIT_DIR: gitDir, GIT_WORK_TREE: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }",
    replace: '{}',
    red: { file: HOSTILE, name: 'sets clean and smudge filters in its' },
  },
  {
    protection: "only the configuration of Ratchet's git directory is read",
    file: 'src/adapters/git/repo.ts',
    find: ", GIT_CONFIG_GLOBAL: '/dev/null'",
    replace: '',
    red: { file: HOSTILE, name: 'variables of git in the environment of the worker point nowhere' },
  },
  {
    protection: 'no command runs in repositories inside of a clone',
    file: 'src/adapters/git/index-file.ts',
    find: "'--ignore-submodules=dirty', ",
    replace: '',
    red: {
      file: HOSTILE,
      name: 'no command runs in a submodule of which an agent made a repository',
    },
  },
  {
    protection: "objects are checked when the user's repository receives them",
    file: 'src/adapters/git/repo.ts',
    find: "'-c', 'fetch.fsckObjects=true', ",
    replace: '',
    red: { file: HOSTILE, name: 'does not come into the repository of the user' },
  },
  {
    protection: 'attributes are restored before anything is staged',
    file: 'src/adapters/git/steps.ts',
    find: '    await undo(await changedAttributes(repo, index, expectHead, guard))\n',
    replace: '',
    red: { file: HOSTILE, name: 'attributes are restored before anything is staged' },
  },
  {
    protection: 'attributes from new files are restored too',
    file: 'src/adapters/git/steps.ts',
    find: 'undo(await newAttributes(repo, expectHead, files, guard))',
    replace: 'Promise.resolve(newAttributes.name + files.length).then(() => undefined)',
    red: { file: HOSTILE, name: 'attributes are restored before anything is staged' },
  },
  {
    protection: 'guarded files are compared by bytes',
    file: 'src/adapters/git/steps.ts',
    find: '    await undo(unseen.filter((repair) => !seen.has(repair.path)))\n',
    replace: '',
    red: { file: HOSTILE, name: 'a guarded file whose change a filter hides from git' },
  },
  {
    protection: 'every file of the measuring tree is compared by bytes',
    file: 'src/adapters/git/work-tree.ts',
    find: '  if (repo.own) await withOwnIndex(repo, commit, (index) => restoreBytes(repo, index, commit))\n',
    replace: '',
    red: { file: HOSTILE, name: 'the measuring tree has the bytes of the commit' },
  },
  {
    protection: 'attributes outside of the commit do not affect its checkout',
    file: 'src/adapters/git/work-tree.ts',
    find: '    if (repo.own) await removeStrayAttributes(repo, head)\n',
    replace: '',
    red: { file: HOSTILE, name: 'the measuring tree has the bytes of the commit' },
  },
  {
    protection: 'a clone that an agent changed is made again',
    file: 'src/adapters/git/agent-clone.ts',
    find: 'if (note?.head === head && note.exclude === exclude && isSame(note.seen, seen)) return',
    replace:
      'if (note?.head === head && note.exclude === exclude && isSame(note.seen, note.seen)) return',
    red: { file: HOSTILE, name: 'keeps unchanged objects of a clone' },
  },
  {
    protection: 'objects that an agent changed are made again',
    file: 'src/adapters/git/agent-clone.ts',
    find: "if (known.get(name) !== value && !(isFolder(value) && isFolder(known.get(name) ?? ''))) await removeTree(path.join(dir, name))",
    replace: 'await Promise.resolve([name, value, known])',
    red: { file: HOSTILE, name: 'writes garbage into an object of its' },
  },
  {
    protection: 'a clone is never made again through a link of an agent',
    file: 'src/adapters/git/agent-clone.ts',
    find: '(await Promise.all(dirs.map(isDirectory))).every(Boolean)',
    replace: "(await stat(dirs.at(-1) ?? '').then((one) => one.isDirectory(), () => false))",
    red: { file: HOSTILE, name: 'puts a link in the place of .git, whi' },
  },
  {
    protection: "in place the user's git settings are restored before git reads them",
    file: 'src/adapters/git/open-workspace.ts',
    find: '    await restoreGitSettings(workspace)\n',
    replace: '',
    red: { file: SETTINGS, name: 'it is undone before git reads it, and the step names it' },
  },
  {
    protection: 'a workspace that git can no longer read is not retried forever',
    file: 'src/adapters/git/open-workspace.ts',
    find: "  if (!existsSync(path.join(repo.gitDir, 'HEAD')) || !existsSync(path.join(repo.gitDir, 'refs'))) throw new WorkspaceMissingError(repo.gitDir, 'broken')\n",
    replace: '',
    red: {
      file: STEPS,
      name: 'in a workspace without its tree, or without what git needs of it, says so',
    },
  },
  // The base is a snapshot that touches nothing.
  {
    protection: 'a snapshot uses its own index',
    file: 'src/adapters/git/index-file.ts',
    find: "const file = path.join(dir, 'index')\n    const index = { file, env: { GIT_INDEX_FILE: file } }",
    replace: "const file = path.join(dir, 'index')\n    const index = { file, env: {} }",
    red: { file: SNAPSHOT, name: 'a snapshot touches nothing of the user' },
  },
  {
    protection: 'a copied index keeps its time',
    file: 'src/adapters/git/index-file.ts',
    find: '    await utimes(to, seconds, seconds)\n',
    replace: '',
    red: {
      file: SNAPSHOT,
      name: 'an edit in the same second and of the same size as what is staged is noticed',
    },
  },
  {
    protection: 'git variables of a caller inside a git hook are ignored',
    file: 'src/adapters/git/git.ts',
    find: "!name.startsWith('GIT_') || KEPT.has(name)",
    replace: 'name',
    red: {
      file: SNAPSHOT,
      name: 'variables of a caller inside a git hook have no effect',
    },
  },
  {
    protection: 'user settings that stop or change a snapshot are overridden',
    file: 'src/adapters/git/git.ts',
    find: "'core.safecrlf=false', ",
    replace: '',
    red: { file: SNAPSHOT, name: 'mixed line ends with safecrlf' },
  },
  {
    protection: 'a killed preparation keeps its snapshot',
    file: 'src/adapters/workspace/prepare.ts',
    find: '  await writePlan(dir, plan)\n',
    replace: '',
    red: { file: PREPARE, name: 'a preparation killed after its snapshot uses it again' },
  },
  {
    protection: 'a second start of an id is another run',
    file: 'src/adapters/workspace/prepare.ts',
    find: 'return one.run === run && one.chain === chain',
    replace: 'return one.run === run',
    red: { file: PREPARE, name: 'the same id started again is another run' },
  },
  {
    protection: 'two preparations at once wait for each other',
    file: 'src/adapters/workspace/prepare.ts',
    find: "const release = await acquireLock(path.join(layout.locks(deps.dirs), `prepare-${key}-${name}`), {\n    ...(input.signal && { signal: input.signal }), onWait: () => input.onProgress?.('waiting for another start of this session'),\n  })",
    replace: 'const release = () => Promise.resolve(acquireLock)',
    red: { file: PREPARE, name: 'two preparations at once for the same run make one workspace' },
  },
  {
    protection: 'processes of a killed preparation are ended before the next one',
    file: 'src/adapters/workspace/prepare.ts',
    find: '    await endMarkedAll({ [MARKERS.run]: input.run, [MARKERS.step]: PREPARE_STEP }, { graceMs: 1_000 })\n',
    replace: '',
    red: {
      file: PREPARE,
      name: 'processes of a killed preparation are ended before the next one',
    },
  },
  {
    protection: 'work of another run of the same name is kept before its workspace is removed',
    file: 'src/adapters/workspace/prepare.ts',
    find: 'if (finished !== undefined) await keepWork(place.repo, name, finished.workspace)',
    replace: '',
    red: {
      file: PREPARE,
      name: 'another run of the same name starts fresh; branch tip and uncommitted work of the old one are kept',
    },
  },
  {
    protection: 'commits of an agent on its own branch are kept',
    file: 'src/adapters/workspace/keep-work.ts',
    find: "await snapshotUncommitted(workspace, 'left-uncommitted')",
    replace: 'await Promise.resolve(snapshotUncommitted.name.slice(99) || undefined)',
    red: { file: KEEP_WORK, name: 'commits that an agent made on a branch of its own are kept' },
  },
  {
    protection: 'a refusal leaves nothing behind',
    file: 'src/adapters/workspace/prepare.ts',
    find: '      if (error instanceof RefusalError) await undo(place.repo, name, dir, plan)\n',
    replace: '',
    red: { file: PREPARE, name: 'leaves nothing behind, and works after a correction' },
  },
  // The branch of the run, in the user's repository.
  {
    protection: 'a branch named ratchet does not block a run',
    file: 'src/adapters/git/ratchet-refs.ts',
    find: 'if ((await resolve(repo, `refs/heads/${prefix}`)) === undefined) return prefix',
    replace: 'return prefix',
    red: {
      file: PREPARE,
      name: 'a branch called ratchet moves the branch of the run to ratchet-runs',
    },
  },
  {
    protection: 'a checked-out branch is not used for a run',
    file: 'src/adapters/git/ratchet-refs.ts',
    find: '  if (worktree !== undefined) return worktree === here ? undefined : `the branch ${branch} is checked out in ${worktree}`\n',
    replace: '',
    red: { file: PREPARE, name: 'is checked out by the user' },
  },
  {
    protection: "a branch with the user's commits is not used for a run",
    file: 'src/adapters/git/ratchet-refs.ts',
    find: "  return `the branch ${branch} holds commits that are not Ratchet's`",
    replace: '  return undefined',
    red: { file: PREPARE, name: 'holds commits of the user' },
  },
  {
    protection: 'the earlier tip of a restarted branch is kept',
    file: 'src/adapters/git/ratchet-refs.ts',
    find: "  if (oldTip !== undefined) await inRepo(repo, ['update-ref', keptRefs.old(name, oldTip), oldTip])\n",
    replace: '',
    red: {
      file: PREPARE,
      name: 'another run of the same name starts fresh; branch tip and uncommitted work of the old one are kept',
    },
  },
  {
    protection: 'a branch starts only from its expected tip',
    file: 'src/adapters/git/ratchet-refs.ts',
    find: "['update-ref', '-m', 'ratchet: start', ref, to, oldTip ?? '']",
    replace: "['update-ref', '-m', 'ratchet: start', ref, to]",
    red: { file: PREPARE, name: 'a branch that the user makes while a run begins is left alone' },
  },
  {
    protection: 'an interrupted preparation restarts if its branch has moved',
    file: 'src/adapters/workspace/prepare.ts',
    find: ' && (await holds(place.repo, begun))',
    replace: '',
    red: { file: PREPARE, name: 'the next attempt takes another' },
  },
  {
    protection: 'nothing is published to a checked-out branch',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: '  if (worktree !== undefined) return `the branch ${branch} is checked out in ${worktree}`\n',
    replace: '',
    red: { file: PUBLISH, name: 'a branch that the user has checked out is left alone' },
  },
  {
    protection: 'nothing is published to a branch that the user moved',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: '  return `the branch ${branch} was moved to ${there.slice(0, 10)}`',
    replace: '  return undefined',
    red: { file: PUBLISH, name: 'a branch that the user has moved is left alone' },
  },
  {
    protection: 'publishing replaces only the expected tip',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: "ref, head, there ?? '']",
    replace: 'ref, head]',
    red: {
      file: PUBLISH,
      name: 'a branch that the user moves while it is published is left alone',
    },
  },
  {
    protection: 'the published tip of an earlier attempt is kept if the branch diverges',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: "await inRepo(user, ['update-ref', keptRefs.old(keptName(workspace.branch), there), there])",
    replace: 'await Promise.resolve()',
    red: {
      file: PUBLISH,
      name: 'a branch that diverged in an earlier attempt is moved, and its tip kept',
    },
  },
  {
    protection: 'a result that cannot go to its branch is kept under a ref',
    file: 'src/adapters/git/user-repository/publish.ts',
    find: "  await inRepo(user, ['update-ref', kept, head])\n",
    replace: '',
    red: { file: PUBLISH, name: 'one that can no longer exist is kept as a ref' },
  },
  {
    protection: 'the kept result of an earlier run is archived',
    file: 'src/adapters/workspace/prepare.ts',
    find: '      await retireHead(place.repo, name, prepared.workspace.branch)\n',
    replace: '',
    red: {
      file: PUBLISH,
      name: 'the kept result of an earlier run is not used for the next run of the name',
    },
  },
  {
    protection: 'a session resumes at the newest remaining commit of its branch',
    file: 'src/adapters/workspace/continue.ts',
    find: '  await fetchOld(user, name, dir, from)\n',
    replace: '',
    red: {
      file: 'test/activities/resume.test.ts',
      name: 'a commit missing from the record is found in the old workspace',
    },
  },
  {
    protection: 'in-place requires a clean tree',
    file: 'src/adapters/workspace/in-place.ts',
    find: "    throw new RefusalError('DirtyTree', 'workspace.isolation \"in-place\" needs a clean tree', repo.root, 'commit or stash your changes, or set workspace.isolation to \"clone\"')\n",
    replace: '    await Promise.resolve()\n',
    red: { file: IN_PLACE, name: 'in-place refuses a tree with' },
  },
  {
    protection: 'a repository without a commit is refused with a remedy',
    file: 'src/adapters/workspace/checks.ts',
    find: "    throw new RefusalError('NoCommit', 'the repository has no commit yet', repo.root, 'create one: git add -A && git commit -m \"Start\"')\n",
    replace: '    await Promise.resolve()\n',
    red: { file: REFUSALS, name: 'no commit yet' },
  },
  {
    protection: 'a nested repository is refused, because a clone would lack it',
    file: 'src/adapters/workspace/checks.ts',
    find: '  if (inner !== undefined) refuse(',
    replace: '  if (inner === repo.root) refuse(',
    red: { file: REFUSALS, name: 'a nested repository' },
  },
  {
    protection: 'a submodule is refused in-place',
    file: 'src/adapters/workspace/checks.ts',
    find: 'options.inPlace === true ?',
    replace: 'options.inPlace === false ?',
    red: { file: REFUSALS, name: 'a submodule is refused in-place' },
  },
  {
    protection: 'unfetched files of a partial clone are refused, not retried forever',
    file: 'src/adapters/workspace/clone.ts',
    find: "    if (!(error instanceof GitError)) throw error\n    throw new RefusalError('UnsupportedRepository', `the files of",
    replace:
      "    if (error instanceof GitError) throw error\n    throw new RefusalError('UnsupportedRepository', `the files of",
    red: { file: REFUSALS, name: 'files that a partial clone has not fetched are a refusal' },
  },
  {
    protection: 'submodules are copied without their .git',
    file: 'src/adapters/workspace/submodules.ts',
    find: '    await removeGit(target)\n',
    replace: '',
    red: { file: KINDS, name: 'with submodules, one edited' },
  },
  {
    protection: 'submodules are restored after a turn',
    file: 'src/adapters/workspace/installed.ts',
    find: '[...submodules.keys(), ...(await dependencyDirs(to, { folder, files }))]',
    replace: 'await dependencyDirs(to, { folder, files })',
    red: { file: SUBMODULES, name: 'its submodules are restored, the rest is the step' },
  },
  {
    protection: 'no commit moves a submodule',
    file: 'src/adapters/git/tamper.ts',
    find: 'change.before?.mode === GITLINK || ',
    replace: '',
    red: { file: SUBMODULES, name: 'a step keeps a missing submodule in the commit' },
  },
  {
    protection: 'LFS files of the base are copied',
    file: 'src/adapters/workspace/clone.ts',
    find: '  await bringLfsOfTree(user, repo, await listTree(repo, base))\n',
    replace: '',
    red: { file: KINDS, name: 'with files in Git LFS' },
  },
  {
    protection: 'an LFS file is copied only if its hash matches',
    file: 'src/adapters/git/lfs.ts',
    find: '(await sha256(fresh)) === oid',
    replace: "(await sha256(fresh)) !== ''",
    red: { file: LFS, name: 'a file with a wrong hash stays behind' },
  },
  // Dependencies are copied or installed; the tests use the workspace.
  {
    protection: 'dependencies are copied, never linked',
    file: 'src/adapters/workspace/dependencies.ts',
    find: "(['cp', '-a', '--reflink=auto', source, target] as const)",
    replace: "(['ln', '-s', source, target] as const)",
    red: {
      file: DEPENDENCIES,
      name: 'npm ci in the workspace leaves node_modules of the user as they are',
    },
  },
  {
    protection: 'scripts of a copied environment use its own interpreter',
    file: 'src/adapters/workspace/dependencies.ts',
    find: '        await relocateVenv(source, target)\n',
    replace: '',
    red: {
      file: DEPENDENCIES,
      name: 'scripts of a copied virtual environment run its own interpreter',
    },
  },
  {
    protection: 'links between packages point into the workspace',
    file: 'src/adapters/workspace/dependencies.ts',
    find: 'await relocateLinks(path.join(to, dir), places)',
    replace: 'await Promise.resolve()',
    red: { file: MONOREPO, name: 'resolve inside the workspace' },
  },
  {
    protection: 'editable installs point into the workspace',
    file: 'src/adapters/workspace/dependencies.ts',
    find: '        await relocateEditable(target, places)\n',
    replace: '',
    red: { file: ISOLATION, name: 'leads to the workspace in a copied environment' },
  },
  {
    protection: "a package that resolves to the user's tree is refused: WorkspaceNotIsolated",
    file: 'src/adapters/workspace/isolation.ts',
    find: '  if (linked !== undefined)\n    throw',
    replace: '  if (linked?.name === undefined && linked !== undefined)\n    throw',
    red: {
      file: ISOLATION,
      name: 'that is an absolute link to what only the project has is refused, and named',
    },
  },
  {
    protection: "an editable install of the user's tree is refused",
    file: 'src/adapters/workspace/isolation.ts',
    find: '  if (editable !== undefined)\n    throw',
    replace: '  if (editable?.name === undefined && editable !== undefined)\n    throw',
    red: { file: ISOLATION, name: 'from one outside of the project it is refused' },
  },
  {
    protection: "a Python search path into the user's tree is detected",
    file: 'src/adapters/workspace/isolation.ts',
    find: "return { name: 'sys.path', resolvesTo: entry, through: program }",
    replace: 'return undefined',
    red: { file: ISOLATION, name: 'the probe finds PYTHONPATH into the project' },
  },
  {
    protection: 'variables with project paths get workspace paths',
    file: 'src/activities/tests.ts',
    find: 'env: envOf(input.workspace, deps.env)',
    replace: 'env: deps.env',
    red: {
      file: 'test/activities/tests.test.ts',
      name: 'tests see the workspace, though PYTHONPATH leads into the user',
    },
  },
  {
    protection: 'installed packages are restored after a turn',
    file: 'src/activities/workspace.ts',
    find: 'await restoreInstalled(input.workspace, input.step, await trackedFiles(input))',
    replace: 'await Promise.resolve([trackedFiles.name].slice(1))',
    red: {
      file: 'test/activities/commits/commit.test.ts',
      name: 'an edited installed package is restored and reported before the test run',
    },
  },
  {
    protection: 'a repeated programming error is not retried forever',
    file: 'src/activities/host/repeated-error.ts',
    find: '!isLast(key, stack, MOST)',
    replace: 'key !== undefined',
    red: {
      file: 'test/activities/hosted.test.ts',
      name: 'that repeats three times in the same way ends the activity',
    },
  },
  {
    protection: 'ignored files are restored before a full run',
    file: 'src/adapters/workspace/measurable.ts',
    find: 'await restoreIgnored(workspace, { step: `${input.step} ${commit}`, tracked: [...tree.keys()], keepPackages: input.keepPackages })',
    replace: '[restoreIgnored.name].slice(1)',
    red: {
      file: 'test/activities/commits/measured-commit.test.ts',
      name: 'build output of an agent is not measured, and is named',
    },
  },
  {
    protection: 'set-up runs again for a commit that changed a file',
    file: 'src/adapters/workspace/measurable.ts',
    find: 'if (changes.length === 0) return { leftOut }',
    replace: 'if (changes.length >= 0) return { leftOut }',
    red: {
      file: 'test/activities/commits/measured-commit.test.ts',
      name: 'workspace.setup runs again for a commit that changed a file',
    },
  },
  {
    protection: 'an installed file is unchanged only with equal size and times, including ctime',
    file: 'src/adapters/workspace/tree-entries.ts',
    find: ' && entry.ctimeMs === now.ctimeMs',
    replace: '',
    red: { file: INSTALLED, name: 'changed to the same size' },
  },
  {
    protection: 'tracked files changed by set-up are restored',
    file: 'src/adapters/workspace/install-dependencies.ts',
    find: '  await restoreTree(workspace, head)\n',
    replace: '',
    red: {
      file: DEPENDENCIES,
      name: 'files that it creates are ignored, changes of tracked files are undone and reported',
    },
  },
  {
    protection: 'files to copy stay inside the project',
    file: 'src/adapters/workspace/extra-files.ts',
    find: "path.isAbsolute(pattern) || pattern.split('/').includes('..')",
    replace: 'path.isAbsolute(pattern)',
    red: { file: REFUSALS, name: 'files to copy from outside' },
  },
  // One run per workspace; no measurement while it changes.
  {
    protection: 'the workspace fence: the next turn ends processes of an unfinished one',
    file: 'src/adapters/agents/driver.ts',
    find: 'await clear(cwd, fence?.keys.filter((other) => other !== key))',
    replace: 'await Promise.resolve()',
    red: {
      file: NEVER_TWICE,
      name: 'the next turn in the same workspace ends the agent of the unfinished one first',
    },
  },
  {
    protection: 'turns of one group share a workspace without ending each other',
    file: 'src/adapters/agents/driver.ts',
    find: 'group !== undefined && fence?.group === group ?',
    replace: "group === '' && fence !== undefined ?",
    red: { file: GROUP, name: 'all are at work at the same time, and all are in the fence' },
  },
  {
    protection: "edits of other agents' files are reported",
    file: 'src/core/dev-cycle/documents/foreign-edits.ts',
    find: "phase === 'cd' && !file.startsWith('/')",
    replace: "!file.startsWith('/')",
    red: {
      file: 'test/unit/core/dev-cycle/documents/foreign-edits.test.ts',
      name: 'a source, by the validator',
    },
  },
  {
    protection: 'tests measure the commit, not the tree',
    file: 'src/adapters/workspace/measurable.ts',
    find: "  await (input.as === 'head' ? measuringTree(workspace, commit) : showTree(workspace, commit))\n",
    replace: '',
    red: {
      file: 'test/activities/tests.test.ts',
      name: 'measures the commit even in a dirty tree, and leaves the tree at that commit',
    },
  },
  {
    protection: 'agents are ended before tests begin',
    file: 'src/activities/host/test-directory.ts',
    find: '    await deps.agents.endWorkspace(input.workspace)\n',
    replace: '',
    red: {
      file: 'test/activities/tests.test.ts',
      name: 'ends agents first, and does not measure what they write until then',
    },
  },
  {
    protection: 'leftovers of tests are removed before the next step',
    file: 'src/activities/tests.ts',
    find: '      await restoreTree(input.workspace, input.commit)\n      if (isFirst',
    replace: '      if (isFirst',
    red: {
      file: 'test/activities/tests.test.ts',
      name: 'measures the commit even in a dirty tree, and leaves the tree at that commit',
    },
  },
  {
    protection: 'checks start at the commit',
    file: 'src/adapters/checks/run-checks.ts',
    find: '  await restoreTree(workspace, commit, [base])\n  const env',
    replace: '  const env',
    red: {
      file: 'test/adapters/checks/run-checks.test.ts',
      name: 'restores a workspace that a killed attempt left on the files of the base first',
    },
  },
  // Exactly once.
  {
    protection: 'a step recognises its commit by its trailers',
    file: 'src/adapters/git/parts.ts',
    find: "commit.trailers.get('Ratchet-Run') === run && commit.trailers.get('Ratchet-Step') === step && ",
    replace: "commit.trailers.get('Ratchet-Run') === '' && ",
    red: { file: STEPS, name: 'a repeated step returns the same commit and the same answer' },
  },
  {
    protection: 'a step recognises its commit by its expected parent',
    file: 'src/adapters/git/parts.ts',
    find: 'return made[0]?.parents[0] === expectHead ? tip : undefined',
    replace: 'return made[0] === undefined ? undefined : tip',
    red: { file: STEPS, name: 'a step of the same name on another head is another commit' },
  },
  {
    protection: 'an unexpected head is kept before it is moved',
    file: 'src/adapters/git/steps.ts',
    find: 'if (tip !== undefined && tip !== expectHead) await keepForStep(repo, input, { tree, parents: [tip] })',
    replace: '',
    red: {
      file: STEPS,
      name: 'a branch that moves during the commit of a step is not overwritten',
    },
  },
  {
    protection: 'in place an unexpected detached head is kept',
    file: 'src/adapters/git/steps.ts',
    find: 'if (elsewhere !== undefined && elsewhere !== expectHead) await keepForStep(repo, input, { tree, parents: [elsewhere] })',
    replace: '',
    red: { file: IN_PLACE, name: 'in-place an agent that detached HEAD and committed' },
  },
  {
    protection: "commits have the workflow's time, so that a retry gives the same sha",
    file: 'src/adapters/git/commits.ts',
    find: 'Math.floor(at / 1_000)',
    replace: 'Math.floor(Date.now() / 1_000 + at * 0)',
    red: {
      file: STEPS,
      name: 'a step commits changed, new and deleted files with its time, identity and trailers',
    },
  },
  {
    protection: 'commits have their own identity',
    file: 'src/adapters/git/commits.ts',
    find: 'GIT_COMMITTER_NAME: NAME, GIT_COMMITTER_EMAIL: EMAIL, GIT_COMMITTER_DATE',
    replace: 'GIT_COMMITTER_DATE',
    red: {
      file: STEPS,
      name: 'a step commits changed, new and deleted files with its time, identity and trailers',
    },
  },
  {
    protection: 'a step runs no hooks',
    file: 'src/adapters/git/git.ts',
    find: "'core.hooksPath=/dev/null', ",
    replace: '',
    red: { file: IN_PLACE, name: 'in-place works on its own branch in the tree of the user' },
  },
  {
    protection: 'a branch moves only from its expected head',
    file: 'src/adapters/git/commits.ts',
    find: 'ref, head, expectHead]',
    replace: 'ref, head]',
    red: {
      file: STEPS,
      name: 'a branch that moves during the commit of a step is not overwritten',
    },
  },
  {
    protection: 'a step without its head commits nothing',
    file: 'src/adapters/git/steps.ts',
    find: '  else if (!(await holds(repo, input))) throw new Error(`commit ${expectHead} is not in ${workspace.root}`)\n',
    replace: '',
    red: { file: STEPS, name: 'a step whose head is not in the workspace commits nothing' },
  },
  {
    protection: 'steps use an index that agents cannot change',
    file: 'src/adapters/git/index-file.ts',
    find: "own ? 'index' : PRIVATE",
    replace: "own ? '../tree/.git/index' : PRIVATE",
    red: { file: HOSTILE, name: 'marks every file as skip-worktree and' },
  },
  {
    protection: 'locks of a killed git are removed',
    file: 'src/adapters/git/open-workspace.ts',
    find: '  for (const lock of await lockFiles(repo.gitDir)) await removeStale(lock)\n',
    replace: '',
    red: { file: STEPS, name: 'a lock that a killed git left behind does not hold up a step' },
  },
  {
    protection: 'git state left by an agent in its clone is removed, including unfinished merges',
    file: 'src/adapters/git/agent-clone.ts',
    find: '  await removeTree(place) // a link or a file in its place goes as such\n',
    replace: '',
    red: { file: STEPS, name: 'left a merge in progress' },
  },
  {
    protection: 'packages, caches, records and environments never become part of a commit',
    file: 'src/adapters/git/index-file.ts',
    find: 'const environments = environmentsIn(others)',
    replace: 'const environments = environmentsIn(others).slice(99)',
    red: {
      file: STEPS,
      name: 'a virtual environment of any name without .gitignore is no part of a step',
    },
  },
  {
    protection: 'a rollback is a new commit with the tree before the fix',
    file: 'src/adapters/git/steps.ts',
    find: 'await commitOnce(repo, input, await treeOf(repo, toTree))',
    replace: 'toTree',
    red: { file: STEPS, name: 'a rollback is a new commit with the tree from before the fix' },
  },
  {
    protection: 'a rollback keeps uncommitted work',
    file: 'src/adapters/git/work-tree.ts',
    find: '  if (step !== undefined) return keepForStep(repo, step, { tree, parents: found })\n',
    replace: '  if (step !== undefined) return undefined\n',
    red: { file: STEPS, name: 'uncommitted work is kept' },
  },
  {
    protection: 'resetting a tree keeps its uncommitted work',
    file: 'src/adapters/git/work-tree.ts',
    find: '  return keepAs(repo, `restored-${tree.slice(0, 10)}`, { tree, parents: found, at: (await readCommit(repo, here)).at })\n',
    replace: '  return undefined\n',
    red: { file: STEPS, name: 'other work is kept under a ref' },
  },
  {
    protection: 'resetting a tree keeps its later commits',
    file: 'src/adapters/git/work-tree.ts',
    find: '  if (known.has(tree) && !losesCommits) return undefined\n',
    replace: '  if (known.has(tree)) return undefined\n',
    red: { file: STEPS, name: 'a tree restored to an earlier commit keeps those behind it' },
  },
  {
    protection: 'a snapshot keeps the earlier one of its label',
    file: 'src/adapters/git/kept-work.ts',
    find: 'parents: [...content.parents, ...(earlier === undefined ? [] : [earlier])]',
    replace: 'parents: content.parents',
    red: { file: STEPS, name: 'the earlier content of the label stays reachable' },
  },
  {
    protection: 'work of a turn whose worker died is kept before its workspace is used again',
    file: 'src/activities/agent-turn.ts',
    find: '    if (input.group === undefined) await snapshotUncommitted(input.workspace, `settled-${digest(input.key).slice(0, 12)}`)\n',
    replace: '',
    red: {
      file: LEFT_BEHIND,
      name: 'uncommitted work of a turn whose worker died is kept before its workspace is used again',
    },
  },
  // At the end: apply, clean, the merge of parallel workers.
  {
    protection: 'apply checks for conflicts before it writes anything',
    file: 'src/adapters/git/user-repository/apply.ts',
    find: '  if (all.length > 0) return {',
    replace: '  if (all.length > 99) return {',
    red: { file: APPLY, name: 'nothing at all is applied and the file is named' },
  },
  {
    protection: 'apply does not overwrite untracked files',
    file: 'src/adapters/git/user-repository/apply.ts',
    find: '[...new Set([...conflicts, ...inTheWay])].sort()',
    replace: '[...new Set([...conflicts, ...inTheWay.slice(99)])].sort()',
    red: { file: APPLY, name: 'an ignored file has the name' },
  },
  {
    protection: "apply does not write through the user's index",
    file: 'src/adapters/git/user-repository/apply.ts',
    find: 'const env = { ...repo.env, ...index.env }',
    replace: 'const env = { ...repo.env, ...index.env, GIT_INDEX_FILE: `${repo.gitDir}/index` }',
    red: { file: APPLY, name: 'own uncommitted work, staged or not, in the same files is kept' },
  },
  {
    protection: 'apply finds a result that could not go to its branch',
    file: 'src/adapters/git/user-repository/apply.ts',
    find: 'return (await isAncestor(repo, kept, tip)) ? tip : kept',
    replace: 'return tip',
    red: { file: PUBLISH, name: 'apply takes the result of a run whose branch was' },
  },
  {
    protection: 'a branch with the only copy of its work is not removed',
    file: 'src/adapters/git/user-repository/clean.ts',
    find: 'options.force !== true && !(await isApplied(repo, tip))',
    replace: 'options.force === false && !(await isApplied(repo, tip))',
    red: { file: CLEAN, name: 'a branch whose work is nowhere else is removed only by force' },
  },
  {
    protection: "another tool's branch is never removed",
    file: 'src/adapters/git/user-repository/clean.ts',
    find: "  if (nameOfBranch(branch) === undefined) return { removed: false, reason: `${branch} is not a branch of Ratchet's` }\n",
    replace: '',
    red: { file: CLEAN, name: 'is not called like one of Ratchet' },
  },
  {
    protection: "a branch with the user's commits is not removed",
    file: 'src/adapters/git/user-repository/clean.ts',
    find: 'if (!(await readCommit(repo, tip)).ours) return',
    replace: "if (tip === '') return",
    red: { file: CLEAN, name: 'holds commits of the user' },
  },
  {
    protection: 'a checked-out branch is not removed',
    file: 'src/adapters/git/user-repository/clean.ts',
    find: '  if (worktree !== undefined) return',
    replace: "  if (worktree === '') return",
    red: { file: CLEAN, name: 'a branch that is checked out is never removed' },
  },
  {
    protection: 'a name with a path removes nothing',
    file: 'src/adapters/git/user-repository/clean.ts',
    find: '  if (problem !== undefined) throw new Error(problem)\n  return removeTree',
    replace: '  return removeTree',
    red: { file: CLEAN, name: 'names that lead elsewhere are refused' },
  },
  {
    protection: 'a clone that may hold work of a worker is not made again',
    file: 'src/adapters/workspace/worker-clones.ts',
    find: 'if (finished !== undefined && finished.run === run &&',
    replace: "if (finished !== undefined && finished.run === '' &&",
    red: {
      file: CLONES,
      name: 'a finished clone of the same head is returned with its work',
    },
  },
  {
    protection: 'a clone of another head is made again',
    file: 'src/adapters/workspace/worker-clones.ts',
    find: ' && finished.workspace.base === head',
    replace: '',
    red: { file: CLONES, name: 'one of another head is created again' },
  },
  {
    protection: "packages linked into the run's workspace are refused for a worker",
    file: 'src/adapters/workspace/install-dependencies.ts',
    find: '  await checkIsolation(places, context().env)\n',
    replace: '',
    red: { file: CLONES, name: 'the worker would test another tree' },
  },
  {
    protection: 'clones are kept until the next round',
    file: 'src/activities/dev-loop/parallel-round.ts',
    find: "    failpoint('merge:done')\n",
    replace:
      '    for (const { workspace } of workers) await removeWorkerClones(path.dirname(workspace.root))\n',
    red: {
      file: LEFT_BEHIND,
      name: 'a merge whose answer was lost is made again from the clones of its round',
    },
  },
  {
    protection: 'no branch moves while a conflict is open',
    file: 'src/adapters/git/merge/merge-workers.ts',
    find: '  if (merged !== undefined && merged.open.length > 0)\n    return',
    replace: '  if (merged !== undefined && merged.open.length > 99)\n    return',
    red: { file: MERGE, name: 'as long as one conflict is open nothing moves' },
  },
  {
    protection: 'a conflict names all workers that changed the file',
    file: 'src/adapters/git/merge/merge-many.ts',
    find: 'some(inGroup)).map(({ action }) => action)',
    replace: 'some(inGroup)).map(({ action }) => action).slice(0, 2)',
    red: { file: MERGE, name: 'three workers' },
  },
  {
    protection: 'a file renamed by one worker and deleted by another is a conflict',
    file: 'src/adapters/git/merge/merge-many.ts',
    find: '  for (const path of goneTwoWays(changed)) clashing.add(path)\n',
    replace: '',
    red: { file: MERGE, name: 'renamed to two names' },
  },
  {
    protection: "uncommitted work in the run's workspace is kept before a merge",
    file: 'src/adapters/git/merge/merge-workers.ts',
    find: '  await putBack(workspace, repo, isDone ? head : expectHead, input)\n',
    replace: '',
    red: { file: MERGE, name: 'workspace of the run is kept aside' },
  },
]
