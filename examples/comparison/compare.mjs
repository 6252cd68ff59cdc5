// npm run comparison: one failing repository, worked on by hand with a coding CLI, in a shell loop around it,
// and with Ratchet, while things go wrong. Prints the tables of docs/comparison.md.
//
// Usage: node examples/comparison/compare.mjs [claude|codex] [--undisturbed]
// Everything is real except the model, which model.mjs scripts: the CLI, the loop, git, the tests,
// kill -9, and Ratchet with its server and workers. Your keys, settings and servers are not used.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { installAgents } from '../../scripts/agents/install.mjs'
import { Bench, until } from './bench.mjs'
import { claudeProgram } from './parts.mjs'
import { byHand, inLoop, TURNS } from './simple-ways.mjs'
import { comparison, input, times, WAYS } from './table.mjs'
import { ratchetUser, withRatchet } from './with-ratchet.mjs'

const CASES = [
  { title: 'nothing goes wrong', manner: 'honest' },
  { title: '`kill -9` of the agent', manner: 'honest', event: 'agent killed' },
  { title: '`kill -9` of everything', manner: 'honest', event: 'all killed' },
  { title: 'switched off overnight', manner: 'honest', event: 'night' },
  { title: 'the model never ends its answer', manner: 'honest', event: 'hangs' },
  { title: 'the agent does nothing and says that it is done', manner: 'lying' },
  { title: 'the agent skips the failing tests', manner: 'skipping' },
  { title: 'a fix breaks more than it repairs', manner: 'hasty' },
]
/** Cases that end processes of Ratchet which the others need, so they run alone. */
const ALONE = new Set(['all killed', 'night'])
/** Settings of Ratchet for cases that need shorter limits than the default. */
const LIMITS = { hangs: { agentTurn: '15s' } }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { undisturbed: { type: 'boolean', default: false } },
})
const [agent = 'claude'] = positionals
if (agent !== 'claude' && agent !== 'codex') {
  console.error(`no such agent: ${agent}; there are claude and codex`)
  process.exit(2)
}
const begun = Date.now()
const { [agent]: bin } = await installAgents([agent])
const bins = [...(agent === 'claude' ? [path.dirname(claudeProgram(bin))] : []), bin]
const user = ratchetUser()
const rows = (values.undisturbed ? CASES.slice(0, 1) : CASES).map((one) => ({
  ...one,
  disturbed: one.event !== undefined,
  facts: {},
}))
let base
try {
  const [undisturbed, ...others] = rows
  for (const way of Object.keys(WAYS)) await fill(undisturbed, way) // one after the other: their times are reported
  const [alone, together] = [
    others.filter(({ event }) => ALONE.has(event)),
    others.filter(({ event }) => !ALONE.has(event)),
  ]
  await Promise.all([
    inTurn(others.map((row) => [row, 'hand'])),
    inTurn(others.map((row) => [row, 'loop'])),
    sideBySide(together.map((row) => [row, 'ratchet'])).then(() =>
      inTurn(alone.map((row) => [row, 'ratchet'])),
    ),
  ])
} finally {
  user.remove(base)
}
console.log(comparison(rows))
console.log()
console.log(input(agent, rows[0].facts))
console.log()
console.log(
  times(agent, [
    { title: WAYS.hand, ...rows[0].facts.hand.times },
    { title: WAYS.loop, ...rows[0].facts.loop.times },
    { title: `${WAYS.ratchet}, its first start`, ...rows[0].facts.ratchet.times },
    {
      title: `${WAYS.ratchet}, its server running`,
      first: rows.find(({ event }) => event === 'night')?.facts.ratchet.times.first,
    },
  ]),
)
progress(`done after ${Math.round((Date.now() - begun) / 1_000)} s`)

async function inTurn(list) {
  for (const [row, way] of list) await fill(row, way)
}

/** Two at a time. */
async function sideBySide(list) {
  const left = [...list]
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await fill(...one)
  }
  await Promise.all([next(), next()])
}

/** Runs one case in one way and inspects the result. */
async function fill(row, way) {
  const { manner, event } = row
  const bench = await Bench.open(agent, manner, {
    bins,
    hold: event !== undefined,
    limits: LIMITS[event],
    ...(way === 'ratchet' ? { home: user.home } : {}),
  })
  base = bench.env
  try {
    const started = Date.now()
    let first
    const asked = until(() => bench.calls().length > 0, 'the first call of the model').then(() => {
      first = Date.now() - started
    })
    const told = await (way === 'hand'
      ? byHand(bench, event)
      : way === 'loop'
        ? inLoop(bench, event)
        : withRatchet(bench, event, user))
    const end = Date.now() - started
    await asked
    const calls = told.endless ? bench.callsOf(TURNS) : bench.calls().length
    row.facts[way] = {
      ...told,
      calls,
      input: bench.input(),
      typed: bench.typed.length,
      passing: bench.passing(told.branch),
      own: bench.own(),
      times: { first, end },
    }
    const changed = bench.changed()
    if (way === 'ratchet' && changed.length > 0)
      throw new Error(`Ratchet has changed ${changed.join(', ')}`)
    progress(
      `${Math.round((Date.now() - begun) / 1_000)} s  ${row.title}, ${WAYS[way]}: ${row.facts[way].passing} of 12, ${calls} calls`,
    )
  } finally {
    await bench.close()
  }
}

function progress(text) {
  console.error(text)
}
