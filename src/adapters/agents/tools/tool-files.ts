// The folder through which a relay in an agent's sandbox and the worker speak:
// `.ratchet/tools/<process>/`, `req-N.json` and `res-N.json`. The agent can write anything there,
// so nothing is read through a link, and a number is read once.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  TOOL_LIMITS,
  ToolRequest,
  ToolRequestId,
  type ToolResponse,
} from '../../../contract/agent-tools.js'
import { jsonOf } from '../../../core/text/json.js'
import { isOwnDir, readOwn } from '../../records/safe-files.js'
import { openOwnDir, OWN_DIR, removeOwnDirs } from '../../records/workspace-copies.js'

const TOOLS = 'tools'
/** `.ratchet`, `tools` and the folder itself. */
const DEPTH = 3

/** @param marker step marker of an agent's process: safe as a name */
export function toolFolder(cwd: string, marker: string): string {
  return path.join(cwd, OWN_DIR, TOOLS, marker)
}

/** Makes the folder, empty. Links and files in its place are removed. */
export function openToolFolder(cwd: string, marker: string): void {
  openOwnDir(cwd, [[TOOLS]])
  rmSync(toolFolder(cwd, marker), { recursive: true, force: true })
  openOwnDir(cwd, [[TOOLS, marker]])
}

/** Removes the folder of one process, and what is empty then. */
export function removeToolFolder(cwd: string, marker: string): void {
  const all = path.join(cwd, OWN_DIR, TOOLS)
  if (!isOwnDir(all, DEPTH - 1)) return
  rmSync(path.join(all, marker), { recursive: true, force: true })
  if (readdirSync(all).length === 0) removeToolFolders(cwd)
}

/** Removes the folders of every process, so that no test and no step finds them. */
export function removeToolFolders(cwd: string): void {
  removeOwnDirs(cwd, [TOOLS])
}

/** Reads a request; `problem` is half a sentence; `undefined` where there is none yet. */
export function readRequest(
  folder: string,
  n: number,
): { request: ToolRequest } | { problem: string; id?: string } | undefined {
  if (!isOwnDir(folder, DEPTH)) return undefined
  const read = readOwn(path.join(folder, `req-${n}.json`), TOOL_LIMITS.requestBytes)
  if (read === undefined) return undefined
  if ('problem' in read) return read
  const json = jsonOf(read.text)
  const parsed = ToolRequest.safeParse(json)
  if (parsed.success) return { request: parsed.data }
  const { id } = ToolRequestId.safeParse(json).data ?? {}
  return { problem: 'has no valid call', ...(id === undefined ? {} : { id }) }
}

/** Writes an answer as a whole; what stands in its place goes first. */
export function writeResponse(folder: string, n: number, response: ToolResponse): void {
  if (!isOwnDir(folder, DEPTH)) return
  const file = path.join(folder, `res-${n}.json`)
  const next = `${file}.new`
  for (const one of [file, next]) rmSync(one, { recursive: true, force: true })
  writeFileSync(next, JSON.stringify(response), { flag: 'wx' })
  renameSync(next, file)
}
