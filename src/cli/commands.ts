// Every command with its help text. Plain data: `ratchet --version` and `--help` load nothing else.
import type { Context } from './context.js'

/** Runs a command and returns its exit code. */
export type Run = (context: Context, args: string[], options: Record<string, unknown>) => Promise<number>

export type CommandSpec = {
  name: string
  /** One imperative line without full stop. */
  summary: string
  /** Paragraphs for `--help`, wrapped. */
  text?: string[]
  /** Commander's notation, `<needed>`, `[optional]`, and what it is. */
  arguments?: [string, string][]
  options?: [string, string][]
  examples: string[]
  load: () => Promise<{ run: Run }>
}

export const EXIT_CODES = '0 done, 1 finished otherwise, 2 bad usage or input, 3 no server or worker, 130 interrupted'

/** Options of every command. */
export const COMMON_OPTIONS: [string, string][] = [
  ['--json', 'Print one JSON document on stdout, everything else on stderr'],
  ['--project <dir>', 'The project (default: the current directory)'],
  ['--address <host:port>', 'Use this Temporal server instead of the local one; TEMPORAL_* variables then count'],
  ['--namespace <name>', 'Namespace on that server (default: ratchet)'],
  ['--profile <name>', 'Use the server of this profile in the Temporal configuration file'],
]

const ID: [string, string] = ['<id>', 'Id of a run, or the name of a session, cycle or loop of this project']
const DETACH: [string, string] = ['--detach', 'Print the id and return; follow with `ratchet watch <id>`']
const PLAIN: [string, string] = ['--plain', 'Plain lines instead of a view that is redrawn; always so in CI and where stdout is no terminal']
const AUTO: [string, string] = ['--auto', 'Never ask where a recommended answer exists']
const INTERACTIVE: [string, string] = ['--interactive', 'Ask between the iterations of a cycle, and what a loop does next (no effect on fix)']
const REASON: [string, string] = ['--reason <text>', 'Shown to whoever looks at the run']

export const COMMANDS: CommandSpec[] = [
  {
    name: 'fix',
    summary: 'Fix the failing tests of a project, keeping only what measurably helps',
    text: [
      'Each iteration analyses the failures, lets an agent change the code, runs your test command again, and rolls the',
      'change back if it broke more tests than it repaired. Ends at 100 %, or from 95 % with only low failures (marked',
      'for review), or when the budget is spent; its branch is at the best state that was measured.',
      'Your working tree is not touched: the result is the branch ratchet/<session>, taken over with `ratchet apply <id>`.',
      'Ctrl-C only stops the watching; the run goes on.',
      '',
      'A session that is unfinished, by its files in .workflow or .workflow/active, and that no run has, is taken up; where',
      'there are several, they are listed. A session goes on from its files alone, also where the server has lost it.',
      '',
      'With --ci nobody is asked: open questions get their recommended answer. At the end junit.xml, ctrf.json and summary.md',
      'tell of the last full test run; the summary is also added to the file that GITHUB_STEP_SUMMARY names.',
    ],
    options: [
      ['--session <name>', 'Start a new session, WFS-test-… (default: named after the directory, with a number where taken)'],
      ['--resume-session <session>', 'Go on with this session: follow its run, or start it again where it has not succeeded'],
      ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
      ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
      ['--generate-tests', 'Let an agent write tests first; no effect on a session that has its tasks already'],
      ['--ci', 'Run with nobody at the terminal: plain lines on stderr, and reports at the end'],
      ['--ci-dir <dir>', 'Where --ci writes its reports (default: ci in the record of the session)'],
      AUTO,
      INTERACTIVE,
      DETACH,
      PLAIN,
    ],
    examples: ["ratchet fix --json | jq -r '.failures[].test'", 'ratchet fix --ci --ci-dir test-reports'],
    load: () => import('./commands/fix.js'),
  },
  {
    name: 'cycle',
    summary: 'Develop a task with four agents that work side by side, measured by your tests',
    text: [
      'One agent writes down what is required, one explores and plans, one develops, one validates. They share a workspace',
      'and a board. Each iteration is committed and measured with your test command; what is left goes back to the agent that',
      'can mend it, and into the next iteration. Ends when nothing is left, or with what is left when the budget is spent.',
      'Your working tree is not touched: the result is the branch ratchet/<id>, taken over with `ratchet apply <id>`.',
      'Ctrl-C only stops the watching; the run goes on.',
      '',
      'With --cycle-id a cycle goes on where it was: an open one is followed, and taken out of a pause; one that has ended is',
      'started again under its id. A completed one needs a further task for that: --extend. --max-iterations then counts for',
      'the further task; without one it is iterations in all.',
      '',
      'Nobody is asked between iterations unless you say --interactive. How to work with cycles: docs/dev-cycle.md',
    ],
    arguments: [['[task...]', 'What is to be developed; - reads it from standard input']],
    options: [
      ['--cycle-id <id>', 'Go on with this cycle, instead of a task'],
      ['--extend <text>', 'With --cycle-id: a further task, which begins in the next iteration'],
      ['--auto', 'Take every recommended answer (default)'],
      ['--interactive', 'Ask between iterations'],
      ['--parallel <1-4>', 'Agents that work at the same time (default: 4); no effect in staged'],
      ['--scheduling <parallel|staged>', 'All at once (default), or one after the other'],
      ['--max-iterations <n>', 'Iterations before giving up (default: limits.maxIterations, else 5)'],
      ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
      ['--prep <file>', 'Use this prep package, also where it is for another task'],
      DETACH,
      PLAIN,
    ],
    examples: ['ratchet cycle "add password reset by mail"', 'ratchet cycle - < task.md', "ratchet cycle \"speed up the search\" --json | jq -r '.branch'"],
    load: () => import('./commands/cycle.js'),
  },
  {
    name: 'loop',
    summary: 'Work a task off, action by action: you choose, or the state of the work does',
    text: [
      'init breaks the task down; develop, debug and validate work on it, each by an agent of its own; complete sums it up.',
      'interactive (default) asks after each action what is next: the menu, with what is recommended. auto goes by the state',
      'of the work: develop while tasks are pending, validate, debug where that fails. parallel has develop, debug and validate',
      'work side by side, each in a clone, and merges what they did; where two changed the same lines you are asked.',
      'What an action did is committed, and a validation is measured with your tests. Your working tree is not touched: the',
      'result is the branch ratchet/<id>, taken over with `ratchet apply <id>`.',
      'Ctrl-C only stops the watching, also at a question; the loop stays as it is. Choosing exit ends it for now.',
      '',
      'With --loop-id a loop goes on where it was: an open one is followed, and taken out of a pause; one that has ended is',
      'started again under its id, in its mode or in that of --mode. A completed one needs a further task: --extend.',
      '--max-iterations then counts for the further task; without one it is iterations in all.',
      '',
      'Where nobody sits at a terminal, questions are shown with the command that answers them. More: docs/dev-loop.md',
    ],
    arguments: [['[task...]', 'What is to be done; - reads it from standard input']],
    options: [
      ['--loop-id <id>', 'Go on with this loop, instead of a task'],
      ['--mode <mode>', 'interactive (default), auto or parallel; of a loop that goes on it replaces the one before'],
      ['--auto', 'The same as --mode auto'],
      ['--interactive', 'The same as --mode interactive'],
      ['--extend <text>', 'With --loop-id: a further task'],
      ['--max-iterations <n>', 'Actions in mode auto, rounds in parallel (default: limits.maxIterations, else 10)'],
      ['--base <ref>', 'Start from <ref> instead of the working tree with its uncommitted changes'],
      DETACH,
      PLAIN,
    ],
    examples: ['ratchet loop "add password reset by mail"', 'ratchet loop "speed up the search" --mode auto', 'ratchet loop --loop-id loop-b-20261120T200203-4k2j9x0q --mode parallel'],
    load: () => import('./commands/loop.js'),
  },
  {
    name: 'status',
    summary: 'Show the server, the workers and the open runs, or one run',
    text: [
      'Never starts anything. Each run is one line: what it does, its pass rate, since when or when it ended, its project where',
      'several are listed, and what it waits for. With an id its iterations follow: strategy, pass rate, stuck tests, failing',
      'tests by criticality; of a cycle version and pass rate; of a loop what each worker did; then who is at work, what was',
      'spent, and its branch.',
      'Without an id, --project names the project whose runs are listed; without that they are those of every project.',
    ],
    arguments: [['[id]', 'Id of a run, open or closed, or the name of a session, cycle or loop of this project']],
    options: [
      ['--kind <kind>', 'Only runs of this kind: fix, cycle or loop'],
      ['--open', 'Only runs that are open (default)'],
      ['--closed', 'Only runs that have ended'],
      ['--all', 'Open runs and those that have ended'],
      ['--waiting', 'Only runs that wait for a person'],
      ['--since <when>', 'Only runs that are open or have ended since: 30m, 12h, 2d, 1w, or a date'],
      ['--limit <n>', 'At most so many, the newest first (default: 50)'],
    ],
    examples: ['ratchet status --waiting', 'ratchet status --closed --since 2d --kind fix', "ratchet status --json | jq -r '.runs[] | select(.waitingFor | startswith(\"person\")) | .id'"],
    load: () => import('./commands/status.js'),
  },
  {
    name: 'watch',
    summary: 'Follow a run to its end',
    text: [
      'Starts the server and the workers of the project where they are missing. The exit code is that of the run. In a',
      'terminal open questions are asked as they come.',
    ],
    arguments: [ID],
    options: [PLAIN],
    examples: ["ratchet watch WFS-test-shop && notify-send 'tests are green'"],
    load: () => import('./commands/watch.js'),
  },
  {
    name: 'pause',
    summary: 'Pause a run when the running step has ended',
    arguments: [ID],
    options: [['--now', 'Interrupt the running step; its agent session goes on after `ratchet resume`'], REASON],
    examples: ['ratchet pause WFS-test-shop --reason "demo at noon"'],
    load: () => import('./commands/pause.js'),
  },
  {
    name: 'resume',
    summary: 'Go on with a paused run, or with one that has not succeeded, and follow it',
    text: [
      'A run that was stopped, blocked, lost, or that failed is started again under its id and goes on where its record says.',
      'Where its iterations are spent it needs more: --max-iterations, or `ratchet extend`. A completed cycle or loop needs a',
      'further task.',
    ],
    arguments: [ID],
    options: [
      ['--max-iterations <n>', 'Iterations in all before giving up; more than the run has now'],
      ['--mode <mode>', 'Mode in which a loop goes on: interactive, auto or parallel'],
      AUTO,
      INTERACTIVE,
      DETACH,
      PLAIN,
    ],
    examples: ['ratchet resume WFS-test-shop --detach'],
    load: () => import('./commands/resume.js'),
  },
  {
    name: 'extend',
    summary: 'Give a test-fix run more iterations, or a dev cycle or loop a further task',
    text: [
      'An open run takes them as it goes; a cycle begins a further task in its next iteration, and adds one where it is in',
      'its last; a loop has it among its tasks at once. A closed run is started again with them, and followed: a session that',
      'has not succeeded, a cycle or loop in any case.',
    ],
    arguments: [ID, ['[text...]', 'fix: how many further iterations; cycle, loop: the further task']],
    options: [['--max-iterations <n>', 'fix: iterations in all, instead of further ones; cycle, loop: iterations for the further task'], AUTO, INTERACTIVE, DETACH, PLAIN],
    examples: ['ratchet extend WFS-test-shop 3', 'ratchet extend cycle-v1-20261120T200203-4k2j9x0q "also expire the links after an hour"'],
    load: () => import('./commands/extend.js'),
  },
  {
    name: 'stop',
    summary: 'Stop a run for good, keeping its branch and record',
    text: ['Waits until nothing of the run is left running.'],
    arguments: [ID],
    options: [REASON, ['--detach', 'Return at once']],
    examples: ['ratchet stop WFS-test-shop --reason "wrong branch"'],
    load: () => import('./commands/stop.js'),
  },
  {
    name: 'answer',
    summary: 'Answer the open questions of a run',
    arguments: [ID, ['[answer...]', 'One of the options, or text; without it each open question is asked']],
    options: [['--question <id>', 'Which question, where several are open']],
    text: [
      'Without an answer every open question is asked, one after the other; where nobody sits at a terminal, or with --json,',
      'they are listed. Between the iterations of an interactive cycle `extend` takes the further task along, and words behind',
      'another choice of a menu reach the agents. A decision of a cycle and a question of a loop also take own words.',
      'A test-fix run that has ended with proposed test changes takes `accept`, which applies exactly these patches and',
      'starts the run again, or `refuse`.',
    ],
    examples: ['ratchet answer WFS-test-shop allow', 'ratchet answer WFS-test-shop accept', 'ratchet answer cycle-v1-20261120T200203-4k2j9x0q extend "also write the docs"'],
    load: () => import('./commands/answer.js'),
  },
  {
    name: 'apply',
    summary: 'Bring the changes of a run into your working tree',
    text: [
      'Brings the best state that a run measured, as one change, and says how many tests pass before and after it. Nothing is',
      'committed and nothing of yours is overwritten: what conflicts is listed and left to you, with exit code 1. Where the run',
      'broke a test that passed before, it asks; without a terminal it needs --yes.',
    ],
    arguments: [ID],
    options: [['--yes', 'Apply it although tests are broken']],
    examples: ['ratchet apply WFS-test-shop'],
    load: () => import('./commands/apply.js'),
  },
  {
    name: 'report',
    summary: 'Write what a run did as a page to read, or as Markdown, JSON, CTRF or JUnit',
    text: [
      'The page is one file that needs no network: how the run ended, the pass rate over its iterations, each fix with its',
      'diff and what was measured against what was claimed, who worked when, what it cost, what still fails, and links to',
      'transcripts and records. Open runs and closed ones, also where no server knows them any more. Starts nothing.',
      'HTML is written into the record and its path printed; the other formats go to stdout. More: docs/report.md',
    ],
    arguments: [ID],
    options: [
      ['--format <format>', 'html (default), md, json, ctrf or junit'],
      ['--output <file>', 'Write it there; - is stdout'],
      ['--open', 'Show the page in the browser'],
    ],
    examples: ['ratchet report WFS-test-shop --open', 'ratchet report WFS-test-shop --format md | gh pr comment --body-file -'],
    load: () => import('./commands/report.js'),
  },
  {
    name: 'rebuild',
    summary: 'Write the state file of a dev cycle or loop anew where it was damaged or lost',
    text: [
      'From what its run knows, while the server has it, open or closed; else from the files that the agents',
      'wrote. What stood there is kept beside it, and what could not be found again is said. A test-fix session needs none of',
      'this: `ratchet resume` reads its files anew.',
    ],
    arguments: [['<id>', 'Id of a cycle or loop']],
    examples: ['ratchet rebuild cycle-v1-20261120T200203-4k2j9x0q'],
    load: () => import('./commands/rebuild.js'),
  },
  {
    name: 'logs',
    summary: 'Show the logs of the local server and workers, or what the agents of a run do',
    text: [
      'Of a run, open, closed or lost: each turn of its agents, what it said and which tools it used, with how it ended. The',
      'transcripts are on this machine; no server is needed.',
    ],
    arguments: [['[name]', 'supervisor, server, workflows, worker (of this project), project-<key> (default: all), or the id of a run']],
    options: [['-n, --lines <n>', 'Lines of each log, or of each turn (default: 40)'], ['--follow', 'Go on printing what is appended, until Ctrl-C']],
    examples: ['ratchet logs worker -n 200', 'ratchet logs WFS-test-shop --follow'],
    load: () => import('./commands/logs.js'),
  },
  {
    name: 'clean',
    summary: 'Remove what closed runs of this project left outside its working tree',
    text: [
      'Removes workspaces, branches, refs and kept agent turns of one closed run, or of all of them. Records in .workflow',
      'stay. Unless forced, what holds commits that are neither applied nor merged is kept, and the exit code is 1, as in a',
      'dry run. An open run is refused by its id, and left alone by --all.',
    ],
    arguments: [['[id]', 'The run to clean up after']],
    options: [
      ['--all', 'Every closed run of this project'],
      ['--force', 'Also delete commits that are not applied'],
      ['--cache', 'Remove downloaded and built programs'],
      ['--dry-run', 'Say what would be removed, and how much room it takes'],
    ],
    examples: ['ratchet clean --all --dry-run', "ratchet clean --all --dry-run --json | jq '.bytes'"],
    load: () => import('./commands/clean.js'),
  },
  {
    name: 'init',
    summary: 'Write a configuration from what is found here: agents and the test command',
    text: [
      'Looks for claude, codex, gemini, qwen and opencode, on PATH and in the node_modules of the project, and whether each',
      'is logged in: keys in the environment, and the files of a login, whose contents are never read. The first of them',
      'plays every role, and gemini, qwen and codex analyse where several are there. Registers the project. Nothing is asked',
      'over the network, and no default is written down.',
      'In a terminal what will be written is shown first. An existing configuration is left alone unless forced.',
    ],
    options: [
      ['--force', 'Replace a configuration that is there; the old one is kept beside it as .bak'],
      ['--yes', 'Write without asking'],
    ],
    examples: ['ratchet init && ratchet doctor'],
    load: () => import('./commands/init.js'),
  },
  {
    name: 'agents',
    summary: 'Show which coding agents are here and what they play, or try one',
    text: [
      'Each agent with its program and version, whether it is logged in, what it reports of its usage, and its roles.',
      'try runs two small turns of one agent, without a server, in an empty repository that is removed afterwards, and shows',
      'what it does as it does it. The second turn goes on in the session of the first in another process, as after a crash.',
      'It costs what two short prompts cost. More: docs/agents.md',
    ],
    arguments: [['[action]', 'try'], ['[name]', 'try: claude, codex, gemini, qwen, opencode, playbook, or an agent of the configuration']],
    options: [['--prompt <text>', 'try: what the first turn is asked (default: to write a small file)'], ['--timeout <duration>', 'try: for both turns together (default: 2m)']],
    examples: ['ratchet agents try claude', "ratchet agents --json | jq -r '.agents[] | select(.missing == \"\") | .name'"],
    load: () => import('./commands/agents.js'),
  },
  {
    name: 'doctor',
    summary: 'Check this machine and this project, and say how to fix what is wrong',
    text: [
      'FAIL keeps runs from working, warn does not: it says what is slow, or what dead processes have left behind.',
      'Mended is what nobody can miss: files of processes that are gone, processes of runs whose worker has died, an ignore',
      'file of .workflow, search attributes, workspaces of projects that are gone and hold no work. Each is asked about.',
    ],
    options: [['--explain', 'Say of each check what it is about'], ['--fix', 'Mend what can be mended safely; asks about each'], ['--yes', 'With --fix: without asking']],
    examples: ['ratchet doctor --fix', "ratchet doctor --json | jq '.checks[] | select(.ok | not)'"],
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'completion',
    summary: 'Print the script that makes Tab complete ratchet in a shell',
    text: [
      'Completes commands, options, their values, agents, and the names of sessions, cycles, loops and runs, from files:',
      'no server is asked or started.',
      'bash: write eval "$(ratchet completion bash)" into ~/.bashrc. zsh: the same with zsh into ~/.zshrc, below compinit.',
    ],
    arguments: [['<shell>', 'bash, zsh or fish']],
    examples: ['ratchet completion fish > ~/.config/fish/completions/ratchet.fish'],
    load: () => import('./commands/completion.js'),
  },
  {
    name: 'dev',
    summary: 'Keep the local server and workers running until Ctrl-C, or stop them',
    text: ['Without it they start when they are needed and stop 30 minutes after the last open run.'],
    options: [
      ['--stop', 'Stop the local server and workers; refused while runs are open'],
      ['--force', 'With --stop: also while runs are open; they go on at the next start'],
      ['--durable', 'Write every step to the disk at once: safe for power loss, slower'],
    ],
    examples: ['ratchet dev --stop'],
    load: () => import('./commands/dev.js'),
  },
  {
    name: 'worker',
    summary: 'Run the workers of this project against a Temporal server of your own',
    text: ['Runs in the foreground until Ctrl-C. Needs --address or --profile; for the local server there is `ratchet dev`.'],
    examples: ['ratchet worker --address temporal.example.com:7233 --namespace team'],
    load: () => import('./commands/worker.js'),
  },
]
