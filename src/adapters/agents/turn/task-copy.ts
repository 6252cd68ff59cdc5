// A copy of the task that an agent works on, below its working directory: sandboxed agents may read
// nowhere else. It lies in `.ratchet/`, which no step of Ratchet's commits or cleans and which
// hides itself from git; the turn's end removes it, so that no test run finds it.
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { TASK_ID } from '../../../contract/test-fix/task.js'

const DIR = '.ratchet'
const TASKS = 'tasks'

/** Where the copy of a task lies in a working directory. */
export function taskCopy(cwd: string, task: string): string {
  // Before it becomes a path
  if (!TASK_ID.test(task)) throw new Error(`not the id of a task: ${JSON.stringify(task)}`)
  return path.join(cwd, DIR, TASKS, `${task}.json`)
}

/** Writes the copy. What an agent put in its place, a link out of the directory too, goes first. */
export function writeTaskCopy(cwd: string, task: string, json: unknown): void {
  const file = taskCopy(cwd, task)
  const own = path.join(cwd, DIR)
  for (const dir of [own, path.dirname(file)]) {
    if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === false)
      rmSync(dir, { force: true })
    mkdirSync(dir, { recursive: true })
  }
  replace(path.join(own, '.gitignore'), '*\n')
  replace(file, `${JSON.stringify(json, null, 2)}\n`)
}

/** Removes the copies, and the directory where nothing else is in it. */
export function removeTaskCopies(cwd: string): void {
  const own = path.join(cwd, DIR)
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory() !== true) return
  rmSync(path.join(own, TASKS), { recursive: true, force: true })
  if (readdirSync(own).every((name) => name === '.gitignore'))
    rmSync(own, { recursive: true, force: true })
}

function replace(file: string, text: string): void {
  rmSync(file, { recursive: true, force: true })
  writeFileSync(file, text, { flag: 'wx' })
}
