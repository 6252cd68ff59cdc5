// Makes the terminal pictures in docs/images: runs the examples in tmux, converts the pane to HTML,
// and takes a screenshot with chromium. The agents are scripted and wait at the points named here,
// so that they show up in the picture; everything else is real. Run after `npm run build`: node
// scripts/screenshots/terminal.mjs [directory]
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SerializeAddon } from '@xterm/addon-serialize'
import xterm from '@xterm/headless'
import { chromium } from 'playwright-core'
import { parse, stringify } from 'yaml'

const COLUMNS = 96
/** For the table of runs, whose lines are longer. */
const TABLE_COLUMNS = 116
const ROWS = 28
/** Lets the clocks in the picture advance. */
const SHOWN_MS = 12_000
const COSTS = {
  'cli-planning-agent': 0.038,
  'test-fix-agent': 0.092,
  'requirements-analyst': 0.021,
  'exploration-planner': 0.034,
  'code-developer': 0.187,
  'validation-archivist': 0.052,
}
/** Scripts of the projects, which wait until they are released. */
const DOING = {
  'requirements-analyst': 'outline',
  'exploration-planner': 'explore',
  'code-developer': 'rehearse',
  'validation-archivist': 'inspect',
}
const checkout = fileURLToPath(new URL('../..', import.meta.url))
const out = path.resolve(process.argv[2] ?? path.join(checkout, 'docs/images'))
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'demo-')))
const socket = path.join(root, 'tmux')
const env = {
  RATCHET_TRUST: '1',
  PATH: `${path.join(root, 'bin')}:${process.env.PATH}`,
  HOME: path.join(root, 'home'),
  XDG_STATE_HOME: path.join(root, 'state'),
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  PS1: '$ ',
  ...(process.env.TEMPORAL_CLI_PATH === undefined
    ? {}
    : { TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH }),
}

for (const name of ['bin', 'home', 'state']) mkdirSync(path.join(root, name), { recursive: true })
writeFileSync(
  path.join(root, 'bin/ratchet'),
  `#!/bin/sh\nexec '${process.execPath}' '${path.join(checkout, 'dist/cli/main.js')}' "$@"\n`,
  { mode: 0o755 },
)
try {
  const invoices = project('invoices', 'demo/project', invoicesPlaybook())
  const shop = project('shop', 'loop/project', playbookOf('loop'))
  const cart = project('cart', 'cycle/project', slowCycle(playbookOf('cycle')))
  await questionPicture(shop)
  await watchPicture(invoices)
  await cyclePicture(cart)
  await statusPicture(invoices)
} finally {
  tmux('kill-server')
  for (const name of ['fix', 'first', 'second']) release(name)
  ratchet(root, 'dev', '--stop', '--force')
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
}

/** A worker of a loop asks a question, which stays open for the table of runs. */
async function questionPicture(shop) {
  const { id } = JSON.parse(ratchet(shop, 'loop', 'add discounts in percent', '--detach', '--json'))
  pane('question', shop)
  type('question', `ratchet watch ${id}`)
  await sees('question', /❯ develop/)
  tmux('send-keys', '-t', 'question', 'Enter')
  await sees('question', /How is half a cent rounded/)
  await sees('question', /❯ up/)
  await picture('question', 'question.png')
  tmux('send-keys', '-t', 'question', 'C-c')
}

/** The third iteration of a fix: one was kept, one rolled back. */
async function watchPicture(invoices) {
  pane('watch', invoices)
  type('watch', 'ratchet fix')
  await sees('watch', /iteration 3 of 5[\s\S]*npm run soak/)
  await delay(SHOWN_MS)
  await picture('watch', 'watch.png')
}

/** Four agents in the second iteration of a cycle. */
async function cyclePicture(cart) {
  const { id } = JSON.parse(
    ratchet(cart, 'cycle', 'add discounts in percent', '--detach', '--json'),
  )
  await until(() => /agents:/.test(ratchet(cart, 'status', id)), 'agents at work')
  ratchet(cart, 'extend', id, 'also free shipping from 50')
  release('first')
  pane('cycle', cart)
  type('cycle', `ratchet watch ${id}`)
  await sees('cycle', /iteration 2 of \d[\s\S]*npm run explore/)
  await sees('cycle', /npm run rehearse/)
  await delay(SHOWN_MS)
  await picture('cycle', 'watch-cycle.png')
}

/** The table of open runs: two work, one asks. */
async function statusPicture(project) {
  pane('status', project, TABLE_COLUMNS)
  type('status', 'ratchet status')
  await sees('status', /waits for[\s\S]*person/)
  await picture('status', 'status.png', TABLE_COLUMNS)
}

/** The demo, whose third fix is slow. */
function invoicesPlaybook() {
  const { steps } = parse(
    readFileSync(path.join(checkout, 'examples/demo/ratchet.playbook.yaml'), 'utf8'),
  )
  return {
    steps: steps.map(({ when, do: actions }) => ({
      when,
      do: actions.map((action) =>
        'wait' in action
          ? { run: ['npm', 'run', 'soak'] }
          : 'tokens' in action
            ? { tokens: { ...action.tokens, cost: COSTS[when.role] } }
            : action,
      ),
    })),
  }
}

function playbookOf(example) {
  return parse(
    readFileSync(path.join(checkout, 'examples', example, 'project/ratchet.playbook.yaml'), 'utf8'),
  )
}

/** Every agent is slow, once in each iteration. */
function slowCycle({ steps }) {
  return {
    steps: steps.flatMap((step) => {
      const { role, iteration, turn } = step.when
      const tokens = { tokens: { input: 14_000, output: 1_300, cost: COSTS[role] } }
      const own = step.do.filter((action) => !('tokens' in action))
      const plain = { ...step, do: [tokens, ...own] }
      const slow = (n) => ({
        when: { ...step.when, iteration: n, turn: 'work' },
        do: [tokens, { run: ['npm', 'run', n === 1 ? 'draft' : DOING[role]] }, ...own],
      })
      if (turn !== undefined && turn !== 'work') return [plain]
      return [...(iteration === undefined ? [slow(1), slow(2)] : [slow(iteration)]), plain]
    }),
  }
}

function project(name, example, playbook) {
  const dir = path.join(root, name)
  cpSync(path.join(checkout, 'examples', example), dir, { recursive: true })
  if (existsSync(path.join(dir, 'gitignore')))
    renameSync(path.join(dir, 'gitignore'), path.join(dir, '.gitignore'))
  writeFileSync(path.join(dir, 'ratchet.playbook.yaml'), stringify(playbook))
  writeFileSync(
    path.join(dir, 'wait.mjs'),
    "import { existsSync } from 'node:fs'\nconst over = () => existsSync(process.argv[2]) || setTimeout(over, 200)\nover()\n",
  )
  const file = path.join(dir, 'package.json')
  const about = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const waits = (file) => `node wait.mjs '${path.join(root, file)}'`
  const slow = {
    soak: waits('fix'),
    draft: waits('first'),
    ...Object.fromEntries(Object.values(DOING).map((script) => [script, waits('second')])),
  }
  writeFileSync(file, JSON.stringify({ ...about, scripts: { ...about.scripts, ...slow } }))
  const config = path.join(dir, 'ratchet.config.json')
  writeFileSync(
    config,
    JSON.stringify({
      ...JSON.parse(readFileSync(config, 'utf8')),
      limits: {
        agentsPerHost: 8,
        ...(name === 'shop' ? {} : { maxTokens: 500_000, maxCostUsd: 5 }),
      },
    }),
  )
  if (about.devDependencies !== undefined)
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: dir,
    })
  const git = (...argv) =>
    run('git', ['-C', dir, '-c', 'user.name=Demo', '-c', 'user.email=demo@localhost', ...argv])
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'first')
  return dir
}

function release(name) {
  writeFileSync(path.join(root, name), '')
}

function run(command, argv, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, argv, {
    env,
    encoding: 'utf8',
    ...options,
  })
  if (status !== 0)
    throw new Error(
      `${command} ${argv.join(' ')} ended with ${status}: ${error?.message ?? stderr}${stdout}`,
    )
  return stdout
}

function ratchet(cwd, ...argv) {
  return run(path.join(root, 'bin/ratchet'), argv, { cwd })
}

function tmux(...argv) {
  return spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...argv], { env, encoding: 'utf8' })
    .stdout
}

function pane(name, cwd, columns = COLUMNS) {
  tmux(
    'new-session',
    '-d',
    '-s',
    name,
    '-x',
    String(columns),
    '-y',
    String(ROWS),
    '-c',
    cwd,
    'bash',
    '--norc',
    '--noprofile',
  )
}

function type(name, text) {
  tmux('send-keys', '-t', name, text, 'Enter')
}

async function sees(name, what) {
  await until(
    () => what.test(tmux('capture-pane', '-p', '-t', name)),
    String(what),
    () => tmux('capture-pane', '-p', '-t', name),
  )
}

async function until(holds, what, seen = () => '') {
  for (let n = 0; n < 1_200; n++) {
    if (holds()) return
    await delay(200)
  }
  throw new Error(`${what} did not come; there is:\n${seen()}`)
}

/** The current content of the pane, with colours. */
async function picture(name, file, columns = COLUMNS) {
  const text = tmux('capture-pane', '-e', '-p', '-t', name).trimEnd()
  const rows = text.split('\n').length
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    theme: { background: '#16181d', foreground: '#d8dbe2' },
  })
  const addon = new SerializeAddon()
  terminal.loadAddon(addon)
  await new Promise((resolve) => terminal.write(text.replaceAll('\n', '\r\n'), resolve))
  const html = addon.serializeAsHTML({ includeGlobalBackground: true })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({
      viewport: { width: 1100, height: 800 },
      deviceScaleFactor: 1.5,
    })
    await page.setContent(`<style>body { margin: 0 } #frame { display: inline-block; padding: 16px 20px; background: #16181d; border-radius: 8px }
      #frame pre, #frame pre * { font: 15px/1.35 'DejaVu Sans Mono', monospace !important } #frame pre { margin: 0 }</style><div id="frame">${html}</div>`)
    mkdirSync(out, { recursive: true })
    await page.locator('#frame').screenshot({ path: path.join(out, file), omitBackground: true })
  } finally {
    await browser.close()
  }
  terminal.dispose()
}
