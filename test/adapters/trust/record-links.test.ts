// Committed links in `.workflow` that lead out of the project.
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { refuseLinksOut } from '../../../src/adapters/trust/record-links.js'
import { commitAll, makeRepo, tempDir } from '../../support/repositories/repos.js'

test.each<{ why: string; link: string; target: () => string }>(
  // prettier-ignore
  [
  { why: '.workflow itself', link: '.workflow', target: tempDir },
  { why: 'a folder of sessions', link: '.workflow/active', target: tempDir },
  { why: 'a session', link: '.workflow/active/WFS-test-x', target: () => '../../../..' },
  { why: 'a target that is not there yet', link: '.workflow', target: () => path.join(tempDir(), 'later') },
],
)('$why is refused', async ({ link, target }) => {
  const project = makeRepo()
  mkdirSync(path.dirname(path.join(project, link)), { recursive: true })
  symlinkSync(target(), path.join(project, link))
  commitAll(project, 'links')
  await expect(refuseLinksOut(project)).rejects.toMatchObject({
    type: 'UnsupportedRepository',
    where: path.join(project, link),
    next: `remove it: git rm ${link}`,
  })
})

test('a link that stays in the project, and one that git does not track, are no matter', async () => {
  const project = makeRepo({ 'records/x': '' })
  mkdirSync(path.join(project, '.workflow'))
  symlinkSync('../records', path.join(project, '.workflow/.cycle'))
  commitAll(project, 'links')
  symlinkSync(tempDir(), path.join(project, '.workflow/.loop'))
  await refuseLinksOut(project)
})
