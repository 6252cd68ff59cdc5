// Makes the pictures of docs/web-ui.md: real runs of the scripted agent, on a server of their own, as the
// Temporal Web UI shows them.
//
//   npm run build && node scripts/screenshots/web-ui.mjs
//
// Needs chromium on the PATH. Writes docs/images/web-ui-*.png; everything else goes with its temporary home.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import which from 'which'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const images = path.join(repository, 'docs/images')
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-web-ui-')))
const WAIT_MS = 300_000
const env = {
  ...process.env,
  RATCHET_TRUST: '1',
  HOME: path.join(root, 'home'),
  XDG_STATE_HOME: path.join(root, 'state'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  // Uses the compiled server, and the pytest of the user.
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  PYTHONUSERBASE: process.env.PYTHONUSERBASE ?? path.join(os.homedir(), '.local'),
}

const FIX_ADD = { patch: { path: 'calc.py', find: 'a - b', replace: 'a + b' } }
const ANALYSIS = {
  root_causes: ['add subtracts'],
  fix_strategy: {
    approach: 'use the operator that the name says',
    modification_points: ['calc.py:add:1-2'],
    expected_outcome: 'the tests pass',
  },
  confidence_score: 0.9,
  affected_tests: ['tests/test_calc.py'],
}
const TASKS = [
  { id: 'T1', description: 'add adds', priority: 'high', files: ['calc.py'] },
  { id: 'T2', description: 'mul multiplies', priority: 'medium', files: ['calc.py'] },
]
const result = (action, json) => ({
  result: {
    block: 'WORKER_RESULT',
    fields: {
      action,
      status: 'success',
      summary: 'two tasks: add and mul use the wrong operators',
      files_changed: [],
      next_suggestion: 'develop',
    },
    ...(json === undefined ? {} : { json }),
  },
})

const PLAYS = {
  shop: [
    {
      when: { role: 'cli-planning-agent' },
      do: [
        {
          say: `## Root Cause Analysis\n\nadd subtracts.\n\n\`\`\`json\n${JSON.stringify(ANALYSIS)}\n\`\`\`\n`,
        },
      ],
    },
    { when: { role: 'test-fix-agent', iteration: 1 }, do: [FIX_ADD] },
    {
      when: { role: 'test-fix-agent' },
      do: [{ say: 'I look at mul.' }, { wait: { 'until-file': path.join(root, 'never') } }],
    },
  ],
  search: [{ when: { role: 'loop-init' }, do: [result('init', { tasks: TASKS })] }],
}

/** Tests that wait, so that a picture can be taken. */
const SLOW = {
  'tests/test_orders.py': [
    'import os',
    'import time',
    '',
    'import pytest',
    '',
    '',
    '@pytest.mark.parametrize("order", range(247))',
    'def test_order(order):',
    `    while order == 83 and not os.path.exists(${JSON.stringify(path.join(root, 'never'))}):`,
    '        time.sleep(0.1)',
    '    assert order not in (12, 40)',
    '',
  ].join('\n'),
}

mkdirSync(env.HOME)
mkdirSync(images, { recursive: true })
const browser = await chromium.launch({
  executablePath: which.sync('chromium'),
  args: ['--no-sandbox'],
})
try {
  await takeAll()
} finally {
  await browser.close()
  ratchet(root, 'dev', '--stop', '--force')
  rmSync(root, { recursive: true, force: true })
}

async function takeAll() {
  const [shop, search, orders] = [
    makeProject('shop'),
    makeProject('search'),
    makeProject('orders', SLOW),
  ]
  const fix = JSON.parse(ratchet(shop, 'fix', '--detach', '--json'))
  const loop = JSON.parse(
    ratchet(search, 'loop', 'Make the calculator right', '--detach', '--json'),
  )
  const tests = JSON.parse(ratchet(orders, 'fix', '--detach', '--json'))
  await until(search, loop.id, (run) => run.waitingFor.startsWith('person'))
  await until(shop, fix.id, (run) => run.iteration === 1 && run.phase === 'fix')

  const page = await browser.newPage({ viewport: { width: 1280, height: 790 } })
  page.setDefaultTimeout(WAIT_MS)
  const list = fix.uiUrl.replace(/\/[^/]+$/, '')
  const take = async (name, ready, clip) => {
    await ready.filter({ visible: true }).first().waitFor()
    // The temporary home says nothing to a reader.
    for (const frame of page.frames()) await frame.evaluate(readableHome, root)
    await page.screenshot({
      path: path.join(images, `web-ui-${name}.png`),
      animations: 'disabled',
      ...(clip === undefined ? {} : { clip }),
    })
    console.log(`docs/images/web-ui-${name}.png`)
  }
  const tab = async (url, name) => {
    await page.goto(url)
    await page
      .getByRole('tab', { name })
      .or(page.getByRole('link', { name }))
      .filter({ visible: true })
      .first()
      .click()
  }

  await page.goto(
    `${list}?query=${encodeURIComponent('RatchetNeedsHuman = true AND ExecutionStatus = "Running"')}`,
  )
  await take('list', page.getByText(loop.id))
  await tab(loop.uiUrl, 'User Metadata')
  await take(
    'question',
    page.locator('iframe').last().contentFrame().getByText('"choice":"exit"'),
    { x: 64, y: 270, width: 1216, height: 520 },
  )
  await page.getByRole('button', { name: 'More Actions' }).filter({ visible: true }).click()
  await page.getByRole('menuitem', { name: 'Send an Update' }).filter({ visible: true }).click()
  const form = page.locator('dialog, [role=dialog]').filter({ visible: true })
  await form.getByTestId('update-select-button').click()
  await form
    .getByRole('option')
    .filter({ has: page.getByText('answer', { exact: true }) })
    .click()
  await form.locator('[data-language=json]').click()
  await page.keyboard.insertText('{"questionId":"menu-1","choice":"develop"}')
  await form.locator('[data-language=json]').blur()
  await take('answer', form.getByRole('button', { name: 'Submit' }))
  await tab(fix.uiUrl, 'Pending Activities')
  await take('pending', page.getByText('Heartbeat Details'))
  await tab(tests.uiUrl, 'Pending Activities')
  const heading = page.getByText('Heartbeat Details').filter({ visible: true })
  await page.getByText('pytest: 83 of 247, 2 failed').waitFor()
  const { y: top } = await heading.boundingBox()
  await take('tests', heading, { x: 64, y: top - 60, width: 1216, height: 350 })
  await page.goto(loop.uiUrl)
  await page.getByText('init iteration 1').filter({ visible: true }).first().waitFor()
  const { y } = await page.getByRole('heading', { name: 'Event History' }).boundingBox()
  await take('history', page.getByText('init iteration 1'), {
    x: 64,
    y: y - 12,
    width: 1216,
    height: Math.min(420, 790 - y),
  })

  await page.goto(`${list}/start-workflow?taskQueue=ratchet&workflowType=devLoop`)
  await page.getByRole('button', { name: 'Random UUID' }).click()
  // It has filled in the input of the last loop.
  await page.locator('[data-language=json]').first().getByText('"task"').waitFor()
  await page.locator('[data-language=json]').first().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(
    JSON.stringify({ project: '/home/me/shop', task: 'Speed up the search' }),
  )
  await page.locator('[data-language=json]').first().blur()
  await page.setViewportSize({ width: 1280, height: 950 })
  await take('start', page.getByText('Task Queue is Active'), {
    x: 64,
    y: 110,
    width: 940,
    height: 790,
  })
}

/** Runs in the page. */
function readableHome(home) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replaceAll(home, '/home/me')
}

function makeProject(name, tests) {
  const project = path.join(root, name)
  const files = {
    'calc.py': 'def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a + b\n',
    'conftest.py': '',
    ...(tests ?? {
      'tests/test_calc.py':
        'from calc import add, mul\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
    }),
    'ratchet.config.json': JSON.stringify({ roles: { default: 'playbook' } }),
    'ratchet.playbook.yaml': JSON.stringify({ steps: PLAYS[name] ?? [] }),
  }
  mkdirSync(path.join(project, 'tests'), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text)
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [
      '-c',
      'user.name=Demo',
      '-c',
      'user.email=demo@localhost',
      'commit',
      '--quiet',
      '--message',
      'Calculator',
    ],
  ])
    run('git', args, project)
  return project
}

/** Standard output; what goes wrong ends the script. */
function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

function ratchet(cwd, ...args) {
  return run(process.execPath, [path.join(repository, 'dist/cli/main.js'), ...args], cwd)
}

async function until(cwd, id, is) {
  for (const end = Date.now() + WAIT_MS; ; await delay(500)) {
    const {
      runs: [seen],
    } = JSON.parse(ratchet(cwd, 'status', id, '--json'))
    if (is(seen)) return
    if (Date.now() > end)
      throw new Error(`${id} is still ${seen.phase}, waits for ${seen.waitingFor}`)
  }
}
