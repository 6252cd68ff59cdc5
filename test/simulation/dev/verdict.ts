// What a run decided and bought; times and ids are its own.
import type { PlayedCycle, PlayedLoop } from './play.js'
import type { DevWorld } from './world.js'

export function verdictOf({ facts: { turns }, runs }: PlayedCycle | PlayedLoop) {
  return {
    runs: runs.map(
      ({ result: { outcome, iterations, passRate, commits, reviewNeeded, reason } }) => ({
        outcome,
        iterations,
        passRate,
        commits,
        reviewNeeded,
        reason: reason?.replaceAll(/WFS-[\w.-]+/g, 'ID'),
      }),
    ),
    turns: turns.all
      .filter(({ outcome }) => outcome !== 'stopped')
      .map(({ step, outcome }) => `${step} ${outcome}`)
      .sort(),
  }
}

/**
 * The same world without its pauses, where nothing else comes from outside: the verdict is the
 * same.
 */
export function withoutPauses<W extends DevWorld>(world: W): W | undefined {
  const isPaused =
    world.events.length > 0 &&
    world.events.every(({ what }) => what === 'pause' || what === 'pause now')
  return isPaused ? { ...world, events: [] } : undefined
}
