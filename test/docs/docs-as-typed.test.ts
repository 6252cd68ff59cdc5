// Types the commands of README and docs verbatim as a new user: with an empty home, a small
// repository with failing tests, and the command installed as README says. Each page has one
// project; all share the server that the first starts.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { playbookProgram } from '../../src/adapters/agents/agent-command.js'
import { registerProject } from '../../src/adapters/config/registry.js'
import { userDirs } from '../../src/adapters/state-dir.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { cd, everybody, step } from '../support/cycle/cycle-play.js'
import { DRAFT, drafts, QUESTION, TASK } from '../support/prep/prep-play.js'
import { PAGES, ROOT, blocksOf, commandsOf, isShell } from '../support/docs.js'
import { step as action, develop, workers } from '../support/loop/loop-play.js'
import { KEYS } from '../support/pty.js'
import { analysis, type Step } from '../support/runs/real-run.js'
import { temporalPath } from '../support/servers/temporal.js'
import { openShell, personEnv, type Typed } from '../support/typed.js'

/** Commands that cannot be typed here, by page and beginning, with the reason. */
// prettier-ignore
const NOT_TYPED: { page: string; command: string; why: string }[] = [
  { page: 'README.md', command: 'npm ci && npm run demo', why: 'a step of .ci/run, on a clean clone' },
  { page: 'README.md', command: 'npm ci && npm test', why: 'this very run' },
  { page: 'docs/agents.md', command: 'ratchet agents try claude', why: 'a real login; test/e2e/agents-cli.test.ts tries stand-ins, npm run agents the real one on a model stub' },
  { page: 'docs/approvals.md', command: 'ratchet answer WFS-test-prices stop', why: 'another answer to a question that has one; test/e2e/approvals.test.ts gives it' },
  { page: 'docs/comparison.md', command: 'npm ci', why: 'a step of .ci/run, on a clean clone' },
  { page: 'docs/comparison.md', command: 'npm run comparison', why: 'a step of npm run agents: test/agents/comparison.test.ts' },
  { page: 'docs/fix.md', command: 'ratchet fix --generate-tests --from', why: 'needs a cycle of this project; test/runs/generate-tests.test.ts starts from one' },
  { page: 'docs/hooks.md', command: '#!/bin/sh', why: 'a script, run by test/adapters/hooks/recipes.test.ts' },
  { page: 'docs/scripts.md', command: 'npm install ratchet-cycles', why: 'no registry has the package yet; test/processes/package.test.ts installs the packed one' },
  { page: 'docs/verdicts.md', command: 'npm run verdicts', why: 'a step of .ci/run' },
  { page: 'examples/scripts/README.md', command: 'npm install ratchet-cycles', why: 'no registry has the package yet; test/processes/package.test.ts installs the packed one' },
  { page: 'examples/scripts/README.md', command: 'node fix.ts', why: 'needs a later Node than the oldest that is tested; test/processes/example-scripts.test.ts runs it' },
]

type Page = {
  page: string
  /** Creates the project that the page's examples use. */
  project: () => string
  /** Working directory of the shell; the default is the project. */
  from?: string
  /** Typed before the page's own commands, as its prerequisites. */
  first?: string[]
  typed?: Typed[]
}

const FILES = {
  'docs/parser.md': 'Test what calc.js does with zero.\n',
  'package.json': JSON.stringify({
    name: 'shop',
    private: true,
    type: 'module',
    scripts: { test: 'node --test' },
  }),
  'calc.js': 'export const add = (a, b) => a - b\nexport const mul = (a, b) => a + b\n',
  'test/calc.test.js':
    "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add, mul } from '../calc.js'\n\ntest('add', () => assert.equal(add(1, 2), 3))\ntest('mul', () => assert.equal(mul(2, 3), 6))\ntest('zero', () => assert.equal(add(0, 0), 0))\n",
  'notes.txt': 'committed\n',
  'task.md': 'add discounts in percent\n',
}
const RIGHT = {
  write: {
    path: 'calc.js',
    text: 'export const add = (a, b) => a + b\nexport const mul = (a, b) => a * b\n',
  },
}
const MORE = { append: { path: 'CHANGES.txt', text: 'more\n' } }
const LEAVE = KEYS.ctrlC

let user: CliProcessUser
let env: NodeJS.ProcessEnv
let gate: string
/** Makes agents wait in the middle of their work from now on. */
const hold = (): void => rmSync(gate, { force: true })
const go = (): void => writeFileSync(gate, '')
const waits = (): Step['do'] => [{ wait: { 'until-file': gate } }]

const fixes = (before: Step['do'] = []): Step[] =>
  // prettier-ignore
  [
  { when: { role: 'cli-planning-agent' }, do: [{ say: analysis(['calc.js:add:1-1', 'calc.js:mul:2-2'], ['test/calc.test.js']) }] },
  { when: { role: 'test-fix-agent' }, do: [...before, ...waits(), RIGHT] },
]
const cycles = (): Step[] => [
  step('code-developer', {}, cd([...waits(), RIGHT, MORE])),
  ...everybody([]),
]
const loops = (): Step[] => [
  action('develop', {}, develop([...waits(), RIGHT, MORE])),
  ...workers([]),
]

/** For `ratchet prep`: it asks, and its second draft has the answer. */
const prepares = (): Step[] => [
  drafts({ ...DRAFT, tasks: [TASK], questions: [QUESTION] }, { turn: 'work' }),
  drafts({ ...DRAFT, tasks: [TASK] }),
]

/** A project whose agents follow these steps. */
function shop(
  name: string,
  {
    configured = true,
    before = [],
    config = {},
  }: { configured?: boolean; before?: Step['do']; config?: Record<string, unknown> } = {},
): string {
  const steps = JSON.parse(
    JSON.stringify([...prepares(), ...fixes(before), ...cycles(), ...loops()]).replaceAll(
      'calc.py',
      'calc.js',
    ),
  ) as Step[]
  const project = user.project(name, steps, config, FILES)
  if (!configured) rmSync(path.join(project, 'ratchet.config.json'))
  return project
}
/** Registered on its host, as by an earlier run or `ratchet dev`. */
async function known(project: string): Promise<string> {
  await registerProject(userDirs(env), project)
  return project
}

beforeAll(() => {
  user = cliProcessUser()
  const [home, bin, npm] = [
    path.join(user.root, 'home'),
    path.join(user.root, 'bin'),
    path.join(user.root, 'npm'),
  ]
  gate = path.join(user.root, 'go')
  mkdirSync(bin)
  // A git user has a configured name and an installed agent: here an ACP program with the name of a
  // known agent.
  writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.com\n')
  writeFileSync(
    path.join(bin, 'opencode'),
    `#!/bin/sh\n[ "$1" = --version ] && echo 1.18.33 && exit\nexec "${process.execPath}" "${playbookProgram()}" ratchet.playbook.yaml\n`,
    { mode: 0o755 },
  )
  writeFileSync(path.join(bin, 'browser'), '#!/bin/sh\nprintf \'%s\\n\' "$@" >> "$HOME/opened"\n', {
    mode: 0o755,
  })
  env = personEnv(
    {
      ...user.env,
      OPENROUTER_API_KEY: 'sk-not-a-real-key',
      BROWSER: path.join(bin, 'browser'),
      npm_config_prefix: npm,
      npm_config_update_notifier: 'false',
    },
    path.join(npm, 'bin'),
    bin,
    path.dirname(temporalPath()),
  )
})
beforeEach(go)
afterAll(() => user.remove())

const TRUST: [RegExp, string] = [/❯ leave/, KEYS.up + KEYS.enter]
const WRITE: [RegExp, string] = [/❯ write/, KEYS.enter]
const SUCCESS = /success after \d+ iterations?, pass rate 100\.0 %/
const isPrepared =
  (id: string) =>
  async ({ project }: { project: string }): Promise<void> =>
    user.until(project, id, /^(agent|person)/)
const atMenu =
  (id: string) =>
  async ({ project }: { project: string }): Promise<void> =>
    user.until(project, id, /^person/)
const took = (next: string): [RegExp, string] => [
  new RegExp(`❯ ${next} .*\\(recommended\\)`),
  KEYS.enter,
]

// README first: it installs the command. Then files.md, which stops the server and needs all runs
// closed.
const TYPED: Page[] = [
  {
    page: 'README.md',
    from: ROOT,
    project: () => shop('shop', { configured: false }),
    typed:
      // prettier-ignore
      [
    { command: 'ratchet fix', before: ({ shell, project }) => shell.type(`cd ${project}`), shows: ['agents found here: opencode', SUCCESS] },
    { command: 'ratchet agents', shows: [/opencode +1\.18\.33 +yes/] },
    { command: 'ratchet init', keys: [WRITE], shows: ['wrote '] },
    { command: 'ratchet fix', before: hold, keys: [[/test-fix-agent/, LEAVE]], exit: 130 },
    { command: 'ratchet status', shows: ['WFS-test-shop'] },
    { command: 'ratchet pause <id>', shows: ['the run pauses when the running step ends'] },
    { command: 'ratchet resume <id>', keys: [[/test-fix-agent/, LEAVE]], exit: 130 },
    { command: 'ratchet extend <id> 3', before: go, shows: [SUCCESS] },
    { command: 'ratchet cycle', shows: ['completed'] },
    { command: 'ratchet loop', shows: ['completed'] },
  ],
  },
  {
    page: 'docs/files.md',
    project: () => shop('kept'),
    first: ['ratchet fix', 'ratchet apply <id>'],
    typed: [
      { command: 'ratchet logs <id>', shows: ['test-fix-agent'] },
      { command: 'ratchet clean <id>', shows: ['ratchet/WFS-test-kept'] },
    ],
  },
  {
    page: 'docs/agents.md',
    project: () => shop('agents', { configured: false }),
    typed: [
      { command: 'ratchet agents', shows: [/opencode +1\.18\.33 +yes/] },
      { command: 'ratchet init', keys: [WRITE], shows: ['wrote '] },
    ],
  },
  {
    page: 'docs/fix.md',
    project: () => shop('till'),
    typed:
      // prettier-ignore
      [
    { command: 'ratchet fix', shows: [SUCCESS, 'ratchet/WFS-test-till'] },
    { command: 'ratchet fix --session', before: hold, keys: [[/test-fix-agent/, LEAVE]], exit: 130 },
    { command: 'ratchet fix --resume-session', before: go, shows: [SUCCESS] },
    { command: 'ratchet fix --ci', shows: [SUCCESS] },
  ],
  },
  {
    page: 'docs/dev-cycle.md',
    project: () => shop('cart'),
    typed:
      // prettier-ignore
      [
    { command: 'ratchet cycle "add password reset', shows: ['completed'] },
    { command: 'ratchet cycle "add a cart" --sched', shows: ['completed'] },
    { command: 'ratchet cycle -', shows: ['completed'] },
    { command: 'ratchet cycle "add a cart" --detach', before: hold },
    { command: 'ratchet watch', keys: [[/code-developer/, LEAVE]], exit: 130 },
    { command: 'ratchet status <id>', shows: ['code-developer'] },
    { command: 'ratchet resume <id>', keys: [[/code-developer/, LEAVE]], exit: 130 },
    { command: 'ratchet extend <id>', before: go, shows: ['completed'] },
    { command: 'ratchet extend <id>', before: hold, keys: [[/code-developer/, LEAVE]], exit: 130 },
    { command: 'ratchet resume <id>', before: go, shows: ['completed'] },
    { command: 'temporal workflow update execute', before: isPrepared('cart-1'), shows: ['maxIterations'] },
  ],
  },
  {
    page: 'docs/dev-loop.md',
    project: () => shop('discounts'),
    typed:
      // prettier-ignore
      [
    { command: 'ratchet loop', keys: [took('develop'), took('develop'), took('validate'), took('complete')], shows: ['completed'] },
    { command: 'ratchet loop', keys: [[/❯ develop/, LEAVE]], exit: 130 },
    { command: 'ratchet loop "add discounts in percent" --mode auto', shows: ['completed'] },
    { command: 'ratchet loop "add discounts in percent" --mode parallel' },
    { command: 'ratchet answer <id>', ago: 2 },
    { command: 'ratchet resume <id>', ago: 2, shows: ['completed'] },
    { command: 'ratchet watch', keys: [[/❯ develop/, LEAVE]], exit: 130 },
    { command: 'ratchet status <id>', shows: ['Select next action'] },
    { command: 'ratchet resume <id>', keys: [[/❯ develop/, LEAVE]], exit: 130 },
    { command: 'ratchet loop --loop-id', keys: [[/❯ develop/, LEAVE]], exit: 130 },
    { command: 'ratchet resume <id> --mode auto --max-iterations', shows: ['completed'] },
    { command: 'ratchet extend <id>', shows: ['completed'] },
    { command: 'temporal workflow query', before: atMenu('discounts-1'), shows: ['Select next action'] },
  ],
  },
  {
    page: 'docs/approvals.md',
    project: () => shop('prices'),
    typed:
      // prettier-ignore
      [
    { command: 'ratchet fix --interactive', keys: [[/Approve the plan of IMPL-fix-1/, LEAVE]], exit: 130 },
    { command: 'ratchet answer WFS-test-prices "round' },
    { command: 'ratchet answer WFS-test-prices approve', before: atMenu('WFS-test-prices') },
  ],
  },
  {
    page: 'docs/archive.md',
    project: () => shop('money'),
    first: ['ratchet fix'],
    typed: [{ command: 'ratchet archive WFS-test-money', shows: ['archived'] }],
  },
  {
    page: 'docs/prep.md',
    project: () => shop('prepared'),
    typed: [
      { command: 'ratchet prep cycle', keys: [took('no')], shows: ['ready, quality 9 of 10'] },
      { command: 'ratchet prep loop', shows: ['ready, quality 8 of 10'] },
    ],
  },
  {
    page: 'docs/report.md',
    project: () => shop('invoices'),
    first: ['ratchet fix'],
    typed: [{ command: 'ratchet report WFS-test-invoices --format json', shows: ['{'] }],
  },
  {
    page: 'docs/scripts.md',
    project: () =>
      shop('nightly', {
        before: [{ ask: 'to install a package' }],
        config: { permissions: 'ask' },
      }),
    typed:
      // prettier-ignore
      [
    { command: 'export', before: ({ project }) => known(project) },
    { command: 'temporal workflow query', shows: ['waitingFor'] },
    { command: 'temporal workflow update execute --workflow-id fix-1 --name extend', before: isPrepared('fix-1'), shows: ['maxIterations'] },
    { command: 'temporal workflow update execute --workflow-id fix-1 --name answer', before: atMenu('fix-1') },
    { command: 'temporal workflow result', shows: ['success'] },
  ],
  },
  { page: 'docs/terminal.md', project: () => shop('completed') },
  {
    page: 'docs/web-ui.md',
    project: () => shop('pages'),
    typed: [
      {
        command: 'ratchet dev',
        keys: [
          [/web ui +http:\/\/127\.0\.0\.1:\d+/, ''],
          [/Ctrl-C ends this/, LEAVE],
        ],
        exit: 130,
      },
    ],
  },
  {
    page: 'examples/cycle/README.md',
    from: ROOT,
    project: () => user.root,
    typed: [
      { command: 'ratchet cycle', keys: [TRUST], shows: ['completed'] },
      { command: 'ratchet extend', shows: ['completed'] },
    ],
  },
  {
    page: 'examples/loop/README.md',
    from: ROOT,
    project: () => user.root,
    typed:
      // prettier-ignore
      [
    { command: 'ratchet loop', keys: [TRUST, ...['develop', 'up', 'develop', 'validate', 'debug', 'develop', 'validate', 'complete'].map(took)], shows: ['completed'] },
    { command: 'ratchet loop "add discounts in percent" --mode auto', shows: ['completed'] },
    { command: 'ratchet loop "add discounts in percent" --mode parallel', keys: [[/❯ develop/, KEYS.enter]], shows: ['completed'] },
  ],
  },
]

/** What a page leaves open: its started run, and the project that its examples name. */
const filled = (command: string, id: string, project: string): string =>
  command.replaceAll('<id>', id).replaceAll('/home/me/shop', project)
const ID = /\b(WFS-test-[\w-]+\.[0-9a-f]{6}|(?:cycle-v1|loop-b)-\d{8}T\d{6}-[0-9a-z]{8})\b/
const isListed = (page: string, command: string): boolean =>
  NOT_TYPED.some((one) => one.page === page && command.startsWith(one.command))
const commandsIn = (page: string): string[] =>
  blocksOf(page)
    .filter(isShell)
    .flatMap((block) => commandsOf(block))
    .filter((command) => !isListed(page, command))

test.each(TYPED)(
  '$page, typed verbatim',
  async ({ page, project, from, first = [], typed = [] }) => {
    const at = project()
    const left = [...typed]
    const ids: string[] = []
    const wrong: unknown[] = []
    const shell = await openShell(from ?? at, env)
    try {
      for (const [n, command] of [...first, ...commandsIn(page)].entries()) {
        const known =
          n >= first.length && left[0] !== undefined && command.startsWith(left[0].command)
            ? left.shift()
            : undefined
        await known?.before?.({ shell, project: at })
        // `ratchet status` names an address that is not the default; a second server on this
        // machine has another.
        if (command.startsWith('temporal '))
          await shell.type(
            `export TEMPORAL_ADDRESS=${recordedServer(userDirs(env))?.address ?? ''}`,
          )
        const { exit, shown } = await shell.type(
          filled(command, ids.at(-1 - (known?.ago ?? 0)) ?? '', at),
          known,
        )
        if (process.env['TYPED_LOG'] !== undefined)
          appendFileSync(
            process.env['TYPED_LOG'],
            `\n${page} $ ${command} -> ${exit} at ${new Date().toISOString()}\n${shown.slice(-3000)}\n`,
          )
        const missing = (known?.shows ?? []).filter((text) =>
          typeof text === 'string' ? !shown.includes(text) : !text.test(shown),
        )
        if (exit !== (known?.exit ?? 0) || missing.length > 0)
          wrong.push({ command, exit, missing, shown })
        if (/^ratchet (fix|cycle|loop) /.test(`${command} `)) ids.push(ID.exec(shown)?.[1] ?? '')
      }
    } finally {
      shell.close()
    }
    expect(wrong).toEqual([])
    expect(left.map(({ command }) => command)).toEqual([])
  },
)

test('every command is typed or listed with a reason, and the list has no stale entries', () => {
  const tested = new Set(TYPED.map(({ page }) => page))
  expect(
    PAGES.filter((page) => !tested.has(page)).flatMap((page) =>
      commandsIn(page).map((command) => `${page}: ${command}`),
    ),
  ).toEqual([])
  expect(TYPED.filter(({ page }) => commandsIn(page).length === 0)).toEqual([])
  const all = (page: string): string[] => blocksOf(page).filter(isShell).flatMap(commandsOf)
  expect(
    NOT_TYPED.filter(
      ({ page, command }) =>
        !PAGES.includes(page) || !all(page).some((one) => one.startsWith(command)),
    ),
  ).toEqual([])
})
