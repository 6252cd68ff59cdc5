// Makes docs/images/report.png: the report of the demo project, fixed by its scripted agent.
//
// Needs a build, a Chromium on PATH, and npm for the demo's vitest.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import which from 'which'

const repo = fileURLToPath(new URL('../..', import.meta.url))
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-shots-')))
const project = path.join(root, 'invoices')
const env = {
  ...process.env,
  RATCHET_TRUST: '1',
  XDG_STATE_HOME: path.join(root, 'state'),
  GIT_CONFIG_GLOBAL: '/dev/null',
}
const run = (command, ...args) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}
const ratchet = (...args) => run(process.execPath, path.join(repo, 'dist/cli/main.js'), ...args)

try {
  cpSync(path.join(repo, 'examples/demo/project'), project, { recursive: true })
  renameSync(path.join(project, 'gitignore'), path.join(project, '.gitignore'))
  writeFileSync(path.join(root, 'go-on'), '')
  const playbook = readFileSync(path.join(repo, 'examples/demo/ratchet.playbook.yaml'), 'utf8')
  writeFileSync(
    path.join(project, 'ratchet.playbook.yaml'),
    playbook
      .replace('MARKERS', path.join(root, 'turns.ndjson'))
      .replace('GO', path.join(root, 'go-on')),
  )
  run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error')
  run('git', 'init', '--quiet')
  run('git', 'add', '--all')
  run(
    'git',
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@localhost',
    'commit',
    '--quiet',
    '--message',
    'Invoices',
  )
  const { id } = JSON.parse(ratchet('fix', '--json'))
  const { file } = JSON.parse(ratchet('report', id, '--json'))
  await shoot(file, path.join(repo, 'docs/images/report.png'))
  ratchet('dev', '--stop', '--force')
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
}

async function shoot(file, image) {
  const executablePath = which.sync('chromium', { nothrow: true }) ?? which.sync('google-chrome')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1040, height: 1440 } })
  await page.goto(pathToFileURL(file).href)
  await page.screenshot({ path: image })
  await browser.close()
}
