// Two shells with other values of one variable, and a project whose tests write what they see.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  ANALYSE,
  CALCULATOR,
  repository,
  RIGHT_ADD,
  RIGHT_MUL,
  type ProjectOwner,
} from './real-run.js'

export const SESSIONS = ['WFS-test-one', 'WFS-test-two'] as const
type Session = (typeof SESSIONS)[number]

export const valueOf = (session: Session): string => `postgres://${session}.example`

/** The shell of a session. */
export const shellOf = (env: NodeJS.ProcessEnv, session: Session): NodeJS.ProcessEnv => ({
  ...env,
  DATABASE_URL: valueOf(session),
})

const seenFile = (user: ProjectOwner): string => path.join(user.root, 'seen.txt')

/** The tests write a line each time: their directory, which names the session, and the value. */
export function seeingProject(
  user: ProjectOwner,
  name: string,
  config: Record<string, unknown> = {},
): string {
  const line = `open(${JSON.stringify(seenFile(user))}, 'a').write(f"{os.getcwd()} {os.environ.get('DATABASE_URL')}\\n")`
  return repository(
    user,
    name,
    [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }],
    config,
    { ...CALCULATOR, 'conftest.py': `import os\n${line}\n` },
  )
}

/** How often the tests of a session have written, and which values. */
export function seenBy(user: ProjectOwner, session: Session): { times: number; values: string[] } {
  const lines = existsSync(seenFile(user)) ? readFileSync(seenFile(user), 'utf8').split('\n') : []
  const own = lines.filter((line) => line.includes(`/${session}`))
  return {
    times: own.length,
    values: [...new Set(own.map((line) => line.split(' ').at(-1) ?? ''))],
  }
}
