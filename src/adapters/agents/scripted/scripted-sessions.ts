// Sessions of the playbook agent, on disk, so that they can be resumed after the process was
// killed. How many actions of a turn are done is written after each: a resumed turn does none of
// them twice.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { replaceFileSync } from '../../files/replace-file.js'
import { sessionsFolder } from './sessions-folder.js'

const Session = z.object({
  id: z.string(),
  cwd: z.string(),
  /** Finished actions by turn. */
  done: z.record(z.string(), z.number().int()),
  /** How often a turn of this name has begun, its further attempts left out. */
  times: z.record(z.string(), z.number().int()).default({}),
  /** What an action is about to make of a file, by turn and number of the action. */
  planned: z.object({ turn: z.string(), action: z.number().int(), text: z.string() }).optional(),
  /** How often a turn was limited. */
  limited: z.record(z.string(), z.number().int()).default({}),
  costUsd: z.number(),
})
export type Session = z.infer<typeof Session>

const ID = /^[0-9a-f-]{36}$/

export class SessionStore {
  readonly directory: string

  constructor(env: NodeJS.ProcessEnv) {
    this.directory = sessionsFolder(env)
  }

  create(id: string, cwd: string): Session {
    const session: Session = { id, cwd, done: {}, times: {}, limited: {}, costUsd: 0 }
    this.save(session)
    return session
  }

  /** A session of this or an earlier process, or `undefined`. */
  read(id: string): Session | undefined {
    if (!ID.test(id)) return undefined
    try {
      return Session.parse(JSON.parse(readFileSync(this.file(id), 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** A turn begins: nothing of it is done, also where one of its name was there before. */
  begin(session: Session, turn: string): void {
    session.times[turn] = (session.times[turn] ?? 0) + 1
    session.done[turn] = 0
    delete session.planned
    this.save(session)
  }

  save(session: Session): void {
    replaceFileSync(this.file(session.id), JSON.stringify(session), { mode: 0o600 })
  }

  private file(id: string): string {
    return path.join(this.directory, `${id}.json`)
  }
}
