// Every command, in the order of `ratchet --help`: its name, one imperative line without full stop,
// and its file. `ratchet --version` and `--help` load nothing else; help, completion and a call of
// one command load its file alone.
import type { Definition } from './definition.js'

export type Entry = { name: string; summary: string; load: () => Promise<{ command: Definition }> }

export const COMMANDS: Entry[] = [
  {
    name: 'fix',
    summary: 'Fix the failing tests of a project, keeping only what measurably helps',
    load: () => import('./commands/fix.js'),
  },
  {
    name: 'cycle',
    summary: 'Develop a task with four agents that work side by side, measured by your tests',
    load: () => import('./commands/cycle.js'),
  },
  {
    name: 'loop',
    summary: 'Work a task off, action by action: you choose, or the state of the work does',
    load: () => import('./commands/loop.js'),
  },
  {
    name: 'status',
    summary: 'Show the server, the workers and the open runs, or one run',
    load: () => import('./commands/status.js'),
  },
  { name: 'watch', summary: 'Follow a run to its end', load: () => import('./commands/watch.js') },
  {
    name: 'pause',
    summary: 'Pause a run when the running step has ended',
    load: () => import('./commands/pause.js'),
  },
  {
    name: 'resume',
    summary: 'Go on with a paused run, or with one that has not succeeded, and follow it',
    load: () => import('./commands/resume.js'),
  },
  {
    name: 'extend',
    summary: 'Give a test-fix run more iterations, or a dev cycle or loop a further task',
    load: () => import('./commands/extend.js'),
  },
  {
    name: 'stop',
    summary: 'Stop a run for good, keeping its branch and record',
    load: () => import('./commands/stop.js'),
  },
  {
    name: 'answer',
    summary: 'Answer the open questions of a run',
    load: () => import('./commands/answer.js'),
  },
  {
    name: 'apply',
    summary: 'Bring the changes of a run into your working tree',
    load: () => import('./commands/apply.js'),
  },
  {
    name: 'report',
    summary: 'Write what a run did as a page to read, or as Markdown, JSON, CTRF or JUnit',
    load: () => import('./commands/report.js'),
  },
  {
    name: 'rebuild',
    summary: 'Write the state file of a dev cycle or loop anew where it was damaged or lost',
    load: () => import('./commands/rebuild.js'),
  },
  {
    name: 'logs',
    summary: 'Show the logs of the local server and workers, or what the agents of a run do',
    load: () => import('./commands/logs.js'),
  },
  {
    name: 'clean',
    summary: 'Remove what closed runs of this project left outside its working tree',
    load: () => import('./commands/clean.js'),
  },
  {
    name: 'init',
    summary: 'Write a configuration from what is found here: agents and the test command',
    load: () => import('./commands/init.js'),
  },
  {
    name: 'agents',
    summary: 'Show which coding agents are here and what they play, or try one',
    load: () => import('./commands/agents.js'),
  },
  {
    name: 'doctor',
    summary: 'Check this machine and this project, and say how to fix what is wrong',
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'completion',
    summary: 'Print the script that makes Tab complete ratchet in a shell',
    load: () => import('./commands/completion.js'),
  },
  {
    name: 'dev',
    summary: 'Keep the local server and workers running until Ctrl-C, or stop them',
    load: () => import('./commands/dev.js'),
  },
  {
    name: 'worker',
    summary: 'Run the workers of this project against a Temporal server of your own',
    load: () => import('./commands/worker.js'),
  },
]
