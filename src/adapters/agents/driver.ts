// The agents of one worker process. Every call for a turn first checks its record on disk, so that
// no turn runs twice after any crash.
import { setTimeout as sleep } from 'node:timers/promises'
import { MARKERS } from '../../contract/names.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import type { TurnResult, TurnSpec } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { NO_SECRETS } from '../../core/text/redact.js'
import { endMarked } from '../process/end.js'
import { isAlive } from '../process/identity.js'
import { spawnGroup, type SpawnGroup } from '../process/spawn-group.js'
import { layout, type Dirs } from '../state-dir.js'
import { stopwatch } from '../stopwatch.js'
import { AgentPool } from './agent-pool.js'
import { definitionOf } from './agent-command.js'
import { agentEnv } from './agent-env.js'
import { RunningTurn } from './turn/agent-turn.js'
import { TIMING, type DriverShared, type Entering, type Timing } from './driver-shared.js'
import { TurnInterruptedError } from './errors.js'
import { fenceLock, readFence, writeFence } from './turn/workspace-lease.js'
import { Ledger } from './turn/usage-ledger.js'
import { SideWrites } from './turn/side-writes.js'
import { removeToolFolders } from './tools/tool-files.js'
import { endClaimed } from './leftovers.js'
import { SYSTEM_CLOCK, type Clock } from './turn/turn-clock.js'
import type { TurnHooks } from './turn/turn-hooks.js'
import { TurnLog } from './turn/turn-log.js'
import { undoTests } from './tools/undo-tests.js'
import { SessionCounts, sessionFacts, withoutMovedSession } from './turn/session-counts.js'
import { turnResult, usedBy } from './turn/turn-result.js'
import {
  createClaim,
  find,
  openClaims,
  readClaim,
  requestStop,
  saveClaim,
  saveResult,
  takeOver,
  turnFiles,
  type Claim,
} from './turn/turn-store.js'

export type DriverDeps = {
  dirs: Dirs
  /** Files changed in a workspace since its last commit, by git. */
  changedFiles: (workspace: Workspace) => Promise<readonly string[]>
  log?: (text: string) => void
  clock?: Clock
  /** Wall clock in epoch milliseconds. */
  now?: () => number
  /** Starts the process of an agent. */
  spawn?: SpawnGroup
  timing?: Partial<Timing>
}

/**
 * What `settleTurn` found. Without a result the turn is open, but nothing of it runs; `used` is
 * what it cost by then.
 */
export type Settled = {
  result?: TurnResult
  ended: number
  sessionId?: string
  crashes: number
  used?: Pick<TurnResult, 'usage' | 'attempts' | 'durationMs'>
}

type Tree = { workspace: Workspace; redact: (name: string) => string }

export type AgentDriver = ReturnType<typeof createAgentDriver>

export function createAgentDriver({
  dirs,
  changedFiles,
  log = () => {},
  clock = SYSTEM_CLOCK,
  now = Date.now,
  spawn = spawnGroup,
  timing: changed,
}: DriverDeps) {
  const timing: Timing = { ...TIMING, ...changed }
  const running = new Map<string, RunningTurn>()
  const pool = new AgentPool()
  const ledger = new Ledger(dirs)
  const shared: DriverShared = {
    dirs,
    clock,
    now,
    spawn,
    timing,
    pool,
    ledger,
    counts: new SessionCounts(ledger),
    changedFiles,
    enterWorkspace,
  }

  /**
   * Runs one turn, at most once per key. A failed agent is a result. A turn that is rate limited or
   * over budget is returned but not stored: a call with the same key resumes its session.
   *
   * @throws TurnInterruptedError on shutdown, or if the attempt was given up: the same key resumes;
   * MissingVariableError and RefusalError before anything has started
   */
  async function runTurn(given: TurnSpec, hooks: TurnHooks): Promise<TurnResult> {
    const spec = withoutMovedSession(ledger, given)
    for (;;) {
      const mine = running.get(spec.key)
      if (mine !== undefined) return mine.attendance.attend(hooks, mine.done)
      const found = find(dirs, spec.key)
      if (found.state === 'done') return found.result
      if (found.state === 'theirs') {
        await waitForOther(spec.key, found.driver, hooks)
        continue
      }
      // Throws before anything is written
      const definition = definitionOf(hooks.config, spec.agent)
      agentEnv(spec.agent, definition, hooks.env, spec.workspace.cwd)
      const model = 'model' in definition ? definition.model : undefined
      const { key, header, workspace, agent } = spec
      const claim =
        found.state === 'new'
          ? createClaim(dirs, {
              key,
              run: header.run,
              cwd: workspace.cwd,
              agent,
              model,
              ...sessionOf(spec),
            })
          : takeOver(dirs, { ...found.claim, model })
      if (claim === undefined) continue // another worker was faster
      if (found.state === 'interrupted')
        log(
          `turn ${key}: continues after an interruption (attempts ${claim.attempts.length}, crashes ${claim.agentDeaths + claim.driverDeaths})`,
        )
      const turn = new RunningTurn(shared, spec, claim, hooks)
      running.set(key, turn)
      turn.done.catch(() => undefined).finally(() => running.delete(key))
      return turn.attendance.attend(hooks, turn.done)
    }
  }

  // The previous worker is still alive: a second agent would run the turn twice.
  async function waitForOther(
    key: string,
    driver: ProcessIdentity,
    hooks: TurnHooks,
  ): Promise<void> {
    let asked = false
    while (find(dirs, key).state === 'theirs') {
      const why = hooks.signal.aborted ? (hooks.abortReason?.() ?? 'stop') : undefined
      if (why === 'shutdown' || why === 'abandoned') throw new TurnInterruptedError(why)
      if (why !== undefined && !asked) requestStop(dirs, key, why)
      asked = why !== undefined
      hooks.onProgress?.({
        state: 'other_worker',
        lastEvent: `driven by worker ${driver.pid}`,
        elapsedMs: 0,
      })
      await sleep(timing.pollMs)
    }
  }

  async function enterWorkspace(
    { key, cwd, group, sessionId }: Entering,
    signal: AbortSignal,
  ): Promise<void> {
    const release = await fenceLock(dirs, cwd, signal)
    try {
      const fence = readFence(dirs, cwd)
      const siblings =
        group !== undefined && fence?.group === group
          ? fence.keys.filter((other) => other !== key)
          : undefined
      if (siblings === undefined)
        await clear(
          cwd,
          fence?.keys.filter((other) => other !== key),
        )
      else if (sessionId !== undefined) await freeSession(cwd, sessionId, siblings)
      signal.throwIfAborted()
      writeFence(dirs, cwd, { keys: [...(siblings ?? []).filter(mayRun), key], group })
    } finally {
      await release()
    }
  }

  async function clear(cwd: string, keys: readonly string[] = []): Promise<void> {
    await Promise.all([pool.closeAll((kept) => kept.cwd === cwd), ...keys.map(endTurn)])
    // Also what a worker that died left: nothing in it is measured.
    new SideWrites().try(() => removeToolFolders(cwd))
  }

  // The process that drives the turn releases it first.
  async function endTurn(key: string): Promise<void> {
    await interrupt(key, 'fenced')
    const waited = stopwatch()
    if (find(dirs, key).state === 'theirs') requestStop(dirs, key, 'fenced')
    while (find(dirs, key).state === 'theirs' && waited() < timing.yieldMs)
      await sleep(timing.pollMs)
    await endLeft(key)
  }

  async function endLeft(key: string): Promise<void> {
    const claim = readClaim(layout.turn(dirs, key))
    if (claim === undefined || (claim.kept !== true && find(dirs, key).state === 'done')) return
    const ended = await endClaimed(claim, timing.endGraceMs)
    if (ended > 0)
      log(`turn ${key}: ended ${ended} of its processes, as another turn needs its workspace`)
    if (claim.testing === undefined) return
    const found = find(dirs, key)
    const mine = found.state === 'interrupted' ? takeOver(dirs, found.claim) : undefined
    if (mine === undefined) return
    await undoTests(dirs, mine)
    saveClaim(dirs, { ...mine, released: true })
  }

  // Of a group only processes that hold the session that a turn continues and that no turn drives
  // any more.
  async function freeSession(
    cwd: string,
    sessionId: string,
    siblings: readonly string[],
  ): Promise<void> {
    await pool.free(cwd, sessionId)
    const held = siblings.filter(
      (key) =>
        !running.has(key) &&
        find(dirs, key).state !== 'theirs' &&
        readClaim(layout.turn(dirs, key))?.sessionId === sessionId,
    )
    await Promise.all(held.map(endLeft))
  }

  // Also one that has ended, while its agent is kept.
  function mayRun(key: string): boolean {
    return find(dirs, key).state !== 'done' || readClaim(layout.turn(dirs, key))?.kept === true
  }

  async function interrupt(key: string, why: 'abandoned' | 'fenced' | 'shutdown'): Promise<void> {
    const turn = running.get(key)
    turn?.attendance.stop(why)
    await turn?.done.catch(() => undefined)
  }

  /**
   * After an activity failure of a turn: ends what still runs of it, unless another living worker
   * drives it, and reads its record.
   *
   * @param tree where the turn worked alone, and what takes secrets out of names of its files
   */
  async function settleTurn(key: string, tree?: Tree): Promise<Settled> {
    await interrupt(key, 'abandoned')
    const found = find(dirs, key)
    if (found.state === 'done')
      return {
        result: found.result,
        ended: 0,
        ...sessionOf(found.result),
        crashes: found.result.crashes,
      }
    if (found.state !== 'interrupted') return { ended: 0, crashes: 0 }
    const claim = takeOver(dirs, found.claim)
    if (claim === undefined) return settleTurn(key, tree)
    const ended = await endClaimed(claim, timing.endGraceMs)
    await undoTests(dirs, claim)
    saveClaim(dirs, { ...claim, released: true })
    const settled = { ended, ...sessionOf(claim), crashes: claim.agentDeaths + claim.driverDeaths }
    // The agent had answered, only the result was not written: what was paid for is not thrown
    // away.
    return claim.ended === undefined
      ? { ...settled, used: usedBy(claim, ledger.read(claim.run, claim.key)) }
      : { ...settled, result: await close(claim, tree) }
  }

  async function close(claim: Claim, tree: Tree | undefined): Promise<TurnResult> {
    const changed = tree === undefined ? [] : await changedFiles(tree.workspace)
    // Was redacted when it was written
    const turnLog = new TurnLog(turnFiles(layout.turn(dirs, claim.key)), NO_SECRETS)
    const result = turnResult(dirs, claim, turnLog.finish(), {
      changedFiles: changed.map((file) => tree?.redact(file) ?? file),
      leftovers: 0,
      promptChars: 0,
      session: sessionFacts(shared, claim, false),
    })
    const spent = shared.ledger.read(claim.run, claim.key)
    if (spent !== undefined) shared.ledger.write(claim.run, { ...spent, open: false })
    saveResult(dirs, claim.key, result)
    return result
  }

  /** Ends everything that carries the marker of a run; returns how many processes that were. */
  async function endRun(run: string): Promise<number> {
    await Promise.all(
      [...running]
        .filter(([, turn]) => turn.run === run)
        .map(([key]) => interrupt(key, 'abandoned')),
    )
    await pool.closeAll((kept) => kept.run === run)
    return endMarked(MARKERS.run, run, { graceMs: timing.endGraceMs })
  }

  /** Ends agents that work in a workspace or are kept there, before it is measured or moved. */
  async function endWorkspace({ cwd }: Workspace): Promise<void> {
    const release = await fenceLock(dirs, cwd)
    try {
      await clear(cwd, readFence(dirs, cwd)?.keys)
    } finally {
      await release()
    }
  }

  /**
   * On the start of a worker: ends agents whose driver is dead, and restores the trees in which
   * their tests ran; returns how many processes that were.
   */
  async function sweep(): Promise<number> {
    let ended = 0
    for (const left of openClaims(dirs)) {
      if (isAlive(left.driver)) continue
      // Taken over, so that no attempt continues it before its processes have ended.
      const claim = takeOver(dirs, left)
      if (claim === undefined) continue
      ended += await endClaimed(claim, timing.endGraceMs)
      // Before any turn continues: others of its group work in the same tree. If it fails, the next
      // to take the turn over tries again.
      await undoTests(dirs, claim).catch((error: unknown) =>
        log(`turn ${claim.key}: its test run cannot be undone yet: ${(error as Error).message}`),
      )
      saveClaim(dirs, { ...claim, kept: false, released: true })
    }
    if (ended > 0) log(`ended ${ended} processes of agents whose worker had died`)
    return ended
  }

  /** Interrupts every turn, so that the next attempt resumes its session, and ends all agents. */
  async function shutdown(): Promise<void> {
    await Promise.all([...running.keys()].map((key) => interrupt(key, 'shutdown')))
    await pool.closeAll()
  }

  return { runTurn, settleTurn, endRun, endWorkspace, sweep, shutdown }
}

function sessionOf({ sessionId }: { sessionId?: string | undefined }): { sessionId?: string } {
  return sessionId === undefined ? {} : { sessionId }
}
