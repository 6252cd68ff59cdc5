// What each check of `ratchet doctor` is about, for somebody who meets it for the first time.

const EXPLANATIONS: Record<string, string> = {
  node: 'Ratchet and its workers run on Node; older ones lack parts of the standard library that they use.',
  platform:
    'Agents and tests are ended with everything they started, which needs process groups and signals.',
  git: 'The result of a run is a branch. Snapshots of your uncommitted work need the plumbing of a newer git.',
  'state directory':
    "It holds the server's database, workspaces and transcripts, which only you may read.",
  disk: 'Each run has a clone of your repository with a copy of its dependencies.',
  'server program':
    'The Temporal server keeps the state of runs. It is got once: from PATH, by download, or built with Go, which takes minutes.',
  'go cache':
    'Where the server has to be built, modules that Go has already need not be downloaded.',
  server:
    'The server that runs now. It starts on demand and stops 30 minutes after the last open run.',
  workers: 'Processes that run agents and tests. A supervisor restarts them when they die.',
  supervisor:
    'It watches server and workers. A file that a killed one left behind is removed by the next one.',
  'search attribs':
    'Fields by which runs are found and filtered, in ratchet status and in the Web UI. A run only writes those that are registered.',
  repository:
    'Runs begin from a commit or from your working tree, and end as a branch of this repository.',
  'ignore file':
    'The records of runs lie in .workflow, which hides itself from git by an ignore file of its own.',
  config:
    'ratchet.config.json, .yaml or package.json#ratchet: agents, roles, the test command, limits.',
  tests: 'The command that decides. What an agent says counts for nothing beside it.',
  'test time': 'How long a full run of the tests took last. Each iteration makes at least one.',
  dependencies:
    'How the workspace of a run gets what is installed in your project. Where the file system can share blocks (reflinks: btrfs, XFS, APFS), a copy takes no time and no room.',
  'file system':
    "Clones, test runs and the server's database write many small files, which is slow over a network or into a Windows drive.",
  budget: 'What a run may spend before it asks.',
  roles: 'Every role needs an agent that plays it.',
  processes:
    'A worker that is killed cannot end what it started. The next worker of the project does; so does this.',
  claims:
    'Locks and slots are files that name their owner. Those of dead processes hold nobody up.',
  projects:
    'Workers touch only projects that a ratchet command was started in once. A file for each says so.',
  downloads: 'Half a download or build of the server that was interrupted.',
  workspaces:
    "A workspace outlives its project's directory when that is deleted. One that holds commits is never removed here.",
}

/** The explanation of a check by its name; agents share one, and so do hooks. */
export function explanationOf(check: string): string | undefined {
  if (check.startsWith('agent '))
    return 'A coding agent: its program, its login as far as that can be seen, and the roles it plays.'
  if (check.startsWith('hook '))
    return 'A command or an address that is told when a run asks, or ends. None that fails stops a run.'
  return EXPLANATIONS[check]
}
