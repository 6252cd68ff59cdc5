// Lists every command in the order of `ratchet --help`: its name, one imperative line without full
// stop, and its file. `ratchet --version` and `--help` load nothing else; help, completion and a
// call of one command load only its file.
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
    summary: 'Develop a task with four agents at the same time, measured by your tests',
    load: () => import('./commands/cycle.js'),
  },
  {
    name: 'loop',
    summary: 'Work on a task action by action, chosen by you or by the state of the work',
    load: () => import('./commands/loop.js'),
  },
  {
    name: 'prep',
    summary: 'Prepare a task for a cycle or loop: an agent explores, asks and refines it',
    load: () => import('./prep/prep.js'),
  },
  {
    name: 'status',
    summary: 'Show the server, the workers and the open runs, or one run',
    load: () => import('./commands/status.js'),
  },
  { name: 'watch', summary: 'Follow a run to its end', load: () => import('./commands/watch.js') },
  {
    name: 'pause',
    summary: 'Pause a run after the running step',
    load: () => import('./commands/pause.js'),
  },
  {
    name: 'resume',
    summary: 'Continue a paused run, or one that has not succeeded, and follow it',
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
    summary: 'Report what a run did, as HTML, Markdown, JSON, CTRF or JUnit',
    load: () => import('./commands/report.js'),
  },
  {
    name: 'stats',
    summary: 'Sum up what agents used, over several runs',
    load: () => import('./commands/stats.js'),
  },
  {
    name: 'archive',
    summary: 'Move records of ended runs to the archive, and list what they left to do',
    load: () => import('./commands/archive.js'),
  },
  {
    name: 'rebuild',
    summary: 'Rewrite a damaged or lost state file of a dev cycle or loop',
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
    summary: 'Write a configuration from the agents and the test command found here',
    load: () => import('./commands/init.js'),
  },
  {
    name: 'trust',
    summary: 'Trust the programs and settings that this repository brings',
    load: () => import('./commands/trust.js'),
  },
  {
    name: 'agents',
    summary: 'Show the coding agents on this machine and their roles, or try one',
    load: () => import('./commands/agents.js'),
  },
  {
    name: 'doctor',
    summary: 'Check this machine and this project, and show how to fix what is wrong',
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'completion',
    summary: 'Print the script for shell completion',
    load: () => import('./commands/completion.js'),
  },
  {
    name: 'dev',
    summary: 'Keep the local server and workers running until Ctrl-C, or stop them',
    load: () => import('./commands/dev.js'),
  },
  {
    name: 'ui',
    summary: 'Open the Web UI of the local server',
    load: () => import('./ui/ui.js'),
  },
  {
    name: 'worker',
    summary: 'Run the workers of this project against a Temporal server of your own',
    load: () => import('./commands/worker.js'),
  },
]
