// Says in words where the environment of a run is from.
import type { RunEnv } from '../../contract/run-env.js'

const FROM: Readonly<Record<RunEnv['from'], string>> = {
  command: 'of the ratchet command that started or last resumed it',
  project: "of the project's last ratchet command",
  supervisor: 'of the supervisor',
  worker: 'of its worker',
}

export function envText({ from, named }: RunEnv): string {
  return `${FROM[from]}${named.length === 0 ? '' : `, with ${named.join(', ')}`}`
}
