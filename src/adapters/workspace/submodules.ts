// Submodules of a workspace: their files as they lie in the user's tree, uncommitted work included.
//
// They are like installed packages: there for the tests, never part of a commit, restored where an
// agent changes them. Without their .git, so that git takes them for what the base names and no
// command of an agent's reaches the submodule's own repository.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { removeTree } from '../git/user-repository/clean.js'
import { findRepo, resolve } from '../git/repo.js'
import type { CommandContext } from './workspace-command.js'
import { copyTree, isDirectory, type Places } from './dependencies.js'

/**
 * Copies every submodule that is checked out in the user's tree, those inside of it too. Returns
 * warnings.
 */
export async function copySubmodules(
  { from, to, submodules }: Places,
  context: CommandContext,
): Promise<string[]> {
  const warnings: string[] = []
  for (const [submodule, commit] of submodules) {
    const [source, target] = [path.join(from, submodule), path.join(to, submodule)]
    if (!(await isDirectory(source))) continue
    await removeTree(target) // git makes an empty folder
    await mkdir(path.dirname(target), { recursive: true })
    await copyTree(source, target, context)
    await removeGit(target)
    const there = existsSync(path.join(source, '.git'))
      ? await resolve(await findRepo(source), 'HEAD')
      : commit
    if (there !== commit)
      warnings.push(
        `the submodule ${submodule} is that of your working tree${there === undefined ? '' : `, ${there.slice(0, 10)}`}; this run starts from its earlier state ${commit.slice(0, 10)}`,
      )
  }
  return warnings
}

async function removeGit(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name)
    if (entry.name === '.git') await rm(file, { recursive: true, force: true })
    else if (entry.isDirectory()) await removeGit(file)
  }
}
