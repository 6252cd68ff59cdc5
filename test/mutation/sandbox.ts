// The sandbox: what encloses the programs that run code of an agent.
import type { Protection } from './protection.js'

const PROXY = 'test/adapters/sandbox/network-proxy.test.ts'
const RULES = 'test/unit/core/sandbox/sandbox-mounts.test.ts'

export const SANDBOX: readonly Protection[] = [
  ...['--unshare-net', '--unshare-pid', '--die-with-parent'].map((flag) => ({
    protection: `bubblewrap is started with ${flag}`,
    file: 'src/core/sandbox/bwrap-command.ts',
    find: `    '${flag}',\n`,
    replace: '',
    red: { file: RULES, name: 'bubblewrap gets each mount in its order' },
  })),
  ...[
    { find: "...['--network', 'none'],", name: 'network' },
    { find: "...['--cap-drop', 'ALL'],", name: 'capabilities' },
    { find: "'--read-only',", name: 'writable system' },
  ].map(({ find, name }) => ({
    protection: `a container has no ${name}`,
    file: 'src/core/sandbox/container-command.ts',
    find,
    replace: '',
    red: { file: 'test/unit/core/sandbox/container-command.test.ts', name },
  })),
  {
    protection: 'a container whose command was killed is removed',
    file: 'src/adapters/sandbox/container.ts',
    find: "await run(program, ['rm', '--force', name], { env, timeout: PATIENCE_MS }).catch(() => undefined)",
    replace: '',
    red: {
      file: 'test/adapters/sandbox/container.test.ts',
      name: 'a container whose command was killed is removed by its name',
    },
  },
  {
    protection: 'a container ends when the worker dies',
    file: 'sandbox/relay.cjs',
    find: ".on('close', () => process.exit(137))",
    replace: '',
    red: {
      file: 'test/adapters/sandbox/container.test.ts',
      name: 'the first process of a container ends with the program on the host',
    },
  },
  {
    protection: 'what is hidden stays hidden if it is also named as readable or writable',
    file: 'src/core/sandbox/sandbox-mounts.ts',
    find: "['read', 'write', 'hide']",
    replace: "['hide', 'read', 'write']",
    red: { file: RULES, name: 'mounts are made from the outside in' },
  },
  {
    protection: 'a host is allowed by its whole name',
    file: 'src/core/sandbox/sandbox-network.ts',
    find: 'one.host === name)',
    replace: 'name.endsWith(one.host))',
    red: { file: RULES, name: 'sub.example.com' },
  },
  {
    protection: 'hosts that a repository names for the sandbox need trust',
    file: 'src/core/trust/executables.ts',
    find: '      network: sandbox.network,\n',
    replace: '',
    red: {
      file: 'test/unit/core/trust/trust-decision.test.ts',
      name: 'what a sandbox lets through',
    },
  },
  {
    protection: 'tests run outside of the sandbox only before the first turn of an agent',
    file: 'src/core/sandbox/users-own.ts',
    find: ' && !hasTurned',
    replace: '',
    red: {
      file: 'test/unit/core/sandbox/users-own.test.ts',
      name: 'a tree in which an agent has worked',
    },
  },
  {
    protection: 'tests run outside of the sandbox only on the commit that the run began with',
    file: 'src/core/sandbox/users-own.ts',
    find: ' && commit === workspace.base',
    replace: '',
    red: { file: 'test/unit/core/sandbox/users-own.test.ts', name: 'a commit of an agent' },
  },
  {
    protection: 'the choice of a sandbox is for the run that began with it',
    file: 'src/adapters/sandbox/sandbox-choice.ts',
    find: ' || (known.chain ?? chain) !== chain',
    replace: '',
    red: {
      file: 'test/attacks/sandbox-choice.test.ts',
      name: 'the choice of a person is for one run',
    },
  },
  {
    protection: 'the choice of a sandbox ends with a start that failed',
    file: 'src/adapters/sandbox/sandbox-choice.ts',
    find: '    await write(dirs, run, begun(before)) // an open run of this id keeps its own\n',
    replace: '',
    red: {
      file: 'test/attacks/sandbox-choice.test.ts',
      name: 'a choice whose start failed is forgotten',
    },
  },
  {
    protection: 'a link in the place of a report is not read',
    file: 'src/adapters/test-runners/reports/report-files.ts',
    find: 'return lstatSync(file',
    replace: 'return statSync(file',
    red: {
      file: 'test/adapters/test-runners/report-files.test.ts',
      name: 'a link in the place of the report',
    },
  },
  {
    protection: 'a file behind a linked directory is not read as a test',
    file: 'src/adapters/test-runners/note-not-loaded.ts',
    find: '(await isReached(file)) ?',
    replace: 'isReached.length > 0 ?',
    red: {
      file: 'test/adapters/test-runners/note-not-loaded.test.ts',
      name: 'a file behind a linked directory is not read',
    },
  },
  {
    protection: 'a pattern match names no file behind a linked directory',
    file: 'src/activities/test-fix/analysis.ts',
    find: "relative.split('/').length - 1)",
    replace: '0)',
    red: {
      file: 'test/activities/turns.test.ts',
      name: 'names no file behind a linked directory',
    },
  },
  {
    protection: 'a coverage summary is read through no link',
    file: 'src/adapters/checks/coverage.ts',
    find: 'isOwnDir(path.dirname(file), 1) ?',
    replace: 'isOwnDir(file, 0) ?',
    red: { file: 'test/adapters/checks/coverage.test.ts', name: 'is not read' },
  },
  {
    protection: 'outside of a sandbox an agent is not allowed what it asks for',
    file: 'src/activities/host/admit.ts',
    find: "(found === undefined ? 'deny' : 'allow')",
    replace: "'allow'",
    red: {
      file: 'test/attacks/sandbox-choice.test.ts',
      name: 'agents may do all that they ask for only inside a proven sandbox',
    },
  },
  {
    protection: 'a sandbox that does not hold on this machine is not used',
    file: 'src/adapters/sandbox/find-component.ts',
    find: 'if (proof.holds) return found',
    replace: 'if (proof !== undefined) return found',
    red: {
      file: 'test/adapters/sandbox/prove-sandbox.test.ts',
      name: 'a sandbox that says nothing is not used',
    },
  },
  {
    protection: 'the ports of the Temporal server cannot be named for a sandbox',
    file: 'src/adapters/sandbox/network-proxy.ts',
    find: ' || (isLocal(host) && refusedPorts.includes(port))',
    replace: '',
    red: { file: PROXY, name: 'it carries what is named' },
  },
  {
    protection: 'a name that leads to this machine is no way out of a sandbox',
    file: 'src/adapters/sandbox/network-proxy.ts',
    find: '!blocked.check(address, ',
    replace: "'' !== (address, ",
    red: { file: PROXY, name: 'it carries what is named' },
  },
]
