// npm run demo: a small project with failing tests goes green under Temporal, while its worker is killed.
//
// Everything is real except the agent, which follows examples/demo/ratchet.playbook.yaml and says
// so: a Temporal server with its Web UI, worker processes, git, vitest, kill -9.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const cli = path.resolve(here, '../../dist/cli/main.js')
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-demo-')))
const project = path.join(root, 'invoices')
const files = { markers: path.join(root, 'turns.ndjson'), go: path.join(root, 'go-on') }
const say = (text) => console.log(`\n\x1b[1m▸ ${text}\x1b[0m`)

say(`A small project with failing tests, in ${project}`)
makeProject()
say('ratchet fix (the agent is scripted: nothing is written by a model)')
const running = ratchetAsync('fix', '--json', '--trust')
await begun()
const killed = await killInTheMiddle()
const { code, json } = await running
if (code !== 0) fail(`ratchet fix ended with exit code ${code}`, json)
report(json, killed)

function makeProject() {
  cpSync(path.join(here, 'project'), project, { recursive: true })
  renameSync(path.join(project, 'gitignore'), path.join(project, '.gitignore'))
  const playbook = readFileSync(path.join(here, 'ratchet.playbook.yaml'), 'utf8')
  writeFileSync(
    path.join(project, 'ratchet.playbook.yaml'),
    playbook.replace('MARKERS', files.markers).replace('GO', files.go),
  )
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
  run('git', ['init', '--quiet'])
  run('git', ['add', '--all'])
  run('git', [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@localhost',
    'commit',
    '--quiet',
    '--message',
    'Invoices',
  ])
  // Uncommitted work: a changed file and an untracked one.
  const money = path.join(project, 'src/money.js')
  writeFileSync(money, `${readFileSync(money, 'utf8')}\nexport const CURRENCY = 'EUR'\n`)
  writeFileSync(path.join(project, 'NOTES.md'), 'Ask accounting about the rounding.\n')
  run('git', ['status', '--short'], { show: true })
}

/**
 * Waits for the first turn. Building the server takes minutes; `ratchet` itself gives up if it
 * takes too long.
 */
async function begun() {
  let end
  void running.then((how) => {
    end = how
  })
  while (turns().length === 0) {
    if (end !== undefined)
      fail(`ratchet fix ended with exit code ${end.code} before its first turn`, end.json)
    await delay(50)
  }
}

/** Waits for the third fix to be half done, then kills the worker that runs it, as a crash would. */
async function killInTheMiddle() {
  const turn = () => turns().filter((t) => t.role === 'test-fix-agent' && t.iteration === 3)
  await until(() => turn().length === 1, 'the third fix')
  const { workers } = JSON.parse(ratchet('status', '--json').stdout)
  const worker = workers.find((w) => w.queue.endsWith(projectKey()))
  say(`kill -9 ${worker.pid}: the agent worker dies in the middle of a turn`)
  process.kill(worker.pid, 'SIGKILL')
  await until(() => turn().length === 2, 'the resumed turn')
  writeFileSync(files.go, '')
  return worker.pid
}

/** The key at the end of the queue of this project: other projects may have workers, too. */
function projectKey() {
  return createHash('sha256').update(realpathSync(project)).digest('hex').slice(0, 12)
}

function report(result, pid) {
  const twice = turns().filter((t) => t.attempt > 1)
  const finishedTwice = turns().filter(
    (t, n, all) => t.attempt === 1 && all.findIndex((o) => key(o) === key(t)) !== n,
  )
  say(
    `worker ${pid} was killed: ${twice.length} turn resumed, ${finishedTwice.length} turns bought twice`,
  )
  const lie = result.history.find((h) => h.claimed !== undefined && h.claimed !== h.passRate)
  if (lie !== undefined)
    console.log(
      `  iteration ${lie.iteration}: the agent claimed ${lie.claimed} %, measured: ${lie.passRate} %`,
    )

  say('Pass rate by iteration')
  for (const h of result.history)
    console.log(
      `  ${h.iteration}  ${`${h.passRate} %`.padStart(7)}  ${`${h.passed}/${h.total}`.padStart(5)}  ${h.result.replaceAll('_', ' ')}`,
    )

  say(`The diff, on branch ${result.branch}`)
  const base = JSON.parse(
    readFileSync(path.join(result.recordDir, 'workflow-session.json'), 'utf8'),
  ).base
  run('git', ['--no-pager', 'diff', '--stat', '--patch', '--color=always', base, result.branch], {
    show: true,
  })

  say(`ratchet apply ${result.id}: into the work tree, next to the uncommitted work`)
  const applied = ratchet('apply', result.id)
  process.stdout.write(applied.stdout)
  process.stderr.write(applied.stderr)
  run('git', ['status', '--short'], { show: true })
  if (applied.status !== 0 || finishedTwice.length > 0 || twice.length !== 1)
    fail('the demo did not end as it is meant to', result)

  if (process.stdout.isTTY) {
    say(`See it in the Web UI: ${result.uiUrl}`)
    console.log(
      '  The server and the workers stay up for 30 minutes; end them with: node dist/cli/main.js dev --stop --force',
    )
  } else {
    say(`Web UI: ${result.uiUrl} (without a terminal the demo ends what it started)`)
    ratchet('dev', '--stop', '--force')
  }
}

function key(turn) {
  return `${turn.role} ${turn.iteration} ${turn.turn}`
}

function turns() {
  if (!existsSync(files.markers)) return []
  return readFileSync(files.markers, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function until(is, what) {
  const deadline = Date.now() + 300_000
  while (!is()) {
    if (Date.now() > deadline) fail(`waited in vain for ${what}`)
    await delay(50)
  }
}

function ratchet(...args) {
  return spawnSync(process.execPath, [cli, ...args], { cwd: project, encoding: 'utf8' })
}

/** Progress goes straight to the terminal; stdout is one JSON document. */
function ratchetAsync(...args) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  return new Promise((resolve) =>
    child.on('close', (code) => {
      if (code !== 0 && out.trim() === '')
        fail(`ratchet ${args.join(' ')} ended with exit code ${code}`)
      resolve({ code, json: JSON.parse(out) })
    }),
  )
}

function run(command, args, { show = false } = {}) {
  const done = spawnSync(command, args, {
    cwd: project,
    stdio: ['ignore', show ? 'inherit' : 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (done.status !== 0) fail(`${command} ${args.join(' ')} failed`)
}

function fail(message, detail) {
  console.error(`\n${message}`)
  if (detail !== undefined) console.error(JSON.stringify(detail, null, 2))
  ratchet('dev', '--stop', '--force')
  process.exit(1)
}
