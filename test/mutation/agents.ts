// Agents: a turn is bought once, limited, ended as a whole, and measured.
import type { Protection } from './protection.js'

const AGENT_TREE = 'src/adapters/git/agent-tree.ts'
const AGENT_TREE_TEST = 'test/adapters/git/agent-tree.test.ts'
const BLOCK = 'test/unit/core/answers/result-block.test.ts'
const CLAIMS = 'test/adapters/process/claims.test.ts'
const CLOCKS = 'test/adapters/agents/clocks.test.ts'
const DRIVER = 'src/adapters/agents/driver.ts'
const END = 'src/adapters/process/end.ts'
const EXEC = 'test/adapters/agents/exec.test.ts'
const GROUP = 'test/adapters/agents/group.test.ts'
const HELD_DIR = 'src/adapters/files/held-dir.ts'
const KEPT = 'test/adapters/agents/processes.test.ts'
const CODE = 'test/activities/continued-code.test.ts'
const CONTINUED = 'test/adapters/agents/continued-session.test.ts'
const NEVER_TWICE = 'test/adapters/agents/never-twice.test.ts'
const OPTIONS = 'src/workflows/run/activity-options.ts'
const OUTCOMES = 'test/adapters/agents/outcomes.test.ts'
const PHASE = 'test/unit/core/dev-cycle/answers/phase-block.test.ts'
const PROMPT = 'test/adapters/agents/turn/timed-prompt.test.ts'
const PROCESSES = 'test/adapters/process/processes.test.ts'
const ROLE_TURN = 'src/workflows/run/role-turn.ts'
const TEST_FIX = 'test/workflows/test-fix-cycle.test.ts'
const TOOLS = 'test/adapters/agents/tools.test.ts'
const TOOL_FILES = 'test/adapters/agents/tools/tool-files.test.ts'
const TOOL_SERVER = 'src/adapters/agents/tools/tool-server.ts'
const TURN = 'src/adapters/agents/turn/agent-turn.ts'
const TURN_AGENT = 'src/adapters/agents/turn/agent-process.ts'
const TURN_CLOCK = 'src/adapters/agents/turn/turn-clock.ts'
const TURN_ENDINGS = 'src/adapters/agents/turn/turn-endings.ts'
const TURN_PARTS = 'src/adapters/agents/turn/turn-parts.ts'
const TURN_STORE = 'src/adapters/agents/turn/turn-store.ts'
const REPLACE_FILE = 'src/adapters/files/replace-file.ts'
const RUN_END = 'test/activities/run-end.test.ts'
const STORE = 'test/adapters/agents/turn/turn-store.test.ts'
const UNDO_TESTS = 'test/adapters/agents/tools/undo-tests.test.ts'
const WORKER = 'test/unit/core/dev-loop/answers/action-block.test.ts'

export const AGENTS: readonly Protection[] = [
  // Tools.
  {
    protection: 'calls of an agent that are refused run nothing',
    file: TOOL_SERVER,
    find: 'if (no !== undefined) return { text: no, isError: true }',
    replace: '',
    red: { file: TOOLS, name: 'runs beyond limits.agentTestRuns are refused' },
  },
  {
    protection: 'a test run of an agent is counted before it begins',
    file: TOOL_SERVER,
    find: 'save({ ...before, runs: n })',
    replace: '',
    red: { file: TOOLS, name: 'so does a turn that the next worker continues' },
  },
  {
    protection: 'a test run of an agent is no time of its turn',
    file: TOOL_SERVER,
    find: 'const release = holdClocks()',
    replace: 'const release = () => undefined',
    red: { file: TOOLS, name: 'a test run is time of neither clock' },
  },
  {
    protection: 'the end of a turn ends the test run of its agent',
    file: TURN,
    find: 'await tools?.stop()',
    replace: '',
    red: {
      file: TOOLS,
      name: 'the end of the turn ends a test run that its agent does not wait for',
    },
  },
  {
    protection: 'a stop ends the test run of an agent at once',
    file: TURN,
    find: 'void tools?.stop()',
    replace: '',
    red: { file: TOOLS, name: 'a stop ends the test run at once' },
  },
  {
    protection: 'no folder of the tools is opened through a link',
    file: HELD_DIR,
    find: 'DIRECTORY | constants.O_NOFOLLOW',
    replace: 'DIRECTORY',
    red: { file: TOOL_FILES, name: 'swapped in before any access' },
  },
  {
    protection: 'a folder of the tools that is swapped while it is used leads nowhere',
    file: HELD_DIR,
    find: 'if (this.byNumber) return path.join(BY_NUMBER, String(this.fd), name)',
    replace: '',
    red: { file: TOOL_FILES, name: 'swapped in before any access' },
  },
  {
    protection: 'where no path has the number of a file, a swapped folder is not used',
    file: HELD_DIR,
    find: 'if (there?.dev !== held.dev || there.ino !== held.ino)',
    replace: 'if (there === undefined)',
    red: { file: TOOL_FILES, name: 'without paths by number' },
  },
  {
    protection: "only Ratchet's own files are removed from the folder of the tools",
    file: 'src/adapters/agents/tools/tool-files.ts',
    find: 'if (OURS.test(name)) ',
    replace: '',
    red: { file: TOOL_FILES, name: 'an agent that put files of its own there keeps them' },
  },
  {
    protection: 'the relay of a kept process stays',
    file: 'src/adapters/agents/leftovers.ts',
    find: ' && !relays.has(one.pid)',
    replace: '',
    red: { file: TOOLS, name: 'the next turn of a kept process uses them' },
  },
  {
    protection: 'nothing that passes itself off as a relay outlives the agent',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: 'await endMarked(MARKERS.step, relayMarker(this.step), { graceMs })',
    replace: 'undefined',
    red: {
      file: TOOLS,
      name: 'a process that passes itself off as the server ends with the agent',
    },
  },
  {
    protection: 'the files of the tools are gone before a measurement',
    file: DRIVER,
    find: 'new SideWrites().try(() => removeToolFolders(cwd))',
    replace: '',
    red: { file: TOOLS, name: 'what a dead worker left is gone before a workspace is measured' },
  },
  {
    protection: 'the tests that an agent has run leave no trace in its tree',
    file: AGENT_TREE,
    find: '.finally(undo)',
    replace: '',
    red: {
      file: AGENT_TREE_TEST,
      name: 'what a run changed, made or removed is restored',
    },
  },
  {
    protection: 'the tree to restore is stored before the tests of an agent run',
    file: AGENT_TREE,
    find: 'note(tree)',
    replace: '',
    red: { file: AGENT_TREE_TEST, name: 'the tree that is noted before a run restores it' },
  },
  {
    protection: 'what tests left is undone before the session of their agent continues',
    file: TURN,
    find: `await endClaimed(claim, shared.timing.endGraceMs)
    await undoTests(shared.dirs, claim)`,
    replace: 'await endClaimed(claim, shared.timing.endGraceMs)',
    red: { file: UNDO_TESTS, name: 'the session of the agent continues' },
  },
  {
    protection: 'what tests left is undone before the result of a turn',
    file: TURN,
    find: `await tools?.stop()
    await undoTests(shared.dirs, claim)`,
    replace: 'await tools?.stop()',
    red: { file: UNDO_TESTS, name: 'is undone before its result' },
  },
  {
    protection: 'what tests left is undone when a turn is settled',
    file: DRIVER,
    find: `await undoTests(dirs, claim)
    saveClaim(dirs, { ...claim, released: true })`,
    replace: 'saveClaim(dirs, { ...claim, released: true })',
    red: { file: UNDO_TESTS, name: 'a turn is settled' },
  },
  {
    protection: 'what tests left is undone when a worker starts',
    file: DRIVER,
    find: 'await undoTests(dirs, claim).catch(',
    replace: 'await Promise.resolve().catch(',
    red: { file: UNDO_TESTS, name: 'the next worker begins' },
  },
  {
    protection: 'what tests left is undone before anything else is done in their workspace',
    file: DRIVER,
    find: 'await undoTests(dirs, mine)',
    replace: '',
    red: { file: UNDO_TESTS, name: 'the workspace is measured' },
  },
  {
    protection: 'the tree to restore is forgotten when the agent works on',
    file: TOOL_SERVER,
    find: 'if (!this.over.signal.aborted) noteTree(undefined)',
    replace: '',
    red: { file: UNDO_TESTS, name: 'while the tests run' },
  },
  // Sessions, processes, slots.
  {
    protection: 'a session that cannot be resumed is loaded',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: "...(at(this.capabilities, 'loadSession') === true ? [methods.agent.session.load] : []),",
    replace: '',
    red: { file: OUTCOMES, name: 'a session is loaded where resume is missing' },
  },
  {
    protection: 'messages of another session do not count for the turn',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: "this.prompting && at(params, 'sessionId') === this.sessionId",
    replace: 'this.prompting',
    red: {
      file: 'test/adapters/agents/odd-agents.test.ts',
      name: 'text in another session',
    },
  },
  {
    protection: 'a follow-up without its process resumes the session',
    file: 'src/adapters/agents/turn/continued-session.ts',
    find: 'return claim.inVain === undefined ? spec.sessionId : undefined',
    replace: 'return undefined',
    red: { file: KEPT, name: 'a new process that resumes it' },
  },
  {
    protection: 'feedback stays in the session of its role',
    file: 'src/workflows/dev-cycle/cycle-turns.ts',
    find: 'before?.agent != null && before.sessionId !== undefined ?',
    replace: 'before?.agent != null && before.sessionId !== undefined && (false as boolean) ?',
    red: {
      file: 'test/workflows/dev-cycle.test.ts',
      name: 'failing tests go back to CD in its session',
    },
  },
  {
    protection: 'an agent is informed that its session is lost',
    file: TURN,
    find: "session === 'lost' && spec.continued === undefined ? lostSessionPrompt(prompt) : prompt",
    replace: 'prompt',
    red: { file: OUTCOMES, name: 'a follow-up whose session is lost starts a new one and says so' },
  },
  {
    protection: 'only the session that a turn continues gets the shorter prompt',
    file: TURN,
    find: "session === 'same' && this.sessionId === spec.sessionId",
    replace: 'true',
    red: {
      file: CONTINUED,
      name: 'a session that is lost is replaced by one with the whole prompt',
    },
  },
  {
    protection: 'an agent that serves no prompt in a continued session gets a new one',
    file: 'src/adapters/agents/turn/continued-session.ts',
    find: 'claim.inVain === undefined &&\n    claim.acted !== true',
    replace: 'false',
    red: { file: CONTINUED, name: 'gets the whole prompt in a new session' },
  },
  {
    protection: 'a session that other turns have used since is not continued',
    file: 'src/adapters/agents/turn/session-counts.ts',
    find: 'others.length <= continued.turns',
    replace: 'others.length >= 0',
    red: { file: CONTINUED, name: 'a session that other turns have used since' },
  },
  {
    protection: 'an idle process ends a minute after its turn',
    file: 'src/adapters/agents/agent-pool.ts',
    find: '() => this.close(id),',
    replace: '() => undefined,',
    red: { file: KEPT, name: 'is closed when its time is over' },
  },
  {
    protection: 'an agent takes a slot of its host',
    file: TURN_AGENT,
    find: 'this.release ??= await this.slot()',
    replace: 'this.release ??= () => Promise.resolve()',
    red: { file: KEPT, name: 'at most agentsPerHost agents live at once' },
  },
  {
    protection: 'an idle agent ends if a turn needs its slot',
    file: TURN_AGENT,
    find: 'void shared.pool.closeAll() // a kept agent holds',
    replace: '// a kept agent holds',
    red: {
      file: KEPT,
      name: 'gives way to another turn in its workspace, and to one that needs its slot',
    },
  },
  {
    protection: 'the claim of a dead owner is free',
    file: 'src/adapters/process/claims.ts',
    find: 'lives(owner) || remove(dir, name)',
    replace: 'true',
    red: { file: CLAIMS, name: 'a dead owner' },
  },
  {
    protection: 'a slot waits for a process that is choosing its number',
    file: 'src/adapters/process/claims.ts',
    find: '!choosing && ahead.length < count',
    replace: 'ahead.length < count',
    red: { file: CLAIMS, name: 'a living process that chooses its number is waited for' },
  },
  // One turn = one activity.
  {
    protection: 'a turn has a time limit',
    file: TURN_CLOCK,
    find: "if (this.spentMs >= this.limits.limitMs) return 'timed_out'",
    replace: '',
    red: { file: CLOCKS, name: 'total: 29:59 is within 30 min' },
  },
  {
    protection: 'the limit counts from the first prompt',
    file: TURN,
    find: 'ticker.onTick(() => this.tick())',
    replace: 'ticker.onTick((ms) => { clock.tick(ms); this.tick() })',
    red: { file: CLOCKS, name: 'the wait for a slot is shown and does not count' },
  },
  {
    protection: 'the sleep of a laptop does not count',
    file: TURN_CLOCK,
    find: 'Math.min(Math.max(0, now - this.last), 2 * this.clock.tickMs)',
    replace: 'now - this.last',
    red: { file: CLOCKS, name: 'a night in which the laptop sleeps does not count' },
  },
  {
    protection: 'time before the death of a driver counts',
    file: TURN_PARTS,
    find: 'new TurnClock(spec, claim.spentMs)',
    replace: 'new TurnClock(spec)',
    red: { file: CLOCKS, name: 'time spent before the driver was killed counts after it' },
  },
  {
    protection: 'an agent is asked to stop at its limit',
    file: 'src/adapters/agents/turn/timed-prompt.ts',
    find: 'onInterrupt()\n  agent.cancel()',
    replace: 'onInterrupt()',
    red: { file: PROMPT, name: 'at the limit the agent is asked to stop' },
  },
  {
    protection: 'an agent that ignores the cancel is killed after 10 s',
    file: 'src/adapters/agents/turn/timed-prompt.ts',
    find: 'await Promise.race([answer, grace.over.then(() => undefined)])',
    replace: 'await answer',
    red: { file: PROMPT, name: 'one that ignores the stop is waited for 10 s' },
  },
  {
    protection: 'an agent that ignored the cancel is not kept',
    file: TURN,
    find: 'this.agent.unusable = answer === undefined',
    replace: 'this.agent.unusable = false',
    red: { file: KEPT, name: 'an agent that ignored the interruption is not kept' },
  },
  {
    protection: 'each answer before the prompt has a time limit',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: 'ticker.delay(timing.startMs)',
    replace: 'ticker.delay(Infinity)',
    red: { file: OUTCOMES, name: 'a program that never answers is given up after the start limit' },
  },
  {
    protection: 'a turn out of time gets a convergence turn',
    file: ROLE_TURN,
    find: 'if (result.sessionId !== undefined) {',
    replace: 'if (false as boolean) {',
    red: { file: TEST_FIX, name: 'a turn out of time is asked to converge in its session' },
  },
  {
    protection: 'a cycle continues without a failed agent, and says so',
    file: 'src/workflows/dev-cycle/cycle-turns.ts',
    find: 'if (isUnusable) noteError(',
    replace: 'if (isUnusable && state.iteration < 0) noteError(',
    red: {
      file: 'test/workflows/dev-cycle.test.ts',
      name: 'the cycle continues without one that never answers, and says so',
    },
  },
  {
    protection: 'the start-to-close timeout leaves 12 h for waiting',
    file: OPTIONS,
    find: 'limitMs + 12 * 3_600_000',
    replace: 'limitMs',
    red: {
      file: 'test/workflows/options.test.ts',
      name: 'turns have their limit plus 12 h of waiting, a heartbeat timeout of a minute and unlimited retries',
    },
  },
  {
    protection: 'a silent agent is interrupted at its idle limit',
    file: TURN_CLOCK,
    find: "return this.idleMs >= this.limits.idleMs ? 'stalled' : undefined",
    replace: 'return undefined',
    red: { file: CLOCKS, name: 'idle: 10 min without an event' },
  },
  {
    protection: 'a running tool call does not count as idle',
    file: TURN_CLOCK,
    find: 'this.tools.size > 0 ? 0 : this.idleMs + countedMs',
    replace: 'this.idleMs + countedMs',
    red: { file: CLOCKS, name: 'idle: a running tool call is not idle' },
  },
  {
    protection: 'neither limit counts while a person is asked',
    file: TURN_CLOCK,
    find: 'if (this.asking > 0) return undefined',
    replace: '',
    red: { file: CLOCKS, name: 'neither counts while a person is asked' },
  },
  {
    protection: 'a running turn sends a heartbeat every second, a waiting one every ten',
    file: 'src/activities/host/with-heartbeat.ts',
    find: 'if (!isWaiting || ++beats % WAITING_BEATS === 0) send()',
    replace: 'void beats',
    red: {
      file: 'test/activities/hosted.test.ts',
      name: 'a heartbeat comes every second from a timer',
    },
  },
  {
    protection: 'a stop or pause reaches a step that only waits at once',
    file: 'src/workflows/run/control.ts',
    find: 'if (this.running > 0) this.onInterrupt()',
    replace: '',
    red: {
      file: 'test/workflows/control.test.ts',
      name: 'mode now interrupts the turn, which continues after resume',
    },
  },
  {
    protection: 'heartbeats are sent on at once',
    file: 'src/worker/project-worker.ts',
    find: "maxHeartbeatThrottleInterval: '100ms',",
    replace: '',
    red: {
      file: 'test/workflows/project-worker.test.ts',
      name: 'ends what the previous worker left running, and sends each heartbeat within 100 ms',
    },
  },
  {
    protection: 'a turn has a heartbeat timeout',
    file: OPTIONS,
    find: 'limitMs + 12 * 3_600_000,\n    heartbeatTimeout: HEARTBEAT,',
    replace: 'limitMs + 12 * 3_600_000,',
    red: {
      file: 'test/workflows/options.test.ts',
      name: 'turns have their limit plus 12 h of waiting, a heartbeat timeout of a minute and unlimited retries',
    },
  },
  {
    protection: 'a turn whose activity failed is settled',
    file: 'src/workflows/run/one-turn.ts',
    find: 'return settled(run, input, error)',
    replace: 'throw error',
    red: {
      file: TEST_FIX,
      name: 'a turn whose activity failed is settled before its workspace is used again',
    },
  },
  {
    protection: 'settling ends its processes',
    file: DRIVER,
    find: 'const ended = await endClaimed(claim, timing.endGraceMs)\n    await undoTests',
    replace: 'const ended = 0\n    await undoTests',
    red: {
      file: NEVER_TWICE,
      name: 'settleTurn ends its agent, keeps the session and counts the crash',
    },
  },
  {
    protection: 'settling returns the existing answer',
    file: DRIVER,
    find: ': { ...settled, result: await close(claim, tree) }',
    replace: ': settled',
    red: {
      file: NEVER_TWICE,
      name: 'settleTurn returns the answer where only the result was not written',
    },
  },
  {
    protection: 'settling keeps the work of the turn',
    file: 'src/activities/agent-turn.ts',
    find: 'if (input.group === undefined) await snapshotUncommitted(',
    replace: 'if (false as boolean) await snapshotUncommitted(',
    red: { file: RUN_END, name: 'work of a turn whose worker was lost' },
  },
  {
    protection: 'a turn of a dead worker names the files that it changed',
    file: DRIVER,
    find: 'tree === undefined ? [] : await changedFiles(tree.workspace)',
    replace: '[] as string[]',
    red: { file: NEVER_TWICE, name: 'where only the result was not written' },
  },
  {
    protection: 'a session that gets other ids is one session',
    file: 'src/adapters/agents/turn/usage-ledger.ts',
    find: 'if (turn.id === id && turn.from !== undefined) ids.add(turn.from)',
    replace: '',
    red: { file: CONTINUED, name: 'a session that gets another id with each turn is one session' },
  },
  {
    protection: 'a configuration that was read again chooses agent and session again',
    file: 'src/workflows/run/one-turn.ts',
    find: 'if (isReloaded && one.isFirst === true && !isSent) throw new ReloadedError()',
    replace: '',
    red: {
      file: 'test/workflows/spending.test.ts',
      name: 'a configuration read again during the question chooses agent and session',
    },
  },
  {
    protection: 'a session of an old configuration is not continued',
    file: 'src/workflows/run/one-turn.ts',
    find: 'isReloaded && one.knows !== undefined',
    replace: 'false as boolean',
    red: {
      file: 'test/workflows/control.test.ts',
      name: 'a changed configuration begins a new one',
    },
  },
  {
    protection: 'a process of an old configuration is not used',
    file: 'src/adapters/agents/agent-pool.ts',
    find: '|| !isDeepStrictEqual([kept.definition, kept.env], [definition, env])',
    replace: '',
    red: {
      file: CONTINUED,
      name: 'a process that was kept with another configuration is not used',
    },
  },
  {
    protection: 'code that a session was not shown is new to it',
    file: 'src/activities/test-fix/code-facts.ts',
    find: '!isShown(source, seen) ||',
    replace: '',
    red: { file: CODE, name: 'what did not fit into the prompt before is shown' },
  },
  {
    protection: 'in a subfolder, changed files are named as the project names them',
    file: 'src/activities/test-fix/code-facts.ts',
    find: 'knows?.changed.map(ownPath(workspace))',
    replace: 'knows?.changed',
    red: { file: CODE, name: 'in a subfolder, a file that the session changed is not shown' },
  },
  {
    protection: 'tokens over a session count once',
    file: 'src/core/agents/agent-usage.ts',
    find: '? tokensSince(prompt.session?.before, now)',
    replace: '? now',
    red: {
      file: 'test/adapters/agents/budget.test.ts',
      name: 'subtracted where they are declared',
    },
  },
  {
    protection: 'estimated usage is marked',
    file: 'src/core/agents/agent-usage.ts',
    find: 'estimated: reported === undefined',
    replace: 'estimated: false',
    red: { file: 'test/unit/core/agent-turn-rules.test.ts', name: 'else characters / 4, marked' },
  },
  {
    protection: 'the result has a short tail and the first changed files',
    file: 'src/adapters/agents/turn/turn-log.ts',
    find: 'text.slice(-TAIL_CHARS)',
    replace: 'text',
    red: { file: OUTCOMES, name: 'a long answer and many changed files travel in short' },
  },
  {
    protection: 'agent output is written every second',
    file: TURN,
    find: 'this.parts.log.tick()',
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'the next one ends the agent, resumes its session and repeats no finished action',
    },
  },
  {
    protection: 'an agent that dies is restarted in its turn',
    file: TURN,
    find: "return this.why === undefined ? 'again' : this.stopped()",
    replace: 'throw error',
    red: { file: OUTCOMES, name: 'is restarted and resumed in the same call' },
  },
  {
    protection: 'an agent is restarted at most twice in a turn',
    file: TURN,
    find: 'AGENT_RESTARTS = 2',
    replace: 'AGENT_RESTARTS = 4',
    red: { file: OUTCOMES, name: 'fails the turn when it dies for the third time' },
  },
  {
    protection: 'an agent that cannot start ends the turn with a result',
    file: TURN,
    find: 'if (error instanceof CommandNotFoundError) return',
    replace: 'if (false as boolean) return',
    red: { file: OUTCOMES, name: 'a missing command fails the turn and says what to do' },
  },
  {
    protection: 'a rate limit is detected by fields only',
    file: 'src/core/agents/agent-outcome.ts',
    find: 'statuses.some((one) =>',
    replace: '/rate limit/i.test(error.message) || statuses.some((one) =>',
    red: { file: 'test/unit/core/agent-failures.test.ts', name: 'words alone are no limit' },
  },
  {
    protection: 'an outage is never detected by agent output',
    file: 'src/core/agents/agent-outage.ts',
    find: "const text = error.spoken === true ? '' : [",
    replace: 'const text = [',
    red: {
      file: 'test/unit/core/agents/agent-outage.test.ts',
      name: 'an answer that the agent said',
    },
  },
  {
    protection: 'a missing login is not an outage',
    file: 'src/core/agents/agent-outage.ts',
    find: 'REFUSED.has(name)) || LOGIN_WORDS.test(text)',
    replace: 'REFUSED.has(name))',
    red: { file: 'test/unit/core/agents/agent-outage.test.ts', name: 'codex: a key is missing' },
  },
  {
    protection: 'a refused connection of an agent that never answered waits shorter than an outage',
    file: 'src/adapters/agents/agent-limits.ts',
    find: 'const isKnown = reached || proven || existsSync(this.files.answered)',
    replace: 'const isKnown = true',
    red: {
      file: 'test/adapters/agents/outage.test.ts',
      name: 'no listener: refused and unproven, with the address; no restart, no crash',
    },
  },
  {
    protection: 'all turns of a limited agent wait, without a process or an attempt',
    file: TURN_ENDINGS,
    find: 'const held = limit.inForce()',
    replace: 'const held = undefined as Held | undefined',
    red: {
      file: 'test/adapters/agents/rate-limit.test.ts',
      name: 'returns at once, starts nothing, takes no slot and counts no attempt',
    },
  },
  {
    protection: 'a budget is checked before a turn begins',
    file: TURN_ENDINGS,
    find: 'if (over !== undefined) return this.overBudget(over)\n    const held',
    replace: 'const held',
    red: {
      file: 'test/adapters/agents/budget.test.ts',
      name: 'a turn that begins when the budget is spent starts nothing',
    },
  },
  {
    protection: 'a turn counts as running in the step that admits it',
    file: 'src/workflows/run/run-budget.ts',
    find: '      await this.#share(over.part, over.begun)\n    this.#underWay++',
    replace:
      '      await this.#share(over.part, over.begun)\n    await Promise.resolve()\n    this.#underWay++',
    red: {
      file: 'test/unit/workflows/run/run-budget.test.ts',
      name: 'two turns that begin at the same moment share a budget of one',
    },
  },
  {
    protection: 'a permission request after the cancel is answered',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: '!this.prompting || signal.aborted ||',
    replace: '!this.prompting ||',
    red: {
      file: OUTCOMES,
      name: 'a question that comes after the cancel is answered with cancelled',
    },
  },
  {
    protection: 'a permission request open at the cancel is answered',
    file: 'src/adapters/agents/acp/acp-client.ts',
    find: 'await Promise.race([cancelled, this.listener.onPermission({',
    replace: 'await Promise.race([this.listener.onPermission({',
    red: { file: OUTCOMES, name: 'a question that is open at the stop is answered with cancelled' },
  },
  {
    protection: 'an endless answer is truncated',
    file: 'src/adapters/agents/acp/stdio-stream.ts',
    find: 'if (length > maxBytes) throw new MessageTooLongError(maxBytes)',
    replace: '',
    red: { file: OUTCOMES, name: 'in one line without an end fail the turn' },
  },
  {
    protection: 'a command that keeps running after its last event is ended',
    file: 'src/adapters/agents/exec/exec-agent.ts',
    find: 'if (reader.summary.last === true) lastWord.said()',
    replace: '',
    red: { file: EXEC, name: 'has failed' },
  },
  {
    protection: 'an interrupt reaches the program behind a wrapper',
    file: 'src/adapters/agents/exec/exec-agent.ts',
    find: "process.kill(-child.pid, 'SIGINT')",
    replace: "process.kill(child.pid, 'SIGINT')",
    red: { file: EXEC, name: 'an interrupt reaches the program behind a wrapper' },
  },
  // Never twice.
  {
    protection: 'a result on disk is returned',
    file: DRIVER,
    find: "if (found.state === 'done') return found.result\n      if",
    replace: 'if',
    red: { file: NEVER_TWICE, name: 'a result on disk is returned' },
  },
  {
    protection: 'a turn that runs in the same process is awaited',
    file: DRIVER,
    find: 'if (mine !== undefined) return mine.attendance.attend(hooks, mine.done)',
    replace: '',
    red: { file: NEVER_TWICE, name: 'a second call awaits the running one' },
  },
  {
    protection: 'an abandoned attempt leaves its agent to the concurrent one',
    file: 'src/adapters/agents/turn/turn-callers.ts',
    find: 'if (this.hooks.size > 0) return true',
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'an attempt that the server gave up leaves its agent to a parallel one',
    },
  },
  {
    protection: 'a turn without a caller waits for the next attempt',
    file: 'src/adapters/agents/turn/turn-callers.ts',
    find: 'if (this.hooks.size === 0) await',
    replace: 'if (false as boolean) await',
    red: {
      file: NEVER_TWICE,
      name: 'an attempt that comes shortly after the one before was given up adopts the agent',
    },
  },
  {
    protection: 'a driver in another process is awaited',
    file: TURN_STORE,
    find: 'claim.driver.pid !== process.pid && isAlive(claim.driver)',
    replace: 'false',
    red: {
      file: NEVER_TWICE,
      name: 'a driver that lives in another process: the second one waits for its result',
    },
  },
  {
    protection: 'a stop reaches a driver in another process',
    file: DRIVER,
    find: 'if (why !== undefined && !asked) requestStop(dirs, key, why)',
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'a stop reaches the driver in another process through the one that waits',
    },
  },
  {
    protection: 'a stop for a driver does not stop the next one',
    file: TURN,
    find: 'takeStopRequest(shared.dirs, spec.key) // one',
    replace: '// one',
    red: {
      file: NEVER_TWICE,
      name: 'a stop that was meant for a driver that has died does not stop the next one',
    },
  },
  {
    protection: 'the agent of a dead driver is ended first',
    file: TURN,
    find: 'await endClaimed(claim, shared.timing.endGraceMs)\n',
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'an agent that outlives its killed driver is ended before the session resumes',
    },
  },
  {
    protection: 'the session of an unfinished turn is resumed',
    file: TURN_AGENT,
    find: "if (await agent.resumeSession(earlier, choice)) return 'same'",
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'the next one ends the agent, resumes its session and repeats no finished action',
    },
  },
  {
    protection: 'a restarted agent gets a note about existing work',
    file: TURN,
    find: "sameSession: session === 'same'",
    replace: 'sameSession: true',
    red: {
      file: NEVER_TWICE,
      name: 'an agent that cannot resume starts again and gets a note about earlier work',
    },
  },
  {
    protection: 'a restarted agent gets the task again',
    file: 'src/core/prompts/prompt-resume.ts',
    find: "return [...preface, '', '---', '', prompt].join('\\n')",
    replace: "return preface.join('\\n')",
    red: {
      file: NEVER_TWICE,
      name: 'an agent that cannot resume starts again and gets a note about earlier work',
    },
  },
  {
    protection: 'a prompt is recorded before it is sent',
    file: TURN,
    find: 'this.save({ sessionId: agent.sessionId, attempts: [...claim.attempts, entry] })',
    replace:
      'Object.assign(claim, { sessionId: agent.sessionId, attempts: [...claim.attempts, entry] })',
    red: {
      file: NEVER_TWICE,
      name: 'nothing on disk: claimed, started, and the claim was there before the agent',
    },
  },
  {
    protection: 'a process is recorded before its first message',
    file: TURN_AGENT,
    find: 'onProcess: (process) => save({ process })',
    replace: 'onProcess: (process) => void Object.assign(claim, { process })',
    red: { file: NEVER_TWICE, name: 'a driver that was killed before its agent took a prompt' },
  },
  {
    protection: 'only one driver makes a claim or a takeover',
    file: REPLACE_FILE,
    find: "if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error\n    return false",
    replace: 'return true',
    red: { file: STORE, name: 'claim: of two' },
  },
  {
    protection: 'a takeover holds before the claim is rewritten',
    file: TURN_STORE,
    find: 'claim.driver = ProcessIdentity.parse(next)',
    replace: '',
    red: { file: STORE, name: 'claim: a process that takes over holds the turn' },
  },
  {
    protection: 'a claim is created atomically',
    file: REPLACE_FILE,
    find: '    writePart(part, text, mode, true)\n',
    replace: "    closeSync(openSync(name, 'wx', mode))\n    writePart(part, text, mode, true)\n",
    red: { file: STORE, name: 'claim: it is complete or missing' },
  },
  {
    protection: 'an answer is stored before its agent is closed',
    file: TURN,
    find: 'this.claim.ended ?? (await this.work())',
    replace: 'await this.work()',
    red: {
      file: NEVER_TWICE,
      name: 'a worker killed between the answer and the result only finishes',
    },
  },
  {
    protection: 'the key of a turn contains the run id',
    file: 'src/workflows/run/one-turn.ts',
    find: 'key: `${run.id}/${run.runId}/${step}`',
    replace: 'key: `${run.id}/${step}`',
    red: {
      file: TEST_FIX,
      name: 'after a reset, turns before the reset point are kept, and a later one starts under a new key',
    },
  },
  {
    protection: 'a released turn can be claimed by others',
    file: TURN,
    find: 'if (!finished) this.save({ released: true })',
    replace: '',
    red: {
      file: GROUP,
      name: 'a turn that works alone, while they run in this worker and in another one',
    },
  },
  {
    protection: 'a process is identified by pid and start time',
    file: 'src/adapters/process/identity.ts',
    find: 'identify(identity.pid)?.startTime === identity.startTime',
    replace: 'identify(identity.pid) !== undefined',
    red: { file: CLAIMS, name: 'an owner whose pid is another' },
  },
  {
    protection: 'a process is identified by pid and boot',
    file: 'src/adapters/process/identity.ts',
    find: 'identity.bootId === currentBootId() && ',
    replace: '',
    red: { file: CLAIMS, name: 'an owner from before a restart' },
  },
  {
    protection: 'the death of a driver is counted',
    file: TURN_STORE,
    find: 'interrupted.driverDeaths + (died ? 1 : 0)',
    replace: 'interrupted.driverDeaths',
    red: {
      file: NEVER_TWICE,
      name: 'settleTurn ends its agent, keeps the session and counts the crash',
    },
  },
  {
    protection: 'a deploy does not count as a death',
    file: TURN_STORE,
    find: 'const died = last !== undefined && last.ended === undefined',
    replace: 'const died = last !== undefined',
    red: {
      file: NEVER_TWICE,
      name: 'the agent is ended, the call throws, the next one resumes without a crash counted',
    },
  },
  {
    protection: 'four deaths of the worker fail the turn',
    file: TURN,
    find: 'if (claim.driverDeaths >= DRIVER_DEATHS) return',
    replace: 'if (false as boolean) return',
    red: {
      file: 'test/adapters/agents/dead-drivers.test.ts',
      name: 'killed four times, also while an agent that heeds nothing is ended for the budget',
    },
  },
  {
    protection: 'a failed turn gets one retry with simplified context',
    file: ROLE_TURN,
    find: 'const tries = [...chained, { agent: first, simplified: true, step: `${turn.step}.simplified` }]',
    replace: 'const tries = [...chained]',
    red: { file: TEST_FIX, name: 'agent error: one retry with simplified context' },
  },
  // Children.
  {
    protection: 'programs carry the markers of run and step',
    file: 'src/adapters/process/spawn-group.ts',
    find: ', [MARKERS.run]: options.markers.run, [MARKERS.step]: options.markers.step',
    replace: '',
    red: { file: PROCESSES, name: 'a program gets the environment named for it, and the markers' },
  },
  {
    protection: 'a marker must match exactly',
    file: 'src/adapters/process/table.ts',
    find: " && hasAll(environ.toString('utf8').split('\\0'), pairs)",
    replace: '',
    red: { file: PROCESSES, name: 'only where the marker is equal, not where it begins alike' },
  },
  {
    protection: 'a reused pid is left alone',
    file: 'src/adapters/process/find.ts',
    find: 'if (table.some((entry) => entry.pid === leader.pid && entry.startTime !== leader.startTime)) return []',
    replace: '',
    red: { file: PROCESSES, name: 'a reused pid has no group and no descendants of ours' },
  },
  {
    protection: 'TERM comes before KILL',
    file: END,
    find: "signal(one, 'SIGTERM')",
    replace: '',
    red: { file: PROCESSES, name: 'TERM comes first and its handler may finish' },
  },
  {
    protection: 'a stopped process gets its TERM',
    file: END,
    find: "signal(one, 'SIGCONT')",
    replace: '',
    red: { file: PROCESSES, name: 'a stopped process gets its TERM' },
  },
  {
    protection: 'KILL follows after the grace period',
    file: END,
    find: 'if (waited() >= graceMs) break',
    replace:
      "if (graceMs > 0 && waited() >= graceMs) throw new Error('it does not end')\n    if (waited() >= graceMs) break",
    red: { file: PROCESSES, name: 'one that ignores TERM is killed after the grace' },
  },
  {
    protection: 'leftover processes of an agent end with its turn',
    file: TURN_AGENT,
    find: 'this.leftovers += await endOutsiders(left, shared.timing.endGraceMs, agent.step)',
    replace: '',
    red: { file: KEPT, name: 'are gone after the turn' },
  },
  {
    protection: 'leftover processes end even if the agent is kept',
    file: TURN_AGENT,
    find: 'this.leftovers += await endOutsiders(outsiders(agent.identity, agent.step), shared.timing.endGraceMs)',
    replace: '',
    red: { file: KEPT, name: 'of an agent that is kept are ended, and the agent is not' },
  },
  {
    protection: 'leftover processes of other programs are ended',
    file: TURN_AGENT,
    find: 'this.leftovers += await endOutsiders([], shared.timing.endGraceMs, claim.marker)',
    replace: '',
    red: { file: OUTCOMES, name: 'children of a program that is no agent are ended' },
  },
  {
    protection: 'a shutdown interrupts the turns',
    file: DRIVER,
    find: "await Promise.all([...running.keys()].map((key) => interrupt(key, 'shutdown')))",
    replace: '',
    red: {
      file: NEVER_TWICE,
      name: 'shutdown of the driver interrupts every turn and ends every agent',
    },
  },
  {
    protection: 'a shutdown ends kept agents',
    file: DRIVER,
    find: 'await pool.closeAll()\n',
    replace: '',
    red: { file: KEPT, name: 'is closed on shutdown' },
  },
  {
    protection: 'the next worker ends processes of a dead one',
    file: DRIVER,
    find: 'ended += await endClaimed(claim, timing.endGraceMs)',
    replace: '',
    red: { file: NEVER_TWICE, name: 'sweep ends agents whose worker died' },
  },
  {
    protection: 'a turn cannot continue while it is swept',
    file: DRIVER,
    find: 'const claim = takeOver(dirs, left)',
    replace: 'const claim = left',
    red: { file: NEVER_TWICE, name: 'sweep holds a turn while it ends its agent' },
  },
  {
    protection: 'a worker sweeps before it takes its first task',
    file: 'src/worker/project-worker.ts',
    find: 'await agents.sweep()',
    replace: '',
    red: {
      file: 'test/workflows/project-worker.test.ts',
      name: 'ends what the previous worker left running, and sends each heartbeat within 100 ms',
    },
  },
  {
    protection: 'the end of a run ends every process with its marker',
    file: DRIVER,
    find: 'return endMarked(MARKERS.run, run, { graceMs: timing.endGraceMs })',
    replace: 'return 0',
    red: { file: NEVER_TWICE, name: 'endRun ends every process with the marker of the run' },
  },
  {
    protection: 'the processes of a run are ended before its result is returned',
    file: 'src/activities/run-end.ts',
    find: 'await agents.endRun(run)\n',
    replace: '',
    red: {
      file: RUN_END,
      name: 'the end of a run ends every process with its marker and resets the tree to its head',
    },
  },
  {
    protection: 'a workspace has a fence',
    file: DRIVER,
    find: 'if (siblings === undefined) await clear(cwd, fence?.keys.filter((other) => other !== key))\n      else if',
    replace: 'if (siblings !== undefined) if',
    red: {
      file: NEVER_TWICE,
      name: 'the next turn in the same workspace ends the agent of the unfinished one first',
    },
  },
  {
    protection: 'a group of turns excludes other turns from its workspace',
    file: DRIVER,
    find: 'group !== undefined && fence?.group === group',
    replace: 'group !== undefined && fence !== undefined',
    red: { file: GROUP, name: 'a turn of another group' },
  },
  {
    protection: 'turns enter a workspace one at a time',
    file: 'src/adapters/agents/turn/workspace-lease.ts',
    find: 'return acquireLock(`${fencePath(dirs, cwd)}.lock`, signal && { signal })',
    replace: 'return Promise.resolve(() => Promise.resolve())',
    red: { file: GROUP, name: 'all are at work at the same time, and all are in the fence' },
  },
  // Result blocks.
  {
    protection: 'the last valid block wins',
    file: 'src/core/dev-loop/answers/action-block.ts',
    find: "blocks.findLast((block) => textOf(block, 'status') !== undefined && (action",
    replace: "blocks.find((block) => textOf(block, 'status') !== undefined && (action",
    red: { file: WORKER, name: 'the last valid block of the own action counts' },
  },
  {
    protection: 'the last valid block wins, also of a cycle',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: "own.findLast((block) => textOf(block, 'status') !== undefined)",
    replace: "own.find((block) => textOf(block, 'status') !== undefined)",
    red: { file: PHASE, name: 'behind a draft' },
  },
  {
    protection: 'an echoed sample is not a result',
    file: 'src/core/answers/result-block.ts',
    find: '!(isSample(text) && list.length === 0) && ',
    replace: '',
    red: { file: BLOCK, name: 'samples' },
  },
  {
    protection: '85% counts as 85',
    file: 'src/core/answers/result-block.ts',
    find: 'return percent(fields.get(key)?.text)',
    replace: 'return Number(fields.get(key)?.text)',
    red: { file: PHASE, name: 'what VAS measured is typed' },
  },
  {
    protection: 'a rate outside of 0-100 is invalid',
    file: 'src/core/answers/agent-values.ts',
    find: 'return value >= 0 && value <= 100 ? value : null',
    replace: 'return value',
    red: { file: PHASE, name: 'numbers outside of 0-100' },
  },
  {
    protection: '`none` counts as an empty list',
    file: 'src/core/answers/agent-values.ts',
    find: 'if (isNone(text) || isSample(text)) return []',
    replace: '',
    red: { file: BLOCK, name: 'is an empty list' },
  },
  {
    protection: 'a list may be on several lines',
    file: 'src/core/answers/result-block.ts',
    find: "if (!known && line.trim() !== '' && isOpen(current)) current.text += `\\n${line.trim()}`\n    else if",
    replace: 'if',
    red: { file: BLOCK, name: 'over several lines' },
  },
  {
    protection: 'CRLF line ends are accepted',
    file: 'src/core/answers/result-block.ts',
    find: ".replace(/\\r\\n?/g, '\\n')",
    replace: '',
    red: { file: BLOCK, name: 'CRLF' },
  },
  {
    protection: 'an unrecognised status counts as `unknown`',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: "statusIn(said, WORDS) ?? 'unknown'",
    replace: "statusIn(said, WORDS) ?? 'success'",
    red: { file: PHASE, name: 'statuses' },
  },
  {
    protection: 'an unrecognised status of a worker counts as `unknown`',
    file: 'src/core/dev-loop/answers/action-block.ts',
    find: "statusIn(reported, WORDS) ?? 'unknown'",
    replace: "statusIn(reported, WORDS) ?? 'success'",
    red: { file: WORKER, name: 'statuses' },
  },
  {
    protection: 'success with blockers counts as partial',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: 'blockers.length > 0 || unmet !== undefined',
    replace: 'unmet !== undefined',
    red: { file: PHASE, name: 'success with blockers' },
  },
  {
    protection: 'success with a requirement that is not met counts as partial',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: 'blockers.length > 0 || unmet !== undefined',
    replace: 'blockers.length > 0',
    red: { file: PHASE, name: 'requirements that are not met' },
  },
  {
    protection: 'a status with a reservation is no success',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: "status === 'success' && isReserved(said)",
    replace: 'false as boolean',
    red: { file: PHASE, name: 'complete except FR-003' },
  },
  {
    protection: 'a long list loses none of its severe entries',
    file: 'src/core/dev-cycle/kept-items.ts',
    find: '.sort((a, b) => a.rank - b.rank)',
    replace: '',
    red: {
      file: 'test/unit/core/dev-cycle/kept-items.test.ts',
      name: 'of a longer list the most severe items are kept',
    },
  },
  {
    protection: 'a task that is named as not done is not done',
    file: 'src/core/answers/named-tasks.ts',
    find: '(left.has(id) ? [] : [id])',
    replace: '[id]',
    red: {
      file: 'test/unit/core/answers/named-tasks.test.ts',
      name: 'a task that is named twice',
    },
  },
  {
    protection: 'the block of another agent is ignored',
    file: 'src/core/dev-cycle/answers/phase-block.ts',
    find: '(phaseOf(block) ?? phase) === phase',
    replace: 'true',
    red: { file: PHASE, name: 's block, quoted' },
  },
  {
    protection: 'a missing block is requested once',
    file: ROLE_TURN,
    find: "if (form === '' || done.result.sessionId === undefined) return",
    replace: 'if (true as boolean) return',
    red: {
      file: 'test/workflows/dev-cycle.test.ts',
      name: 'an answer without a result block gets one retry prompt, then counts as unknown; its documents count',
    },
  },
  {
    protection: 'an answer without a block is never success',
    file: 'src/core/dev-loop/answers/action-block.ts',
    find: "asks ? 'needs_input' : 'unknown'",
    replace: "asks ? 'needs_input' : 'success'",
    red: { file: WORKER, name: 'is a problem, with the form' },
  },
  {
    protection: 'the playbook agent says that it is scripted',
    file: 'src/adapters/agents/scripted/player.ts',
    find: 'await stage.say(`${NOTICE}\\n\\n`)',
    replace: '',
    red: {
      file: 'test/adapters/agents/playbook.test.ts',
      name: 'every prompt begins by saying that it is scripted',
    },
  },
]
