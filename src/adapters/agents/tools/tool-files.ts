// The folder through which a relay in an agent's sandbox and the worker speak:
// `.ratchet/tools/<process>/`, `req-N.json` and `res-N.json`. The agent can write anything there,
// and replace any of these folders at any moment. So each is held open, nothing is read or written
// through a link, only files with these names are removed, and a number is read once.
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  TOOL_LIMITS,
  ToolRequest,
  ToolRequestId,
  type ToolResponse,
} from '../../../contract/agent-tools.js'
import { jsonOf } from '../../../core/text/json.js'
import { HeldDir, within } from '../../files/held-dir.js'
import { readOwn } from '../../records/safe-files.js'
import { OWN_DIR } from '../../records/workspace-copies.js'

const TOOLS = 'tools'
/** Hides `.ratchet` from git. */
const IGNORE = { name: '.gitignore', text: '*\n' }
/** Calls, answers, and what a relay or a worker that died had begun of them. */
const OURS = /^(?:req-\d+\.json|res-\d+\.json(?:\.new)?|\.call-[0-9a-f]{32})$/

/** @param marker step marker of an agent's process: safe as a name */
export function toolFolder(cwd: string, marker: string): string {
  return path.join(cwd, OWN_DIR, TOOLS, marker)
}

/** The folder of one process, held open. */
export class ToolFolder {
  private constructor(private readonly dir: HeldDir) {}

  /** Makes the folder, without calls and answers. Links and files in its place are removed. */
  static open(cwd: string, marker: string): ToolFolder {
    const dir = within(HeldDir.open(cwd), (top) =>
      within(top.make(OWN_DIR), (own) => {
        hide(own)
        return within(own.make(TOOLS), (all) => all.make(marker))
      }),
    )
    try {
      empty(dir)
    } catch (error) {
      dir.close()
      throw error
    }
    return new ToolFolder(dir)
  }

  /** Reads a request; `problem` is half a sentence; `undefined` where there is none yet. */
  request(n: number): { request: ToolRequest } | { problem: string; id?: string } | undefined {
    const read = readOwn(this.dir.at(`req-${n}.json`), TOOL_LIMITS.requestBytes)
    if (read === undefined || 'problem' in read) return read
    const json = jsonOf(read.text)
    const parsed = ToolRequest.safeParse(json)
    if (parsed.success) return { request: parsed.data }
    const { id } = ToolRequestId.safeParse(json).data ?? {}
    return { problem: 'has no valid call', ...(id === undefined ? {} : { id }) }
  }

  /** Writes an answer as a whole, in place of a file or link. */
  respond(n: number, response: ToolResponse): void {
    this.dir.write(`res-${n}.json`, JSON.stringify(response))
  }

  close(): void {
    this.dir.close()
  }
}

/** Removes the folder of one process, and what is empty then. What an agent put there stays. */
export function removeToolFolder(cwd: string, marker: string): void {
  removeFolders(cwd, () => [marker])
}

/** Removes the folders of every process, so that no test and no step finds them. */
export function removeToolFolders(cwd: string): void {
  removeFolders(cwd, (all) => all.names())
}

function removeFolders(cwd: string, which: (all: HeldDir) => readonly string[]): void {
  if (!existsSync(cwd)) return
  within(HeldDir.open(cwd), (top) => {
    within(top.child(OWN_DIR), (own) => {
      within(own.child(TOOLS), (all) => {
        for (const marker of which(all)) {
          within(all.child(marker), empty)
          all.removeEmpty(marker)
        }
      })
      own.removeEmpty(TOOLS)
      own.remove(TOOLS) // a link or a file in its place
      if (String(own.names()) === IGNORE.name) own.remove(IGNORE.name)
    })
    top.removeEmpty(OWN_DIR)
  })
}

function empty(dir: HeldDir): void {
  for (const name of dir.names()) if (OURS.test(name)) dir.remove(name)
}

function hide(own: HeldDir): void {
  const read = readOwn(own.at(IGNORE.name))
  if (read === undefined || 'problem' in read || read.text !== IGNORE.text)
    own.write(IGNORE.name, IGNORE.text)
}
