// ratchet trust: shows what the repository brings, and stores that it may run, or forgets it.
import { userDirs } from '../../adapters/state-dir.js'
import { broughtPrograms } from '../../adapters/trust/brought-programs.js'
import { revokeTrust, storedTrust, trustProject } from '../../adapters/trust/project-trust.js'
import { trustDecision } from '../../core/trust/trust-decision.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { broughtLines } from '../start/ask-trust.js'
import { projectDir } from '../start/project-dir.js'

type Options = { show?: boolean; revoke?: boolean }

export async function run(
  { project: choice, out }: Pick<Context, 'project' | 'out'>,
  _args: string[],
  { show = false, revoke = false }: Options,
): Promise<number> {
  if (show && revoke)
    throw badInput(
      '--show and --revoke cannot be used together',
      'ratchet trust',
      'use one of them',
    )
  const project = projectDir(choice)
  const dirs = userDirs(choice.env)
  if (revoke) {
    const known = await revokeTrust(dirs, project)
    out.answer({ project, state: 'revoked', items: [] }, [
      known
        ? `${project} is no longer trusted; the next run asks again`
        : `${project} was not trusted, so nothing was changed`,
    ])
    return EXIT.done
  }
  const items = await broughtPrograms(project)
  const before = trustDecision(items, storedTrust(dirs, project)?.items)
  if (!show && before.state === 'untrusted') await trustProject(dirs, project, items)
  const state = show || before.state !== 'untrusted' ? before.state : 'trusted'
  out.answer({ project, state, items }, [
    ...(items.length === 0
      ? ['this repository brings no programs and settings of its own']
      : broughtLines(before.state === 'untrusted' ? before : { items })),
    ...(items.length === 0
      ? []
      : [
          state === 'trusted'
            ? 'trusted; forget it with: ratchet trust --revoke'
            : 'not trusted; trust it with: ratchet trust',
        ]),
  ])
  return EXIT.done
}
