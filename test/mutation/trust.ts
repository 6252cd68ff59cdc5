// Trust: what a repository, another user or a web page may make this machine do.
import type { Protection } from './protection.js'

const HOSTILE = 'test/attacks/hostile-repository.test.ts'

export const TRUST: readonly Protection[] = [
  {
    protection: 'a worker runs nothing of an untrusted repository',
    file: 'src/activities/host/admit.ts',
    find: '  await requireTrust(dirs, project, env)\n',
    replace: '',
    red: { file: HOSTILE, name: 'is refused by the worker before anything runs' },
  },
  {
    protection: 'a committed link out of .workflow is refused',
    file: 'src/activities/host/admit.ts',
    find: '  await refuseLinksOut(project)\n',
    replace: '',
    red: {
      file: HOSTILE,
      name: 'a committed link in place of .workflow leads nothing out of the project',
    },
  },
  {
    protection: 'the command line asks before it starts a run',
    file: 'src/cli/start/resume-run.ts',
    find: "  await (await import('./ask-trust.js')).askTrust(context.project, context.out, project)\n",
    replace: '',
    red: { file: HOSTILE, name: 'without a terminal says what it brings and what to type' },
  },
  {
    protection: 'no program of an untrusted repository is asked for its version',
    file: 'src/adapters/agents/detect-agents.ts',
    find: 'if (untrusted && [program, real].some((file) => isInside(file, project))) return null',
    replace: '',
    red: { file: HOSTILE, name: 'runs none of them' },
  },
  {
    protection: 'a workspace that leaves its isolation out is checked',
    file: 'src/activities/host/validate-input.ts',
    find: 'hasOne(value, WORKSPACE_KEYS)',
    replace: "'root' in value && 'isolation' in value",
    red: {
      file: 'test/activities/own-input.test.ts',
      name: 'a workspace without its isolation, which would escape the check',
    },
  },
  {
    protection: 'an archive with another checksum is not unpacked',
    file: 'src/dev-server/temporal-download.ts',
    find: 'if (got !== sha256)',
    replace: 'if (false)',
    red: {
      file: 'test/unit/dev-server/temporal-binary.test.ts',
      name: 'a changed archive is refused',
    },
  },
  {
    protection: 'the Web UI refuses other hosts and origins',
    file: 'src/dev-server/ui-gateway.ts',
    find: 'if (refused !== undefined) return say(answer, 403, `${refused}\\n`)',
    replace: '',
    red: {
      file: 'test/adapters/dev-server/ui-gateway.test.ts',
      name: 'another host and another origin reach nothing',
    },
  },
]
