// Truth: the record matches the workflow's state, writes are complete, and claims are checked.
import type { Protection } from './protection.js'

const RECORD = 'test/adapters/records/test-fix/record.test.ts'
const CYCLE = 'test/adapters/records/dev-cycle/project.test.ts'
const CYCLE_NOTE = 'test/adapters/records/dev-cycle/note.test.ts'
const CYCLE_REBUILD = 'test/adapters/records/dev-cycle/rebuild.test.ts'
const DOCUMENTS = 'test/adapters/records/dev-cycle/documents.test.ts'
const CHANGES = 'test/adapters/records/dev-cycle/changes.test.ts'
const LOOP_NOTE = 'test/adapters/records/dev-loop/note.test.ts'
const LOOP_REBUILD = 'test/adapters/records/dev-loop/rebuild.test.ts'
const SESSION = 'test/activities/session.test.ts'
const REPLACE = 'test/adapters/files/replace-file.test.ts'
const RESUME = 'test/activities/resume.test.ts'
const BAD_INPUT = 'test/activities/bad-input.test.ts'
const TEST_QUALITY = 'test/unit/core/test-gen/measured-quality.test.ts'
const CONTROL = 'test/workflows/control.test.ts'

/** Open run: the workflow's state is the truth. */
const OPEN_RUN: readonly Protection[] = [
  {
    protection: 'a removed project directory is not created again',
    file: 'src/activities/record.ts',
    find: '!existsSync(workspace.project) ? [] : writeTestFixRecord(',
    replace: 'writeTestFixRecord(',
    red: {
      file: BAD_INPUT,
      name: 'a record removed during the run is written again, a removed project is not',
    },
  },
  {
    protection: 'a running step writes notes between two records',
    file: 'src/activities/workspace.ts',
    find: 'if (record !== undefined) await noteCommit(deps, input, record, committed)',
    replace: '',
    red: { file: RESUME, name: 'a fix that waits for its retest is never bought twice' },
  },
  {
    protection: 'an older note does not undo a newer one',
    file: 'src/adapters/records/test-fix/iteration-state.ts',
    find: 'if (known || read.content',
    replace: 'if (read.content',
    red: { file: RECORD, name: 'an iteration that has begun is noted between two records' },
  },
]

/** Closed run: the final record is the truth, and suffices. */
const CLOSED_RUN: readonly Protection[] = [
  {
    protection: 'lists of a record keep entries that the state dropped',
    file: 'src/adapters/records/kept-lists.ts',
    find: 'return [...before, ...now',
    replace: 'return [...now',
    red: { file: CYCLE, name: 'the record keeps lists that the state no longer carries' },
  },
  {
    protection: 'agents of a lost run no longer count as running',
    file: 'src/adapters/records/dev-cycle/load-cycle-record.ts',
    find: "status: agent.status === 'running' || agent.status === 'waiting' ? 'idle' : agent.status",
    replace: 'status: agent.status',
    red: {
      file: 'test/adapters/records/dev-cycle/restore.test.ts',
      name: 'no agent of it is at work',
    },
  },
  {
    protection: 'the task of a lost worker is pending again',
    file: 'src/adapters/records/dev-loop/load-loop-record.ts',
    find: "task.status === 'in_progress' ? { ...task, status: 'pending' } : task",
    replace: 'task',
    red: {
      file: LOOP_REBUILD,
      name: 'a loop resumes from its record alone with the state it had',
    },
  },
  {
    protection: 'the record has the test results themselves',
    file: 'src/adapters/records/test-fix/test-fix-record.ts',
    find: 'await keepResults(dir, state)',
    replace: '',
    red: {
      file: RESUME,
      name: 'a session resumes where it was after losing the server and the state directory',
    },
  },
  {
    protection: 'results are verified by their hash',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: 'if (!holds(copy, ref)) return []',
    replace: '',
    red: { file: RESUME, name: 'edited results are measured again' },
  },
  {
    protection: 'a measurement is valid only for its tree',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: 'if (!(await sameTree(repo, run.commit, before))) return undefined',
    replace: '',
    red: {
      file: RESUME,
      name: 'commits of the user on the branch are kept and measured',
    },
  },
  {
    protection: 'a commit missing from the record is found by its step',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: 'const before = made[0]?.parents[0]',
    replace: 'const before = undefined',
    red: {
      file: RESUME,
      name: 'a commit missing from the record is found in the old workspace',
    },
  },
  {
    protection: 'a commit missing from the branch is made again',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: 'if (commit !== undefined) return uncommitted',
    replace: 'if (commit !== undefined) return pending',
    red: { file: RESUME, name: 'a lost commit is made again, a lost fix task is analysed again' },
  },
  {
    protection: 'a lost fix task is analysed again',
    file: 'src/adapters/records/test-fix/begun-session.ts',
    find: 'if (gone) delete restored.pending',
    replace: '',
    red: { file: RESUME, name: 'a lost commit is made again, a lost fix task is analysed again' },
  },
  {
    protection: 'spent iterations stay spent',
    file: 'src/activities/workspace.ts',
    find: 'refuseSpent(found, resumedTasks(found.tasks, begun).tasks, begun, { flag: input.open.maxIterations, extend: input.open.extend, config })',
    replace: '',
    red: {
      file: RESUME,
      name: 'a session without iterations left says how many it used and which flag adds more',
    },
  },
  {
    protection: 'an interrupted start is completed with the same queue',
    file: 'src/adapters/records/test-fix/open-session.ts',
    find: 'const begun = found.fields === undefined && found.tasks.every(({ file }) => file !== undefined && Object.hasOwn(made, file))',
    replace: 'const begun = false',
    red: {
      file: SESSION,
      name: 'a start killed between two files is completed by its next attempt, with the same queue',
    },
  },
]

/**
 * Ratchet is the only writer; agents write below their working directory, and their files are
 * checked.
 */
const ONE_WRITER: readonly Protection[] = [
  {
    protection: 'a record has one run at a time',
    file: 'src/adapters/owner.ts',
    find: 'if (owner !== undefined && owner !== workflowId && (await isOpen(owner)))',
    replace: 'if (false)',
    red: {
      file: 'test/adapters/owner.test.ts',
      name: 'of two runs that take a session at once, one gets it',
    },
  },
  {
    protection: 'a record has one writer at a time',
    file: 'src/adapters/records/mutex.ts',
    find: 'before.then(write, write)',
    replace: 'write()',
    red: { file: CYCLE_NOTE, name: 'four agents that end at the same time: no note is lost' },
  },
  {
    protection: 'a link in place of a document is not followed',
    file: 'src/adapters/records/safe-files.ts',
    find: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    replace: 'constants.O_RDONLY | constants.O_NONBLOCK',
    red: { file: DOCUMENTS, name: 'a link is not followed' },
  },
  {
    protection: 'a link in place of the directory of a document is not followed',
    file: 'src/adapters/records/safe-files.ts',
    find: 'lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true && isOwnDir(path.dirname(dir), depth - 1)',
    replace: 'true',
    red: { file: DOCUMENTS, name: 'a directory that was replaced by a link is empty' },
  },
  {
    protection: 'only regular files are read',
    file: 'src/adapters/records/safe-files.ts',
    find: "if (!stat.isFile()) return { problem: stat.isDirectory() ? 'is a directory' : 'is no regular file' }",
    replace: '',
    red: { file: DOCUMENTS, name: 'a pipe in place of a document does not block' },
  },
  {
    protection: 'the size of a document is limited',
    file: 'src/adapters/records/safe-files.ts',
    find: 'return read.bytes > most ? { problem: `has ${Math.ceil(read.bytes / 1024)} kB, more than ${most / 1024} kB` } : { text: read.text }',
    replace: 'return { text: read.text }',
    red: { file: DOCUMENTS, name: 'more than 1 MB' },
  },
  {
    protection: 'nothing is written through a link in the record',
    file: 'src/adapters/records/safe-files.ts',
    find: 'clear(file)\n  await writeWhole(file, text)',
    replace: 'await writeWhole(file, text)',
    red: { file: CYCLE, name: 'nothing is written through a link in the record' },
  },
  {
    protection: 'nothing is written through a link in place of a directory of the record',
    file: 'src/adapters/records/safe-files.ts',
    find: "if (inTheWay === 'refused') throw new RecordUnwritableError(`cannot write ${own}: a link or a file is in the place of a directory; move it away, and the run continues by itself`)",
    replace: "if (inTheWay === 'refused') return own",
    red: {
      file: 'test/adapters/records/dev-cycle/place.test.ts',
      name: 'in place of a directory and says what to do',
    },
  },
  {
    protection: 'nothing is written through a link that an agent made in its workspace',
    file: 'src/adapters/records/safe-files.ts',
    find: '      rmSync(own, { force: true })\n',
    replace: '      return own\n',
    red: {
      file: 'test/adapters/records/dev-cycle/progress.test.ts',
      name: 'a link in place of an own directory',
    },
  },
  {
    protection: 'a link of the project that leads out of it is not read',
    file: 'src/adapters/records/workspace-copies.ts',
    find: 'if (!isInside(from, project)) return undefined',
    replace: '',
    red: {
      file: 'test/adapters/records/dev-cycle/progress.test.ts',
      name: 'outside ones keep their path',
    },
  },
  {
    protection: 'git ignores the documents of agents',
    file: 'src/adapters/records/workspace-copies.ts',
    find: "refresh(path.join(cwd, OWN_DIR, '.gitignore'), '*\\n')",
    replace: '',
    red: {
      file: 'test/adapters/records/dev-cycle/progress.test.ts',
      name: 'every agent gets its directory, and its documents from the record',
    },
  },
  {
    protection: 'git ignores the copy of a task',
    file: 'src/adapters/agents/turn/task-copy.ts',
    find: "replace(path.join(own, '.gitignore'), '*\\n')",
    replace: '',
    red: {
      file: 'test/adapters/records/test-fix/analysis-files.test.ts',
      name: "in the user's own tree the copy hides itself from git",
    },
  },
  {
    protection: 'an unreadable plan does not replace a good one',
    file: 'src/adapters/records/dev-cycle/take-documents.ts',
    find: 'if (!isReadable(name, text)) {',
    replace: 'if (false) {',
    red: {
      file: DOCUMENTS,
      name: 'an unreadable plan is kept next to the last good one, once',
    },
  },
  {
    protection: 'a document changed by another agent is restored and reported',
    file: 'src/adapters/records/dev-cycle/write-cycle-record.ts',
    find: 'foreign.push(...changed.map((one) => path.join(phase, one)))',
    replace: '',
    red: { file: CYCLE, name: 'a document of a settled agent that another agent' },
  },
  {
    protection: 'a commit on another branch of the clone is named',
    file: 'src/adapters/git/steps.ts',
    find: 'await noteCloneBranches(repo, input)',
    replace: '',
    red: {
      file: 'test/adapters/git/clone/clone-branches.test.ts',
      name: 'a commit on another branch is named',
    },
  },
  {
    protection: 'a cycle that changed existing tests needs a review',
    file: 'src/core/dev-cycle/cycle-open.ts',
    find: 'changedTests: state.changedInRun,',
    replace: '',
    red: {
      file: 'test/workflows/dev-cycle-continues.test.ts',
      name: 'the end names the tests that CD changed',
    },
  },
  {
    protection: 'a loop that changed existing tests needs a review',
    file: 'src/core/dev-loop/loop-open.ts',
    find: 'changedTests: state.changedInRun,',
    replace: '',
    red: {
      file: 'test/unit/core/dev-loop/loop-outcome.test.ts',
      name: 'existing tests were changed',
    },
  },
  {
    protection: 'what a measurement removes accuses no agent',
    file: 'src/adapters/records/dev-cycle/take-documents.ts',
    find: "if (isAway && now === 'missing') return false",
    replace: '',
    red: {
      file: CYCLE,
      name: 'a measurement that removes the folder of the documents accuses no agent',
    },
  },
  {
    protection: 'documents get the version of the iteration',
    file: 'src/adapters/records/dev-cycle/take-documents.ts',
    find: 'const set = withVersion(name, text, version)',
    replace: 'const set: { text: string; replaced?: string } = { text }',
    red: { file: DOCUMENTS, name: 'replaces another version number and notes it, once' },
  },
  {
    protection: 'entries removed from the board are restored',
    file: 'src/adapters/records/dev-cycle/shared-board.ts',
    find: 'if (lost.length > 0) appendOwn(',
    replace: 'if (false) appendOwn(',
    red: { file: CYCLE, name: 'append-only board: ' },
  },
  {
    protection: 'notes of a worker cannot start a section of the record',
    file: 'src/adapters/records/dev-loop/progress-file.ts',
    find: "(line === '' ? '>' : `> ${line}`)",
    replace: 'line',
    red: {
      file: LOOP_NOTE,
      name: "nothing that a worker writes begins a section or a comment of Ratchet's",
    },
  },
  {
    protection: 'a session is read completely before any file is created',
    file: 'src/adapters/records/test-fix/task-files.ts',
    find: 'if (problems.length > 0) throw refused(dir, problems)',
    replace: '',
    red: {
      file: SESSION,
      name: 'a session with two invalid tasks is refused before anything is created',
    },
  },
  {
    protection: 'only the status of a task file is written',
    file: 'src/adapters/records/test-fix/task-status.ts',
    find: 'return jsonText({ ...task, status,',
    replace: 'return jsonText({ status,',
    red: { file: RECORD, name: 'the status of a task and its history change, and nothing else' },
  },
]

/** Atomic files, append-only logs; schemas, versions, old samples. */
const WHOLE: readonly Protection[] = [
  {
    protection: 'a file is written to a temporary file and renamed',
    file: 'src/adapters/files/replace-file.ts',
    find: "const handle = await open(part, 'wx', mode)",
    replace: "const handle = await open(file, 'w', mode)",
    red: {
      file: REPLACE,
      name: 'a text that does not fit leaves no file, and the old text is complete',
    },
  },
  {
    protection: 'a file is flushed before it replaces the old one',
    file: 'src/adapters/files/replace-file.ts',
    find: 'if (fsync) await handle.sync()',
    replace: '',
    red: { file: REPLACE, name: 'the same for the asynchronous write' },
  },
  {
    protection: 'a file is flushed if a driver waits for it',
    file: 'src/adapters/files/replace-file.ts',
    find: 'if (fsync) fsyncSync(fd)',
    replace: '',
    red: { file: REPLACE, name: 'flushes a file before its rename, unless it need not' },
  },
  {
    protection: 'a partial write is an error',
    file: 'src/adapters/files/replace-file.ts',
    find: 'await handle.writeFile(text) // all of it, or an error',
    replace: 'await handle.write(text)',
    red: {
      file: REPLACE,
      name: 'a text that does not fit leaves no file, and the old text is complete',
    },
  },
  {
    protection: 'the last write wins',
    file: 'src/adapters/files/replace-file.ts',
    find: '(tails.get(name) ?? Promise.resolve()).then(() => replace(name, text, options))',
    replace: 'replace(name, text, options)',
    red: { file: REPLACE, name: 'of many parallel writes the last remains, complete' },
  },
  {
    protection: 'a line already in a log is not appended again',
    file: 'src/adapters/records/dev-cycle/changes.ts',
    find: '.filter(({ file: changed }) => !keys.has(`${iteration} ${commit.sha} ${changed}`))',
    replace: '',
    red: {
      file: CHANGES,
      name: 'appended twice, later, or half before a kill: each change appears once',
    },
  },
  {
    protection: 'a section of an iteration is written once',
    file: 'src/adapters/records/dev-cycle/timeline.ts',
    find: 'sections.filter(({ iteration }) => !there.has(iteration.number))',
    replace: 'sections',
    red: {
      file: 'test/adapters/records/dev-cycle/coordination.test.ts',
      name: 'timeline: each iteration once',
    },
  },
  {
    protection: 'a torn last line is ended before the next one',
    file: 'src/adapters/records/dev-cycle/changes.ts',
    find: "log === '' || log.endsWith('\\n') ? log : `${log}\\n`",
    replace: 'log',
    red: {
      file: CHANGES,
      name: 'a torn line, or one of another writer, is ignored and stays',
    },
  },
  {
    protection: 'lines that an agent removed from its log stay in the record',
    file: 'src/adapters/records/dev-cycle/take-documents.ts',
    find: "seen === '' ? known : mergeBoard(known, seen).text",
    replace: 'seen',
    red: {
      file: DOCUMENTS,
      name: 'logs grow: what an agent removed from its own log stays in the record',
    },
  },
  {
    protection: 'a record of a newer version is not touched',
    file: 'src/adapters/records/salvaged.ts',
    find: "if (typeof version === 'number' && version > 1) return { ...nothing, text, json, whole, newer: version }",
    replace: '',
    red: { file: CYCLE, name: 'a record of a newer version is not touched' },
  },
  {
    protection: 'a session of a newer version is not touched',
    file: 'src/adapters/records/test-fix/begun-session.ts',
    find: 'refuseNewer(found.dir, raw)',
    replace: '',
    red: {
      file: 'test/adapters/records/test-fix/kept-record.test.ts',
      name: 'a session of a newer version is refused',
    },
  },
  {
    protection: 'a state is validated by its schema, with bounds',
    file: 'src/adapters/records/test-fix/iteration-state.ts',
    find: 'content.success && isCounted(content.data)',
    replace: 'content.success',
    red: { file: BAD_INPUT, name: 'of more iterations than anybody has' },
  },
  {
    protection: "a record without its notes is still recognised as Ratchet's",
    file: 'src/adapters/records/test-fix/test-fix-record.ts',
    find: "ours: fields['schema'] !== undefined",
    replace: 'ours: false',
    red: { file: RECORD, name: 'a record whose notes are lost is still of Ratchet' },
  },
]

/** A hand edit is detected, reported, and restored. */
const HAND_EDITS: readonly Protection[] = [
  {
    protection: 'a hand edit is reported',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: 'warnings.push(editWarning(name, there, id))',
    replace: '',
    red: { file: RECORD, name: 'a hand edit of' },
  },
  {
    protection: 'a hand edit is kept in a separate file',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: "await keepCopy(file, there, 'edited')",
    replace: '',
    red: { file: RECORD, name: 'a hand edit of' },
  },
  {
    protection: 'a hand-edited status names the signal to use',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: '/"status"\\s*:\\s*"paused"/.test(text)',
    replace: 'false',
    red: { file: CYCLE, name: 'a status typed to paused names' },
  },
  {
    protection: 'digests are written before their files',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: "if (jsonText(content) !== textIn(path.join(dir, notesFile))) await writeWhole(path.join(dir, notesFile), jsonText(content))\n  failpoint('record:notes')\n  for (const { file, text } of writes) {\n    await writeWhole(file, text)\n    failpoint('record:file')\n  }",
    replace:
      "for (const { file, text } of writes) {\n    await writeWhole(file, text)\n    failpoint('record:file')\n  }\n  if (jsonText(content) !== textIn(path.join(dir, notesFile))) await writeWhole(path.join(dir, notesFile), jsonText(content))\n  failpoint('record:notes')",
    red: {
      file: 'test/isolated/fix-record-full-disk.test.ts',
      name: 'the next record with other content finds no hand edit',
    },
  },
  {
    protection: 'a note between two records leaves an edit to the next record',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: 'if (isOurs && file.untracked !== true) notes',
    replace: 'if (file.untracked !== true) notes',
    red: { file: CYCLE_NOTE, name: 'an edit by hand survives a note' },
  },
  {
    protection: 'a note between two records does not replace an edited file',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: ' || (!isOurs && file.yields === true)',
    replace: '',
    red: {
      file: RECORD,
      name: 'a list of tasks that was edited by hand is not overwritten by a note',
    },
  },
  {
    protection: 'files of another tool are backed up before they are replaced',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: "else if (noted.length === 0 && !notesLost && part === undefined) await keepCopy(file, there, 'before-ratchet')",
    replace: '',
    red: { file: RECORD, name: 'files of another tool are kept once before they are replaced' },
  },
  {
    protection: 'a file of another tool is backed up by a later record too',
    file: 'src/adapters/records/write-if-unchanged.ts',
    find: 'const notesLost = ours && Object.keys(known).length === 0',
    replace: 'const notesLost = ours',
    red: { file: RECORD, name: 'a file of another tool that only a later record replaces' },
  },
  {
    protection: 'a branch with tests that are the best state is handed over',
    file: 'src/core/test-results/best-line.ts',
    find: ' && confirmed === undefined',
    replace: '',
    red: {
      file: 'test/unit/core/test-results/best-line.test.ts',
      name: 'tests were written, and are the best',
    },
  },
  {
    protection: 'work after the last test task is measured',
    file: 'src/workflows/test-fix/initial-tasks.ts',
    find: 'run.queue = withTestTask(run.queue)',
    replace: '',
    red: {
      file: 'test/workflows/generate-tests.test.ts',
      name: 'tests that are written after the test task are measured',
    },
  },
  {
    protection: 'tests that were not written pass no gate',
    file: 'src/core/test-fix/quality-gate.ts',
    find: 'if (noTests !== true) return undefined',
    replace: 'if (noTests !== undefined) return undefined',
    red: {
      file: 'test/unit/core/test-fix/quality-gate.test.ts',
      name: 'a task that wrote no test',
    },
  },
  {
    protection: 'git ignores .workflow/ of a session',
    file: 'src/adapters/records/test-fix/session-paths.ts',
    find: "if (!existsSync(ignore)) writeFileSync(ignore, '*\\n', { mode: PRIVATE.file })",
    replace: '',
    red: {
      file: SESSION,
      name: 'a new session has its session file, plan, list and test task, and is git-ignored',
    },
  },
  {
    protection: 'git ignores .workflow/ of a cycle and a loop',
    file: 'src/adapters/records/record-names.ts',
    find: "if (!existsSync(ignore)) writeOwnSync(ignore, '*\\n')",
    replace: '',
    red: { file: CYCLE, name: 'the tree of the record' },
  },
  {
    protection: 'times have the local offset',
    file: 'src/adapters/timestamp.ts',
    find: 'zone: `UTC${offset}`',
    replace: "zone: 'UTC'",
    red: {
      file: CHANGES,
      name: 'changes appended: the changes by git, below a marker of the iteration',
    },
  },
]

/** Claims of agents are checked. */
const CLAIMS: readonly Protection[] = [
  {
    protection: 'a false claim about the tests is an issue',
    file: 'src/core/dev-cycle/issues.ts',
    find: '...claimOf(f.results.vas, run, f.validated), ',
    replace: '',
    red: { file: 'test/unit/core/dev-cycle/issues.test.ts', name: 'a false claim' },
  },
  {
    protection: 'a run without a commit is not done',
    file: 'src/core/run/open-items.ts',
    find: 'if (committed || (agreed && !isUndone && tasks',
    replace: 'if (!committed || (agreed && !isUndone && tasks',
    red: {
      file: 'test/unit/core/run/open-items.test.ts',
      name: 'is open where one task of two needs a change',
    },
  },
  {
    protection: 'a planned task that the developer does not name is open',
    file: 'src/core/run/open-items.ts',
    find: "if (state === 'done' || (state === 'no_change' && agreed && unseen !== true)) return []",
    replace: "if (id !== '') return []",
    red: {
      file: 'test/unit/core/run/open-items.test.ts',
      name: 'that the developer does not name is open',
    },
  },
  {
    protection: 'a commit of another worker closes no task of the developer',
    file: 'src/core/run/open-evidence.ts',
    find: 'return !namesTasks && developed && agreed',
    replace: 'return !namesTasks && committed && agreed',
    red: {
      file: 'test/unit/core/run/open-items.test.ts',
      name: 'that is open, where the developer names none and only another worker committed',
    },
  },
  {
    protection: 'an open test is measured again on the same commit',
    file: 'src/core/dev-cycle/measures-again.ts',
    find: '(answered && items.some(({ kind }) => OF_TESTS.includes(kind)))',
    replace: 'false',
    red: {
      file: 'test/unit/core/dev-cycle/measures-again.test.ts',
      name: 'a test is open, CD changed nothing',
    },
  },
  {
    protection: 'a test that failed before the run is known, also once it was flaky',
    file: 'src/core/test-results/compare-runs.ts',
    find: ": failingNow.filter((one) => !('missing' in one) && failedAtBaseline.has(one.id))",
    replace: ": steady.filter((one) => !('missing' in one) && failedAtBaseline.has(one.id))",
    red: {
      file: 'test/unit/core/test-results/compare-runs.test.ts',
      name: 'one that was flaky in between',
    },
  },
  {
    protection: 'a validation counts only for its commit',
    file: 'src/core/run/open-items.ts',
    find: 'if (verdict.commit !== head) return',
    replace: "if (verdict.commit === '') return",
    red: { file: 'test/unit/core/run/open-items.test.ts', name: 'of an earlier commit' },
  },
  {
    protection: 'a loop is not done before its developer gets each edit of a person',
    file: 'src/core/dev-loop/loop-next-action.ts',
    find: "if (untoldTo(state.edits, 'develop').length > 0) return go('develop', 'a person has edited a progress file')",
    replace: '',
    red: {
      file: 'test/workflows/dev-loop-edits.test.ts',
      name: 'a loop is not completed before develop gets the edit',
    },
  },
  {
    protection: "an edit of a progress file is detected by Ratchet's last write",
    file: 'src/adapters/records/dev-loop/loop-notes.ts',
    find: 'await takeEdit({',
    replace: 'await Promise.resolve({',
    red: {
      file: 'test/adapters/records/dev-loop/note-edits.test.ts',
      name: 'an edit is copied to the workers, answered with its lines',
    },
  },
  {
    protection: 'the report of a run without a commit is not healthy',
    file: 'src/core/report/build.ts',
    find: '...(result?.nothingCommitted === true ? { nothingCommitted: true as const } : {}),',
    replace: '',
    red: {
      file: 'test/unit/cli/report.test.ts',
      name: 'the CTRF report of a completed cycle is as healthy as its exit code says',
    },
  },
  {
    protection: 'a blocker is answered even by an agent without a turn in the iteration',
    file: 'src/core/dev-cycle/feedback.ts',
    find: "result === undefined ? own.some(({ kind, source }) => kind === 'blocker' && source !== to) : result.synthetic !== true",
    replace: 'result !== undefined && result.synthetic !== true',
    red: {
      file: 'test/workflows/dev-cycle-done.test.ts',
      name: 'CD is blocked in an iteration without a turn of RA: RA still answers, and CD continues within the iteration',
    },
  },
  {
    protection: "the size of a cycle's prompt is limited",
    file: 'src/core/dev-cycle/prompts/prompt-detail.ts',
    find: 'if (prompt.length <= PROMPT_CHARS - FIRST_LINE) break',
    replace: 'break',
    red: {
      file: 'test/unit/core/dev-cycle/prompts/prompt-work.test.ts',
      name: 'CD with the longest of everything stays below 24 kB',
    },
  },
  {
    protection: 'a commit that VAS refused stays refused',
    file: 'src/core/dev-cycle/refusal.ts',
    find: 'if (before?.commit === commit) return before',
    replace: '',
    red: {
      file: 'test/workflows/dev-cycle-done.test.ts',
      name: 'VAS refuses a commit and accepts it later without a new commit: the cycle is not done',
    },
  },
  {
    protection: 'a test that failed before the run does not hold it up',
    file: 'src/core/run/measured-items.ts',
    find: 'const open = failing - known',
    replace: 'const open = failing',
    red: {
      file: 'test/unit/core/run/open-items.test.ts',
      name: 'one that failed before the run is none',
    },
  },
  {
    protection: 'a repaired test that fails in its re-run is flaky',
    file: 'src/core/test-results/test-merge.ts',
    find: 'inHealed || isDoubtful || ',
    replace: 'inHealed || ',
    red: {
      file: 'test/unit/core/test-results/test-merge.test.ts',
      name: 'the same, and it failed before',
    },
  },
  {
    protection: 'always taking the recommended option ends a loop',
    file: 'src/core/dev-loop/menu.ts',
    find: "decided({ ...state, mode: 'auto' })",
    replace: 'decided(state)',
    red: { file: 'test/workflows/dev-loop-done.test.ts', name: 'and the second says' },
  },
  {
    protection: 'a cycle is not done before its developer gets each decision',
    file: 'src/core/dev-cycle/cycle-open.ts',
    find: "status === 'implemented' ?",
    replace: "status !== 'pending' ?",
    red: {
      file: 'test/unit/core/dev-cycle/cycle-open.test.ts',
      name: 'a decision that is',
    },
  },
  {
    protection: 'a cycle ends if its iterations change nothing',
    file: 'src/core/dev-cycle/brakes.ts',
    find: 'if (!committed && idleWith !== undefined',
    replace: 'if (committed && idleWith !== undefined',
    red: {
      file: 'test/workflows/dev-cycle-done.test.ts',
      name: 'a lazy cycle fails after two iterations, regardless of what its agents claim',
    },
  },
  {
    protection: 'a fix that breaks more tests than it repairs is rolled back',
    file: 'src/core/test-results/judge-fix.ts',
    find: 'if (broken > repaired) return',
    replace: 'if (broken > 1_000_000) return',
    red: {
      file: 'test/unit/core/test-results/judge-fix.test.ts',
      name: 'one broken, none repaired',
    },
  },
  {
    protection: 'a run ends at its best state',
    file: 'src/workflows/test-fix/test-fix-end.ts',
    find: '((await endAtBest(run)) ?? bestNote(state))',
    replace: 'bestNote(state)',
    red: {
      file: 'test/workflows/test-fix-cycle.test.ts',
      name: 'a spent budget fails by the same gate; the branch ends at the best state, and the task is blocked',
    },
  },
  {
    protection: 'a state with forged results is abandoned',
    file: 'src/workflows/test-fix/confirm.ts',
    find: "if (said.verdict !== 'refuted') {\n    noteConfirmation(state, best, said)\n    return end\n",
    replace: 'if (said.verdict !== undefined) {\n    return end\n',
    red: {
      file: 'test/workflows/confirm.test.ts',
      name: 'refuted twice: the run is blocked at the start',
    },
  },
  {
    protection: 'a stop ends a step that waits for its next attempt',
    file: 'src/workflows/run/control.ts',
    find: '    for (const scope of this.#short) scope.cancel()\n',
    replace: '',
    red: {
      file: 'test/workflows/stop.test.ts',
      name: 'a commit that fails for ever is not waited for',
    },
  },
  {
    protection: 'the last record of a stopped run has an end time',
    file: 'src/workflows/run/activity-options.ts',
    find: 'isEnding ? { ...RETRY, maximumAttempts: ATTEMPTS_AT_END } : RETRY',
    replace: 'RETRY',
    red: {
      file: 'test/time/ending.test.ts',
      name: 'stop ends a run whose last record cannot be written',
    },
  },
  {
    protection: 'git is not retried forever',
    file: 'src/activities/host/repeated-error.ts',
    find: "!isLast(key, 'git', MOST_OF_GIT)",
    replace: 'key !== undefined',
    red: {
      file: 'test/activities/lasting-fault.test.ts',
      name: 'a commit whose objects cannot be written fails in words after ten attempts',
    },
  },
  {
    protection: 'a file that loaded once and runs no test now counts once',
    file: 'src/core/test-results/stand-ins.ts',
    find: ' && !hasRun(one.file, ranSince)',
    replace: '',
    red: {
      file: 'test/unit/core/test-results/expected.test.ts',
      name: 'a file that loaded on the tip and',
    },
  },
  {
    protection: 'a file that runs no test is not repaired',
    file: 'src/core/test-results/compare-runs.ts',
    find: '!isNotLoaded(one) || hasRun(one.file, now.tests)',
    replace: 'now !== undefined',
    red: {
      file: 'test/unit/core/test-results/stand-ins.test.ts',
      name: 'a file that loaded before the tip',
    },
  },
  {
    protection: 'apply warns about broken tests',
    file: 'src/cli/run/run-apply.ts',
    find: 'options.yes !== true && !(await agreed(out, against))',
    replace: 'options.yes === false && !(await agreed(out, against))',
    red: { file: 'test/e2e/apply.test.ts', name: 'no terminal and no --yes' },
  },
  {
    protection: 'the fourth unconfirmed best state in a row is confirmed before the run continues',
    file: 'src/workflows/test-fix/fix-iteration.ts',
    find: 'if (verdict.isBest) return confirmEarly(run)',
    replace: '',
    red: {
      file: 'test/workflows/confirm.test.ts',
      name: 'the fourth unconfirmed best state in a row is confirmed before the next iteration',
    },
  },
  {
    protection: 'an early confirmation does not run all tests',
    file: 'src/activities/test-fix/confirm.ts',
    find: 'input.early === true && !plan.canSelect',
    replace: 'input.early === true && false',
    red: {
      file: 'test/activities/confirm.test.ts',
      name: 'early, with a runner that cannot select files, nothing runs: the end of the run confirms',
    },
  },
  {
    protection: 'written tests must notice half of the mutants',
    file: 'src/core/test-gen/measured-quality.ts',
    find: '100 * mutants.killed >= KILLED_LEAST * mutants.tried',
    replace: 'mutants.killed >= 0',
    red: { file: TEST_QUALITY, name: 'less than half is not' },
  },
  {
    protection: "the gate takes measured coverage, not an agent's claim",
    file: 'src/core/test-fix/quality-gate.ts',
    find: 'measured === undefined ? told : { ...told, ...measured.coverage }',
    replace: 'told',
    red: { file: TEST_QUALITY, name: 'a claim of coverage does not count' },
  },
  {
    protection: 'a case counts only with a test that ran',
    file: 'src/core/test-gen/test-layers.ts',
    find: 'test !== null && isNamed(plain(test), names)',
    replace: 'test !== null',
    red: { file: TEST_QUALITY, name: 'a case counts only with a test that ran' },
  },
  {
    protection: 'an assertion about nothing does not count',
    file: 'src/core/test-gen/assertion-count.ts',
    find: 'return assertions > trivial',
    replace: 'return assertions > 0 || trivial > 0',
    red: {
      file: 'test/unit/core/test-gen/assertion-count.test.ts',
      name: 'a test without a real assertion cannot fail',
    },
  },
  {
    protection: 'code that does not load with a mutant is no mutant',
    file: 'src/core/test-gen/mutant-run.ts',
    find: "own.length === passing.size && own.every(({ status }) => status === 'passed') ? 'survived' : 'void'",
    replace: "'survived'",
    red: {
      file: 'test/unit/core/test-gen/mutants.test.ts',
      name: 'nothing loads',
    },
  },
  {
    protection: 'a request for tests is read only from the project',
    file: 'src/adapters/test-gen/read-request.ts',
    find: "if (!isInside(realpathSync(file), realpathSync(project))) throw refused('is not in the project')",
    replace: '',
    red: {
      file: 'test/activities/test-quality.test.ts',
      name: 'a file outside of the project',
    },
  },
  {
    protection: 'an unreported canary refutes nothing',
    file: 'src/adapters/test-runners/confirm.ts',
    find: 'const refuted = await withControl(shared, baseline, suspects)',
    replace: 'const refuted = suspects',
    red: {
      file: 'test/activities/confirm.test.ts',
      name: 'the project swallows failures, also at the start',
    },
  },
  {
    protection: 'only the last of several exceptions reports a canary',
    file: 'src/adapters/test-runners/canaries.ts',
    find: 'error.split(CHAINED).at(-1)?.includes(text) === true',
    replace: 'CHAINED.test(error) || error.includes(text)',
    red: {
      file: 'test/adapters/test-runners/canaries.test.ts',
      name: 'another exception raised from it',
    },
  },
  {
    protection: 'a canary fails only with the assertions of its test',
    file: 'src/core/canary/javascript.ts',
    find: '`try { ${assertion} } catch { ${inner} }`',
    replace: '`${inner}`',
    red: {
      file: 'test/unit/core/canary.test.ts',
      name: 'the assertions that a test uses must fail before the text is thrown',
    },
  },
  {
    protection: 'a canary is removed again',
    file: 'src/adapters/test-runners/canaries.ts',
    find: '    for (const { source, before } of canaries) await replaceFile(source, before, { fsync: false })\n',
    replace: '',
    red: {
      file: 'test/activities/confirm.test.ts',
      name: 'confirms an honest fix and restores the test file',
    },
  },
  {
    protection: 'a run that makes progress is never blocked',
    file: 'src/core/test-results/stuck.ts',
    find: 'stuckMajority && !progress && strategy',
    replace: 'stuckMajority && strategy',
    red: { file: 'test/unit/core/test-results/stuck.test.ts', name: 'it moved a test' },
  },
  {
    protection: 'a test that fails for another reason is not stuck',
    file: 'src/core/test-results/memory.ts',
    find: 'hasMoved(earlier, fails) ? 1 : (earlier?.streak ?? 0) + 1',
    replace: '(earlier?.streak ?? 0) + 1',
    red: {
      file: 'test/unit/core/test-results/compare-runs.test.ts',
      name: 'another signature starts again',
    },
  },
  {
    protection: 'a failure that alternates between two lines is stuck',
    file: 'src/core/test-results/failures/reach.ts',
    find: 'return isFurther(reach.last, known) ? reach.last : known',
    replace: 'return reach.last',
    red: {
      file: 'test/unit/core/test-results/memory.test.ts',
      name: 'back and forth: the way back is no progress again',
    },
  },
  {
    protection: 'lines of a test file that the run has changed are not compared',
    file: 'src/core/test-results/compare-runs.ts',
    find: 'input.frozen?.has(one.file) === true && !isNumbered(one)',
    replace: '!isNumbered(one)',
    red: {
      file: 'test/unit/core/test-results/compare-runs.test.ts',
      name: 'in a file that the run has changed',
    },
  },
  {
    protection: 'files shown from another commit do not affect a test run',
    file: 'src/activities/tests.ts',
    find: 'watch = await watchAgain()\n          }',
    replace: '}',
    red: {
      file: 'test/runs/cycle/cycle-false-claims.test.ts',
      name: 'weakened configuration and deleted tests are restored',
    },
  },
  {
    protection: 'a claim of 100 % is not reached by rounding',
    file: 'src/core/dev-cycle/answers/vas-claims.ts',
    find: 'if (claimed === 100) return run.passed === run.total',
    replace: '',
    red: { file: 'test/unit/core/dev-cycle/answers/vas-claims.test.ts', name: '100 for 99.96' },
  },
  {
    protection: 'the claim of a fix is kept with the measured results',
    file: 'src/workflows/test-fix/fix-iteration.ts',
    find: '...(claimed === undefined ? {} : { claimed }),\n    sessions:',
    replace: 'sessions:',
    red: {
      file: 'test/workflows/test-fix-cycle.test.ts',
      name: 'the retest decides; a claim is kept with the measured results',
    },
  },
  {
    protection: 'a validation passes only with measured results',
    file: 'src/core/dev-loop/validation.ts',
    find: "passed: open.length === 0 && verdict.word === 'agrees', why: oneLine",
    replace:
      "passed: (open.length === 0 || claimed === 100) && verdict.word === 'agrees', why: oneLine",
    red: { file: 'test/unit/core/dev-loop/validation.test.ts', name: 'a claim that differs' },
  },
  {
    protection: 'a validation refused by its own worker does not pass',
    file: 'src/core/dev-loop/validation.ts',
    find: "passed: open.length === 0 && verdict.word === 'agrees', why",
    replace: 'passed: open.length === 0, why',
    red: { file: 'test/unit/core/dev-loop/validation.test.ts', name: 'its worker refuses it' },
  },
  {
    protection: 'a commit that a validation refused stays refused',
    file: 'src/core/dev-loop/validation.ts',
    find: "refused ?? (word === 'refuses'",
    replace: "undefined ?? (word === 'refuses'",
    red: {
      file: 'test/unit/core/dev-loop/validation.test.ts',
      name: 'a refusal goes with its commit, from one validation to the next',
    },
  },
  {
    protection: 'work that is taken back is no work',
    file: 'src/core/run/open-items.ts',
    find: '&& takenBack !== true',
    replace: '',
    red: {
      file: 'test/unit/core/run/open-items.test.ts',
      name: 'a commit that another one took back',
    },
  },
  {
    protection: 'an unmeasured rate is empty',
    file: 'src/adapters/records/dev-cycle/cycle-recovered.ts',
    find: 'test_results: { version, pass_rate: null,',
    replace: 'test_results: { version, pass_rate: passRate,',
    red: { file: CYCLE_REBUILD, name: 'a claim never becomes a measured rate' },
  },
  {
    protection: 'documents claimed by an agent must exist',
    file: 'src/core/dev-cycle/issues.ts',
    find: 'synthetic === true ? [] : missing.map((file) => `${file} is missing`)',
    replace: '[]',
    red: { file: 'test/unit/core/dev-cycle/issues.test.ts', name: 'a document that is missing' },
  },
  {
    protection: 'changed files of the developer come from git',
    file: 'src/adapters/records/dev-cycle/take-documents.ts',
    find: "name === 'changes.log' && phase === 'cd' ? '' : readLog",
    replace: 'readLog',
    red: {
      file: DOCUMENTS,
      name: 'logs grow: what an agent removed from its own log stays in the record',
    },
  },
  {
    protection: 'changed files of a worker come from git, not from its claim',
    file: 'src/adapters/records/dev-loop/outputs.ts',
    find: '...(known ?? { files_changed: [], clarifications: [] }),',
    replace: '...(known ?? { files_changed: reading.filesClaimed, clarifications: [] }),',
    red: { file: LOOP_NOTE, name: 'every field of an output file' },
  },
]

/** `ratchet rebuild`, and the same on resume. */
const REBUILD: readonly Protection[] = [
  {
    protection: 'resume rebuilds a damaged record first',
    file: 'src/activities/load-record.ts',
    find: "await rebuilt(found.state === 'damaged' ? `was damaged (${found.problem})` : 'was gone', rebuild)",
    replace: "refuse('the record is damaged', 'rebuild it')",
    red: { file: 'test/activities/take-up.test.ts', name: 'a record that is' },
  },
  {
    protection: 'a damaged record is backed up before it is rebuilt',
    file: 'src/adapters/records/rebuild-record.ts',
    find: "await keepCopy(master, text, intact === undefined ? 'damaged' : 'edited')",
    replace: 'undefined',
    red: {
      file: CYCLE_REBUILD,
      name: 'a truncated file: its first part counts, and the file is kept',
    },
  },
  {
    protection: 'an edited record is rebuilt',
    file: 'src/adapters/records/rebuild-record.ts',
    find: "const isEdited = intact !== undefined && !isAsWritten(files.dir, path.basename(master), text ?? '', definition.digests(files))",
    replace: 'const isEdited = false',
    red: {
      file: CYCLE_REBUILD,
      name: 'keeps an intact record; keeps a copy of an edited one and rebuilds it',
    },
  },
  {
    protection: 'only the damaged part is lost',
    file: 'src/adapters/records/salvaged.ts',
    find: 'if (schema instanceof z.ZodArray && Array.isArray(value)) return',
    replace: 'if (false) return',
    red: { file: LOOP_REBUILD, name: 'one entry of a list' },
  },
  {
    protection: 'a truncated file is read up to its cut',
    file: 'src/adapters/records/lenient-json.ts',
    find: 'return { value: reader.value(DEPTH), whole: false }',
    replace: 'return { value: undefined, whole: false }',
    red: { file: CYCLE_REBUILD, name: 'a truncated file: its first part counts' },
  },
  {
    protection: 'the timeline keeps entries that the state dropped',
    file: 'src/adapters/records/dev-cycle/recover-cycle.ts',
    find: 'old: { ...timelineOf(files), ...found }',
    replace: 'old: found',
    red: {
      file: CYCLE_REBUILD,
      name: 'iterations that the workflow no longer carries come from the timeline',
    },
  },
  {
    protection: 'the start options of a loop are stored twice',
    file: 'src/adapters/records/dev-loop/write-loop-record.ts',
    find: 'await noteHead(files, record)',
    replace: '',
    red: {
      file: LOOP_REBUILD,
      name: 'a missing state file is rebuilt from the files of the workers',
    },
  },
  {
    protection: 'a rebuild keeps the end time of the run',
    file: 'src/adapters/records/rebuild-record.ts',
    find: 'return { ...record, ...completed,',
    replace: 'return { ...record,',
    red: {
      file: LOOP_REBUILD,
      name: 'keeps the end of a run, from the workflow, else from the file',
    },
  },
  {
    protection: 'a resumed session keeps its damaged files',
    file: 'src/adapters/records/test-fix/restore-session.ts',
    find: "if (begun.damaged !== undefined) warnings.push(`the damaged file was kept as ${await keepCopy(path.join(dir, ITERATION_STATE), begun.damaged, 'damaged')}`)",
    replace: '',
    red: {
      file: RESUME,
      name: 'a damaged state file is kept, and the state is rebuilt from the other files',
    },
  },
]

/** The workflow: what it accepts, what it waits for, and its requests to the server. */
const WORKFLOW: readonly Protection[] = [
  {
    protection: 'a turn uses `WAIT_CANCELLATION_COMPLETED`',
    file: 'src/workflows/run/activity-options.ts',
    find: '// Without it, a stop would return while the agent still edits the workspace.\n    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,',
    replace: 'cancellationType: ActivityCancellationType.TRY_CANCEL,',
    red: {
      file: CONTROL,
      name: 'waits for the end of the turn, keeps its cost and writes the record',
    },
  },
  {
    protection: 'a commit uses `WAIT_CANCELLATION_COMPLETED`',
    file: 'src/workflows/run/activity-options.ts',
    find: 'ATTEMPTS_AT_END } : RETRY,\n    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,',
    replace:
      'ATTEMPTS_AT_END } : RETRY,\n    cancellationType: ActivityCancellationType.TRY_CANCEL,',
    red: {
      file: CONTROL,
      name: 'Cancel waits for the end of a commit before it writes the record',
    },
  },
  {
    protection: 'parallel steps share one hold',
    file: 'src/workflows/run/control.ts',
    find: 'this.#hold ??= this.#root.run(',
    replace: 'this.#hold = this.#root.run(',
    red: {
      file: 'test/workflows/control-parallel.test.ts',
      name: 'pause: mode turn lets each step end and holds it until resume; the configuration is reloaded once',
    },
  },
  {
    protection: 'a stop reaches every running step',
    file: 'src/workflows/run/control.ts',
    find: 'this.stop = { reason }\n    this.#interrupt()',
    replace: 'this.stop = { reason }',
    red: { file: 'test/workflows/control-parallel.test.ts', name: 'stop: ends all four' },
  },
  {
    protection: 'an answer has a validator',
    file: 'src/workflows/run/handlers.ts',
    find: 'validator: (raw) => questions.check(signed.checked(raw)), ',
    replace: '',
    red: { file: CONTROL, name: 'one waits until it is answered, and is shown meanwhile' },
  },
  {
    protection: 'an extension has a validator',
    file: 'src/workflows/run/handlers.ts',
    find: 'validator: (raw) => run.checkExtend(signed.checked(raw)), ',
    replace: '',
    red: { file: CONTROL, name: 'extend allows more iterations, once per request' },
  },
  {
    protection: 'a question has a validator',
    file: 'src/workflows/run/handlers.ts',
    find: 'validator: (raw) => checkQuestion(signed.checked(raw)), ',
    replace: '',
    red: { file: CONTROL, name: 'one without its text' },
  },
  {
    protection: 'a choice while a worker runs is refused',
    file: 'src/workflows/run/questions.ts',
    find: 'if (open.length === 0) return refuse(this.none())',
    replace: '',
    red: {
      file: 'test/workflows/dev-loop.test.ts',
      name: 'bad input: a choice while a worker runs',
    },
  },
  {
    protection: 'a further task is accepted while a worker runs',
    file: 'src/workflows/dev-loop/workflow.ts',
    find: 'for (const text of state.texts.slice(told)) state.tasks = [...state.tasks, furtherTask(state, text)]',
    replace: '',
    red: {
      file: 'test/workflows/dev-loop-meanwhile.test.ts',
      name: 'sent during init: it is pending after the breakdown, which did not include it',
    },
  },
  {
    protection: 'request ids survive continue-as-new',
    file: 'src/workflows/run/run-end.ts',
    find: 'return { requestIds, pause,',
    replace: 'return { requestIds: [], pause,',
    red: {
      file: 'test/workflows/dev-cycle-carried.test.ts',
      name: 'a pause, an extension and request ids survive the boundary',
    },
  },
  {
    protection: 'deadlines of questions survive continue-as-new',
    file: 'src/workflows/run/run-end.ts',
    find: 'questionClock: deadlines.carried() }',
    replace: 'questionClock: undefined }',
    red: {
      file: 'test/workflows/control.test.ts',
      name: 'a question that is asked again in a later iteration keeps its deadline',
    },
  },
  {
    protection: 'the hook of the end gets the directory of the archived record',
    file: 'src/activities/hooks.ts',
    find: 'moved?.archived ?? prepared.recordDir',
    replace: 'prepared.recordDir ?? moved?.archived',
    red: { file: 'test/runs/archive.test.ts', name: 'that archives itself' },
  },
  {
    protection: 'a commit for several tasks hides none that it took back',
    file: 'src/core/run/task-work.ts',
    find: '&& (!isDone || named.every((one) => one === id))',
    replace: '',
    red: {
      file: 'test/unit/core/dev-cycle/promised.test.ts',
      name: 'a commit that names all tasks hides no task whose work it took back',
    },
  },
  {
    protection: 'tasks that undo each other end that after one round',
    file: 'src/core/run/task-work.ts',
    find: 'return by === undefined ? [] : [{ id, by: by.id }]',
    replace: 'return by === undefined || true ? [] : [{ id, by: by.id }]',
    red: {
      file: 'test/unit/core/dev-cycle/promised.test.ts',
      name: 'two tasks whose texts undo each other end that after one round',
    },
  },
  {
    protection: 'the clock of a menu continues after a pause',
    file: 'src/workflows/dev-loop/loop-run.ts',
    find: 'this.questions.suspend(id)',
    replace: "this.questions.settle(id, '')",
    red: {
      file: 'test/runs/question-deadline.test.ts',
      name: 'the clock of a menu continues after a pause',
    },
  },
  {
    protection: 'silence approves nothing',
    file: 'src/core/run/approval.ts',
    find: 'if (isSilent || answer === undefined)',
    replace: 'if (answer === undefined)',
    red: {
      file: 'test/unit/core/run/approval.test.ts',
      name: 'a deadline that would approve',
    },
  },
  {
    protection: 'an answer approves no later plan',
    file: 'src/core/run/approval.ts',
    find: 'id: at.changes === 0 ? id : `${id}-change-${at.changes}`,',
    replace: 'id,',
    red: {
      file: 'test/workflows/approvals/fix-approvals.test.ts',
      name: 'an answer to the first plan does not approve the second one',
    },
  },
  {
    protection: 'no fix is bought before its plan is approved',
    file: 'src/workflows/test-fix/fix-iteration.ts',
    find: 'await approveFixPlan(run, task)',
    replace: '',
    red: {
      file: 'test/workflows/approvals/fix-approvals.test.ts',
      name: 'is in the record and asked about before the fix is bought',
    },
  },
  {
    protection: 'written tests are asked about, and not bought again',
    file: 'src/workflows/test-fix/initial-tasks.ts',
    find: 'noteWritten(run, task)',
    replace: '',
    red: {
      file: 'test/workflows/approvals/fix-approvals.test.ts',
      name: 'stop after they are written does not buy them again',
    },
  },
  {
    protection: 'the developer of a cycle waits for the approval of the plan',
    file: 'src/workflows/dev-cycle/cycle-work.ts',
    find: 'if (!approvesPlan(run, phases)) return atOnce(run, phases)',
    replace: 'return atOnce(run, phases)',
    red: {
      file: 'test/workflows/approvals/dev-approvals.test.ts',
      name: 'is in the record and asked about before development starts',
    },
  },
  {
    protection: 'a loop asks for the approval of its breakdown',
    file: 'src/workflows/dev-loop/workflow.ts',
    find: 'await approveBreakdown(run)',
    replace: '',
    red: {
      file: 'test/workflows/approvals/dev-approvals.test.ts',
      name: 'is asked about before the first action',
    },
  },
  {
    protection: 'a plan that is made again keeps why the last fix was rolled back',
    file: 'src/workflows/test-fix/analyse-failures.ts',
    find: "return 'next task'\n}\n\n/** Plans a fix",
    replace: "delete state.rollbackReason\n  return 'next task'\n}\n\n/** Plans a fix",
    red: {
      file: 'test/workflows/approvals/fix-approvals.test.ts',
      name: 'after a regression the plan is made again with its reason',
    },
  },
  {
    protection: 'silence grants nothing',
    file: 'src/core/run/question-silence.ts',
    find: 'if (refusing !== undefined) return refusing',
    replace: '',
    red: {
      file: 'test/unit/core/run/question-silence.test.ts',
      name: ', recommended ',
    },
  },
  {
    protection: 'the clock of a question stands still while the run is paused',
    file: 'src/workflows/run/question-deadlines.ts',
    find: 'for (const [id, at] of this.#at) this.#at.set(id, at + paused)',
    replace: '',
    red: {
      file: 'test/runs/question-deadline.test.ts',
      name: 'the clock stands still while the run is paused',
    },
  },
  {
    protection: 'the record has pending extensions',
    file: 'src/adapters/records/dev-cycle/load-cycle-record.ts',
    find: 'pendingExtensions: ratchet.pending_extensions,',
    replace: 'pendingExtensions: [],',
    red: {
      file: 'test/adapters/records/dev-cycle/restore.test.ts',
      name: 'a cycle resumes from its record alone',
    },
  },
  {
    protection: 'only registered search attributes are set',
    file: 'src/workflows/run/details.ts',
    find: 'this.#registered.includes(name) && ',
    replace: '',
    red: { file: CONTROL, name: 'a server without our search attributes still runs the cycle' },
  },
  {
    protection: 'a query waits for the history',
    file: 'src/workflows/run/stale-query-guard.ts',
    find: 'if (ahead && jobs.some(({ queryWorkflow }) => queryWorkflow?.queryId === ALONE)) throw new Error(NOT_YET)',
    replace: '',
    red: {
      file: 'test/unit/workflows/run/stale-query-guard.test.ts',
      name: 'refuses a query while events wait for a workflow task',
    },
  },
  {
    protection: 'activities are retried without an attempt limit',
    file: 'src/workflows/run/activity-options.ts',
    find: "maximumInterval: '30s', nonRetryable",
    replace: "maximumInterval: '30s', maximumAttempts: 3, nonRetryable",
    red: {
      file: 'test/workflows/options.test.ts',
      name: 'turns have their limit plus 12 h of waiting, a heartbeat timeout of a minute and unlimited retries',
    },
  },
  {
    protection: 'retries of the client end with its connection',
    file: 'src/client/retries.ts',
    find: '(closed.aborted ? CLOSED : (nextCall(options) as Call))',
    replace: '(nextCall(options) as Call)',
    red: {
      file: 'test/unit/client/retries.test.ts',
      name: 'a call that would be made again after the connection is closed ends as cancelled',
    },
  },
  {
    protection: 'no status is older than its question',
    file: 'src/dev-server/api/kept-answers.ts',
    find: 'known?.historyLength === historyLength ? known.told',
    replace: 'known !== undefined ? known.told',
    red: {
      file: 'test/unit/dev-server/kept-answers.test.ts',
      name: 'a run is asked again only when its history has grown',
    },
  },
]

export const TRUTH: readonly Protection[] = [
  ...OPEN_RUN,
  ...CLOSED_RUN,
  ...ONE_WRITER,
  ...WHOLE,
  ...HAND_EDITS,
  ...CLAIMS,
  ...REBUILD,
  ...WORKFLOW,
  {
    protection: 'a suite that was found once is missed after a resume',
    file: 'src/adapters/records/dev-loop/to-loop-record.ts',
    find: '    had_suite: state.hadSuite,\n',
    replace: '',
    red: {
      file: 'test/adapters/records/dev-loop/rebuild.test.ts',
      name: 'a loop resumes from its record alone with the state it had',
    },
  },
  {
    protection: 'a task whose files are as at the start has lost its work',
    file: 'src/core/run/task-work.ts',
    find: 'sinceStart.has(path) || !made.has(path)',
    replace: 'true',
    red: {
      file: 'test/adapters/git/taken-back.test.ts',
      name: 'the work of a task is taken back where its files are as at the start',
    },
  },
  {
    protection: 'scripts that the test command runs are guarded',
    file: 'src/adapters/config/frozen-config.ts',
    find: 'guard: [...guard, ...filesOfCommand(command, scriptsOf(project))]',
    replace: 'guard: [...guard, ...filesOfCommand([], scriptsOf(project))]',
    red: {
      file: 'test/adapters/config/frozen-config.test.ts',
      name: 'the scripts of a test command',
    },
  },
]
