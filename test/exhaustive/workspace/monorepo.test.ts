// A workspace that npm has installed.
import { execFileSync } from 'node:child_process'
import { test } from 'vitest'
import { expectOwnPackages, type Manager } from '../../support/repositories/package-workspaces.js'

const managers: Manager[] = [
  {
    why: 'npm',
    files: { 'package.json': '{ "name": "root", "workspaces": ["packages/*"] }\n' },
    installed: 'node_modules/@acme/api',
    install: (root) =>
      void execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline'], {
        cwd: root,
        stdio: 'pipe',
      }),
  },
]

test.each(managers)(
  'workspaces of $why resolve inside the workspace; the user’s packages stay as they are',
  expectOwnPackages,
)
