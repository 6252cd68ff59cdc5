// Explains each check of `ratchet doctor` to a person who meets it for the first time.

const EXPLANATIONS: Record<string, string> = {
  node: 'Ratchet and its workers run on Node; older versions lack parts of the standard library.',
  platform:
    'Ratchet ends agents and tests with all their child processes, which needs process groups and signals.',
  git: 'The result of a run is a branch. Snapshots of your uncommitted work need commands of a recent git.',
  'state directory':
    "It holds the server's database, workspaces and transcripts, which only you may read.",
  disk: 'Each run has a clone of your repository with a copy of its dependencies.',
  'server program':
    'The Temporal server keeps the state of runs. It is taken from PATH, downloaded, or built with Go once, which takes minutes.',
  'go cache': 'If the server has to be built, modules in the Go cache are not downloaded again.',
  server:
    'The local Temporal server. It starts on demand and stops 30 minutes after the last open run.',
  workers: 'Processes that run agents and tests. A supervisor restarts them when they die.',
  supervisor:
    'It restarts the server and the workers. If it was killed, the next supervisor removes its file.',
  'search attribs':
    'Fields by which `ratchet status` and the Web UI find and filter runs. A run writes only registered ones.',
  'other users':
    'Everybody on this machine reaches the ports of the local server. A private one takes only what you start and answer.',
  repository:
    'A run starts from a commit or from your working tree, and its result is a branch of this repository.',
  'ignore file':
    'The records of runs are in .workflow, which has an ignore file to stay out of git.',
  trust:
    'A repository may bring agents, set-up commands, hooks and programs. They run only after you have looked at them.',
  sandbox:
    'It encloses agents, set-up, checks and tests: they write only in the workspace, and do not see your keys. The check tries to leave it.',
  config:
    'ratchet.config.json, .yaml or package.json#ratchet: agents, roles, the test command, limits.',
  tests: 'Its result decides whether a change is kept, not what an agent says.',
  'test time': 'Duration of the last full test run. Each iteration makes at least one.',
  dependencies:
    'How the workspace of a run gets the installed dependencies of your project. On a file system with reflinks (btrfs, XFS, APFS) a copy takes no time and no space.',
  'file system':
    "Clones, test runs and the server's database write many small files, which is slow on a network or Windows drive.",
  budget: 'The usage at which a run asks before it continues.',
  roles: 'Every role needs an agent.',
  processes:
    'A killed worker leaves its child processes running. The next worker of the project ends them, or `ratchet doctor --fix` does.',
  claims: 'Locks and slots are files that name their owner. Those of dead processes block nothing.',
  projects:
    'Workers touch only registered projects. Any ratchet command registers its project in a file.',
  downloads: 'Remains of an interrupted download or build of the server.',
  workspaces:
    'The workspace of a deleted project remains. One that holds commits is never removed by --fix.',
}

/** Returns the explanation of a check by its name; agents share one, and so do hooks. */
export function explanationOf(check: string): string | undefined {
  if (check.startsWith('agent '))
    return 'A coding agent: its program, its login as far as that is visible, and its roles.'
  if (check.startsWith('hook '))
    return 'A command or web address that receives the events of runs. A failing hook stops no run.'
  return EXPLANATIONS[check.startsWith('sandbox ') ? 'sandbox' : check]
}
