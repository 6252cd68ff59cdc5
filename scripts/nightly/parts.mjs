// The parts of `npm run nightly`, in order: the short ones first.
const vitest = (config, ...more) => [
  'npx',
  'vitest',
  'run',
  '--config',
  `vitest.${config}.config.ts`,
  ...more,
]
const layer = (name) => vitest('nightly', '--project', name)

/** `what` is printed above each part. */
export const PARTS = [
  { name: 'tests', what: 'what `npm test` runs', argv: ['npx', 'vitest', 'run'] },
  { name: 'runs', what: 'runs in process that are too long for `npm test`', argv: layer('runs') },
  {
    name: 'crash',
    what: 'workers that die at named points, and a real kill of each kind',
    argv: layer('crash'),
  },
  {
    name: 'processes',
    what: 'supervisor, start-up, takeover, signals, terminals, the package',
    argv: layer('processes'),
  },
  {
    name: 'exhaustive',
    what: 'every kill point of git work, every test runner, installed packages',
    argv: layer('exhaustive'),
  },
  { name: 'browser', what: 'the Web UI and reports in Chromium', argv: layer('browser') },
  {
    name: 'docs',
    what: 'the commands of the documentation, typed as they stand',
    argv: layer('docs'),
  },
  { name: 'projects', what: 'repositories of other people', argv: layer('projects') },
  {
    name: 'simulate',
    what: 'random agents and people against the decisions of the workflows',
    argv: vitest('simulate'),
    env: { SEQUENCES: '200000', SAMPLE: '1000' },
  },
  {
    name: 'verdicts',
    what: 'scripted agents, honest and not, on eight repositories',
    argv: vitest('verdicts'),
  },
  { name: 'agents', what: 'the five real agents against a model stub', argv: vitest('agents') },
  {
    name: 'mutation',
    what: 'every protection is taken out, and its test fails',
    argv: vitest('mutation'),
  },
  { name: 'matrix', what: 'every case of the crash matrix', argv: vitest('matrix') },
]
