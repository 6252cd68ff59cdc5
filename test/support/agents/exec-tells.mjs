// A one-shot command that prints its arguments and environment as one JSON document, in the way
// named by its first argument.
import { readFileSync, statSync } from 'node:fs'
import { text as all } from 'node:stream/consumers'
import { spawn } from 'node:child_process'

const [way, ...args] = process.argv.slice(2)
const tell = (fields) => process.stdout.write(JSON.stringify(fields))
const MB = 1 << 20

switch (way) {
  case 'called': {
    const stdin = await all(process.stdin)
    const file = args.find((arg) => arg.startsWith('/'))
    tell({
      result: JSON.stringify({
        args,
        stdin: stdin.slice(0, 20),
        chars: stdin.length,
        file: file && {
          text: readFileSync(file, 'utf8'),
          mode: (statSync(file).mode & 0o777).toString(8),
          path: file,
        },
      }),
    })
    break
  }
  case 'env':
    tell({ result: Object.keys(process.env).sort().join(',') })
    break
  case 'floods':
    for (let mb = 0; mb < 20; mb++)
      await new Promise((resolve) => process.stdout.write('x'.repeat(MB), resolve))
    break
  // A child in the same group keeps running and holds the pipe.
  case 'holds':
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }).unref()
    tell({ result: 'answered', session_id: 'held' })
    break
  // A child keeps running and prints endlessly.
  case 'serves':
    spawn(process.execPath, ['-e', "setInterval(() => process.stderr.write('GET / 200\\n'), 50)"], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    }).unref()
    tell({ result: 'answered', session_id: 'served' })
    break
  // Ignores its input.
  case 'deaf':
    process.stdin.destroy()
    tell({ result: 'did not listen' })
    break
  // Says nothing on its standard output.
  case 'quiet':
    process.stderr.write('begun\n')
    setInterval(() => {}, 1_000)
    break
  // Ignores interrupts and TERM.
  case 'stubborn':
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {})
    process.stderr.write('begun\n')
    setInterval(() => {}, 1_000)
    break
  // A wrapper whose child does the work: only the group as a whole can be interrupted.
  case 'wraps': {
    const child = spawn(
      process.execPath,
      [
        '-e',
        "process.on('SIGINT', () => { process.stdout.write('interrupted'); process.exit(0) }); process.stdout.write('begun '); setInterval(() => {}, 1000)",
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    process.on('SIGINT', () => {})
    child.once('exit', () => process.exit(130))
    break
  }
  // Its tokens are those of the session so far: 100 a prompt, as its second argument counts.
  case 'counts':
    process.stdout.write(
      `{"type":"thread.started","thread_id":"t-1"}\n{"type":"turn.completed","usage":{"input_tokens":${100 * Number(args[0])},"output_tokens":${10 * Number(args[0])}}}\n`,
    )
    break
  // Prints its last event, then neither ends nor reacts to an interrupt.
  case 'lingers':
    process.on('SIGINT', () => {})
    process.stdout.write(`${args[0]}\n`)
    setInterval(() => {}, 1_000)
    break
  case 'costs':
    tell({ result: 'ok', session_id: 'c-1', total_cost_usd: Number(args[0]) })
    break
  case 'fails':
    tell({ is_error: true, session_id: 'f-1', error: JSON.parse(args[0]) })
    process.exitCode = 1
    break
  default:
    process.stderr.write(`no such way: ${way}\n`)
    process.exitCode = 64
}
