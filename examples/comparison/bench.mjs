// One way of working on the failing repository: a copy of it, a home directory, and a model of its own whose
// calls are counted.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MARKS, modelOf } from './model.mjs'
import { ModelStub, endMarked, findMarked, setUp } from './parts.mjs'

const PROJECT = fileURLToPath(new URL('./project/', import.meta.url))
const MARKER = 'COMPARISON_RUN'
/** After a turn codex asks for a message that its user might send next. */
const SIDE_CALL = /^This is an app-generated request/
/** Where an agent keeps its sessions, and what stands there for the result of a tool. */
const SESSIONS = {
  claude: { dir: '.claude/projects', result: /"type":"tool_result"/g },
  codex: { dir: '.codex/sessions', result: /"type":"(custom_tool|function)_call_output"/g },
}
/** Longer than any step takes; a wait beyond it ends the comparison with its name. */
const PATIENCE_MS = 120_000
const CHARS_PER_TOKEN = 4
/** A test run that takes so long hangs. */
const TESTS_MS = 60_000

export class Bench {
  root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-comparison-'))
  project = path.join(this.root, 'till')
  run = randomBytes(6).toString('hex')
  /** What was typed by a person. */
  typed = []
  holds = false

  /**
   * @param agent `claude` or `codex`
   * @param manner of the model
   * @param options.hold where the model stops answering: once, after its first edit
   * @param options.home of a user who has more than one project
   * @param options.limits of Ratchet
   */
  static async open(agent, manner, { bins, hold = false, home, limits = {} }) {
    const bench = new Bench()
    bench.agent = agent
    bench.manner = manner
    bench.stub = await ModelStub.start(MARKS)
    bench.home = home ?? path.join(bench.root, 'home')
    bench.settings = path.join(bench.root, 'settings') // each project has its own model
    for (const dir of [bench.home, bench.settings]) mkdirSync(dir, { recursive: true })
    // Keeps talking, so a time limit between two pieces of an answer does not help.
    const held = () => (hold && !bench.holds && (bench.holds = true) ? { slowS: 3_600 } : undefined)
    for (const [mark, script] of Object.entries(
      modelOf(manner, { readsFirst: agent === 'claude', held }),
    ))
      bench.stub.script(mark, script)
    bench.agentEnv = {
      ...setUp(agent, bench.settings, bench.stub.url),
      CODEX_HOME: path.join(bench.settings, '.codex'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }
    bench.env = { ...plainEnv(bins), HOME: bench.home }
    makeProject(bench, limits)
    return bench
  }

  /** Calls of the model, without side calls: those for titles have no tools, one of codex says what it is. */
  calls() {
    return this.stub.seen.filter(
      ({ mark, asked }) =>
        mark !== undefined &&
        asked.tools.length > 0 &&
        !SIDE_CALL.test(asked.turns.findLast(({ from }) => from === 'user').text),
    )
  }

  /**
   * Input tokens of these calls, estimated from characters. What an earlier call began with in the
   * same way is cached by providers.
   */
  input() {
    const total = { all: 0, cached: 0 }
    const earlier = []
    for (const { pieces } of this.calls()) {
      const same = Math.max(0, ...earlier.map((other) => sameAtStart(pieces, other)))
      total.all += chars(pieces)
      total.cached += chars(pieces.slice(0, same))
      earlier.push(pieces)
    }
    return {
      all: Math.round(total.all / CHARS_PER_TOKEN),
      cached: Math.round(total.cached / CHARS_PER_TOKEN),
    }
  }

  /** Answers that ended a turn. */
  answers() {
    return this.calls().filter(({ step }) => step !== undefined && 'say' in step)
  }

  /** Calls of so many turns, the first ones. */
  callsOf(turns) {
    return this.calls().indexOf(this.answers()[turns - 1]) + 1
  }

  /** Waits until the model hangs in a call and the agent has written down everything before it. */
  async held() {
    await until(
      () => this.calls().some(({ step }) => step !== undefined && 'slowS' in step),
      'the model to hold its answer',
    )
    const { asked, mark } = this.calls().at(-1)
    const results = asked.turns.filter(({ from }) => from === 'tool').length
    await until(
      () =>
        Math.max(
          0,
          ...this.sessions(mark).map(
            (text) => text.match(SESSIONS[this.agent].result)?.length ?? 0,
          ),
        ) >= results,
      'the session to be on the disk',
    )
  }

  /** The files of the agent's sessions in this project whose prompts have this mark. */
  sessions(mark) {
    const dir = path.join(
      this.agent === 'codex' ? this.settings : this.home,
      SESSIONS[this.agent].dir,
    )
    const files = existsSync(dir)
      ? readdirSync(dir, { recursive: true, withFileTypes: true }).filter(
          (file) => file.isFile() && file.name.endsWith('.jsonl'),
        )
      : []
    return files
      .map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'))
      .filter(
        (text) =>
          text.includes(this.root) &&
          [mark, `role\\":\\"${mark}`].some((words) => text.includes(words)),
      )
  }

  /** Starts a program in the project, in a process group of its own. */
  start(command, args, env) {
    const child = spawn(command, args, {
      cwd: this.project,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text
      })
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal, ...said }))
    })
    return { pid: child.pid, ended, said }
  }

  /** The same for an agent or a loop, with all that `kill` needs to find it. */
  startAgent([command, ...args]) {
    return this.start(command, args, { ...this.agentEnv, [MARKER]: this.run })
  }

  /** `kill -9` for all processes started here, `except` one. */
  kill(except) {
    for (const { pid } of findMarked(MARKER, this.run)) {
      if (pid !== except) signal(pid, 'SIGKILL')
    }
  }

  /** How many of the original tests pass on this code; tests that a model has changed do not count. */
  passing(ref) {
    const dir = path.join(this.root, 'judged')
    rmSync(dir, { recursive: true, force: true })
    cpSync(PROJECT, dir, { recursive: true })
    for (const file of ['amount.js', 'money.js', 'receipt.js']) {
      const text =
        ref === undefined
          ? readFileSync(path.join(this.project, 'src', file))
          : git(this.project, 'show', `${ref}:src/${file}`)
      writeFileSync(path.join(dir, 'src', file), text)
    }
    return passed(testsOf(dir))
  }

  /** How many tests of the project, as they stand there now, pass, and how many are left out. */
  own() {
    const out = testsOf(this.project)
    return { passed: passed(out), skipped: Number(/^# skipped (\d+)/m.exec(out)[1]) }
  }

  /** Changes in the user's own tree, except the settings of Ratchet. */
  changed() {
    return git(this.project, 'status', '--porcelain')
      .split('\n')
      .map((line) => line.slice(3))
      .filter((name) => name !== '')
  }

  async close() {
    await endMarked(MARKER, this.run, { graceMs: 0 })
    await this.stub.close()
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Waits for a state. */
export async function until(is, what, patienceMs = PATIENCE_MS) {
  const deadline = Date.now() + patienceMs
  while (!(await is())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await delay(50)
  }
}

export function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Excludes the keys and settings of the person who runs the comparison. */
function plainEnv(bins) {
  const kept = Object.fromEntries(
    ['TEMPORAL_CLI_PATH', 'XDG_CACHE_HOME', 'LANG', 'TMPDIR'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )
  return {
    ...kept,
    RATCHET_TRUST: '1',
    PATH: [...bins, process.env.PATH].join(path.delimiter),
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
}

function makeProject({ project, agent, agentEnv }, limits) {
  cpSync(PROJECT, project, { recursive: true })
  writeFileSync(path.join(project, '.gitignore'), 'ratchet.config.json\n')
  git(project, 'init', '--quiet')
  git(project, 'add', '--all')
  git(
    project,
    '-c',
    'user.name=Till',
    '-c',
    'user.email=till@localhost',
    'commit',
    '--quiet',
    '--message',
    'Till',
  )
  writeFileSync(
    path.join(project, 'ratchet.config.json'),
    JSON.stringify({ agents: { [agent]: { env: agentEnv } }, roles: { default: agent }, limits }),
  )
}

function chars(pieces) {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

function sameAtStart(pieces, other) {
  const differs = pieces.findIndex((piece, n) => piece !== other[n])
  return differs === -1 ? pieces.length : differs
}

function testsOf(dir) {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env
  try {
    return execFileSync(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: dir,
      env,
      encoding: 'utf8',
      timeout: TESTS_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    if (error.status !== 1) throw error // 1: some fail
    return error.stdout
  }
}

function passed(out) {
  return Number(/^# pass (\d+)/m.exec(out)[1])
}

function git(cwd, ...args) {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  })
}
