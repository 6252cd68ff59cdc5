// What a playbook does to files: each edit is a tool call that names its file, as those of other
// agents are. All files lie below the session's directory, also behind links.
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { CYCLE_ROLES } from '../../../contract/dev-cycle/cycle-state.js'
import { DISCOVERY_BYTES } from '../../../contract/dev-cycle/discovery.js'
import type { TurnHeader } from '../../../contract/turn.js'
import type { Stage } from './scripted-actions.js'
import type { PromptEnd } from './player.js'
import type { Action } from './schema.js'

type Edit = Extract<
  Action,
  | { write: unknown }
  | { append: unknown }
  | { patch: unknown }
  | { delete: unknown }
  | { board: unknown }
>

/** What becomes of a file. `again`: the turn was interrupted and may have done it before. */
type Plan = {
  kind: 'edit' | 'delete'
  name: string
  change: (file: string, again: boolean) => void
}

/** Changes a file; the prompt ends with an error where that is not possible. */
export async function edit(
  action: Edit,
  stage: Stage,
  attempt: number,
): Promise<PromptEnd | undefined> {
  const { kind, name, change } = planOf(action, stage)
  const call = { id: randomUUID(), title: `${kind} ${name}`, kind }
  try {
    const file = below(stage.cwd, fill(name, stage.header))
    await stage.tool({ ...call, status: 'in_progress', file })
    change(file, attempt > 1)
  } catch (error) {
    await stage.tool({ ...call, status: 'failed' })
    return {
      error: { code: -32603, message: `[playbook] ${call.title}: ${(error as Error).message}` },
    }
  }
  await stage.tool({ ...call, status: 'completed' })
  return undefined
}

function planOf(action: Edit, stage: Stage): Plan {
  const { header } = stage
  if ('write' in action)
    return {
      kind: 'edit',
      name: action.write.path,
      change: (file) => writeFileSync(made(file), action.write.text),
    }
  if ('append' in action)
    return {
      kind: 'edit',
      name: action.append.path,
      change: (file, again) => append(file, action.append.text, again),
    }
  if ('patch' in action)
    return {
      kind: 'edit',
      name: action.patch.path,
      change: (file) => patch(file, action.patch, stage.planned),
    }
  if ('board' in action)
    return {
      kind: 'edit',
      name: '{board}',
      change: (file, again) => tell(file, action.board, header, again),
    }
  return {
    kind: 'delete',
    name: action.delete,
    change: (file) => rmSync(file, { recursive: true, force: true }),
  }
}

/** A path with the places that the prompt's first line names put in. */
export function fill(name: string, header: TurnHeader | undefined): string {
  return name.replace(
    /\{(progress|board|workspace)\}/g,
    (_, place: 'progress' | 'board' | 'workspace') => {
      const given = header?.paths[place]
      if (given === undefined) throw new Error(`the prompt names no ${place}`)
      return given
    },
  )
}

// The nearest existing folder decides: what lies behind a link is where the link leads.
function below(cwd: string, name: string): string {
  const root = realpathSync(cwd)
  const file = path.resolve(root, name)
  let existing = file
  while (!existsSync(existing)) existing = path.dirname(existing)
  const real = path.join(realpathSync(existing), path.relative(existing, file))
  if (!real.startsWith(root + path.sep))
    throw new Error(`${name} leads out of the working directory`)
  return real
}

function made(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true })
  return file
}

// In one write, so that agents that append at the same time keep their lines whole.
function append(file: string, text: string, again: boolean): void {
  if (again && existsSync(file) && readFileSync(file, 'utf8').endsWith(text)) return
  appendFileSync(made(file), text)
}

function tell(
  board: string,
  entry: Extract<Action, { board: unknown }>['board'],
  header: TurnHeader | undefined,
  again: boolean,
): void {
  if (typeof entry === 'string') return append(board, `${entry}\n`, again)
  const { agent = agentOf(header), type, data } = entry
  const said = JSON.stringify({ agent, type, data })
  const line = `{"ts":"${new Date().toISOString()}",${said.slice(1)}\n`
  if (Buffer.byteLength(line) > DISCOVERY_BYTES)
    throw new Error(`an entry of the board has at most ${DISCOVERY_BYTES} bytes`)
  if (again && existsSync(board) && readFileSync(board, 'utf8').includes(said.slice(1))) return
  appendFileSync(made(board), line)
}

function agentOf(header: TurnHeader | undefined): string {
  return (
    Object.entries(CYCLE_ROLES).find(([, role]) => role === header?.role)?.[0] ??
    header?.role ??
    'playbook'
  )
}

// Killed between the change and its note, or while the file was half written, a resumed turn comes
// here again: what it was to become is noted first.
function patch(
  file: string,
  { find, replace }: { find: string; replace: string },
  planned: Stage['planned'],
): void {
  writeFileSync(file, planned.text ?? patched())

  function patched(): string {
    const text = readFileSync(file, 'utf8')
    const at = text.indexOf(find)
    // Done in a session that was lost.
    if (at === -1 && replace !== '' && text.includes(replace)) return text
    if (at === -1) throw new Error(`does not contain ${JSON.stringify(find.slice(0, 80))}`)
    const changed = text.slice(0, at) + replace + text.slice(at + find.length)
    planned.note(changed)
    return changed
  }
}
