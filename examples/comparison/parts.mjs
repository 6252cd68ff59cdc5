// parts.ts for a plain node process: bundled into a file that is removed at once.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

export const { MARKERS, ModelStub, claudeProgram, endMarked, findMarked, projectKey, setUp } =
  await load()

async function load() {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-parts-'))
  const file = path.join(dir, 'parts.mjs')
  try {
    const parts = await rolldown({
      input: fileURLToPath(new URL('./parts.ts', import.meta.url)),
      platform: 'node',
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    })
    await parts.write({ file, format: 'esm' })
    await parts.close()
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
