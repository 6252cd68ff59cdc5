// Workspaces of package managers, as prepared files. Installed by npm: test/exhaustive.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { expectOwnPackages, type Manager } from '../../support/repositories/package-workspaces.js'
import { writeFiles } from '../../support/repositories/repos.js'

const managers: Manager[] = [
  // As pnpm lays it out: links between packages, and a store of links that every package may look
  // into.
  {
    why: 'pnpm',
    files: {
      'package.json': '{ "name": "root" }\n',
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    },
    installed: 'packages/web/node_modules/@acme/api',
    install: (root) =>
      writeFiles(root, {
        'packages/web/node_modules/@acme/api': { link: '../../../api' },
        'node_modules/.pnpm/node_modules/@acme/api': { link: '../../../../packages/api' },
        'node_modules/.modules.yaml': '{}\n',
      }),
  },
  {
    why: 'a tool that links by absolute path',
    files: { 'package.json': '{ "name": "root", "workspaces": { "packages": ["packages/*"] } }\n' },
    installed: 'node_modules/@acme/api',
    install: (root) => {
      mkdirSync(path.join(root, 'node_modules/@acme'), { recursive: true })
      writeFiles(root, { 'node_modules/@acme/api': { link: path.join(root, 'packages/api') } })
    },
  },
]

test.each(managers)(
  'workspaces of $why resolve inside the workspace; packages of the user are unchanged',
  expectOwnPackages,
)
