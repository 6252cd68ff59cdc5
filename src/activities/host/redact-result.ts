// Redacts secrets of a run's agents from the results and records of its steps. An agent may put its
// key into a file name: the file keeps its name, but reports do not contain the key. Tests and
// checks get the whole environment and may print it.
import type { LeftBranches, Workspace } from '../../contract/workspace.js'
import type { Redactor } from '../../core/text/redact.js'
import { configRedactor } from '../../adapters/agents/config-secrets.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import { publicIn } from '../../adapters/environments/committed-values.js'
import type { HostDeps } from './deps.js'

type Deps = Pick<HostDeps, 'dirs' | 'project' | 'env'>
/** A run's configuration and workspace. */
type Of = { configHash: string; workspace: Workspace }
type Told = {
  files?: string[]
  tampered?: string[]
  undone?: string[]
  changedTests?: string[]
  leftBranches?: LeftBranches | undefined
}

/** The answer of a step with the secrets of every agent of the run taken out of the names in it. */
export function withoutSecrets<T extends Told>(deps: Deps, of: Of, answer: T): T {
  const redact = redactorOf(deps, of)
  const names = (list: string[] | undefined) => list?.map((name) => redact.text(name))
  const { files, tampered, undone, changedTests, leftBranches } = answer
  return {
    ...answer,
    ...(files && { files: names(files) }),
    ...(tampered && { tampered: names(tampered) }),
    ...(undone && { undone: names(undone) }),
    ...(changedTests && { changedTests: names(changedTests) }),
    ...(leftBranches && {
      leftBranches: {
        ...leftBranches,
        branches: leftBranches.branches.map(({ branch, commits, subjects }) => ({
          branch: redact.text(branch),
          commits,
          subjects: subjects.map((subject) => redact.text(subject)),
        })),
      },
    }),
  }
}

/** Takes out the secrets of every agent of a run, and those of its environment. */
export function redactorOf({ dirs, project, env }: Deps, { configHash, workspace }: Of): Redactor {
  return configRedactor(frozenConfig(dirs, configHash, project), env, publicIn(dirs, workspace))
}
