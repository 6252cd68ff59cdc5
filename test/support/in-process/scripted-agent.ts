// The scripted agent without a start of Node: it runs in this process, with a `sleep` as its body.
// The body has the pid, the group and the markers of an agent, so code that finds or ends its
// processes works on a real one.
import { PassThrough, Readable, Writable } from 'node:stream'
import type { ChildProcess } from 'node:child_process'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { playbookProgram } from '../../../src/adapters/agents/agent-command.js'
import { servePlaybook } from '../../../src/adapters/agents/scripted/scripted-agent.js'
import { readPlaybook } from '../../../src/adapters/agents/scripted/schema.js'
import {
  spawnGroup,
  type GroupProcess,
  type SpawnGroup,
} from '../../../src/adapters/process/spawn-group.js'
import { MARKERS } from '../../../src/contract/names.js'

const BODY: [string, ...string[]] = ['sleep', '86400']

type Exit = Awaited<GroupProcess['exited']>

/**
 * Starts scripted agents in this process, with their sessions in this directory, and any other
 * program as a normal process. `scripted`: recognises them. At `death` all of them stop at once.
 */
export const scriptedSpawn =
  (sessions: string, scripted = playbookProgram(), death?: AbortSignal): SpawnGroup =>
  async (options) => {
    const [, program, file] = options.argv
    if (program !== scripted || file === undefined) return spawnGroup(options)
    const body = await spawnGroup({ ...options, argv: BODY })
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const life = new AbortController()
    let exit: Exit | undefined
    const die = (how: Exit): void => {
      exit ??= how
      if (life.signal.aborted) return
      life.abort()
      for (const stream of [stdin, stdout, stderr]) stream.end()
      body.child.kill('SIGKILL')
    }
    const dieAtOnce = (): void => die({ code: null, signal: 'SIGKILL' })
    death?.addEventListener('abort', dieAtOnce)
    const exited = body.exited.then((how) => {
      death?.removeEventListener('abort', dieAtOnce)
      die(how)
      return exit ?? how
    })
    const read = readPlaybook(file)
    if (read.ok) {
      const env = {
        ...options.env,
        RATCHET_PLAYBOOK_STATE: sessions,
        [MARKERS.run]: options.markers.run,
        [MARKERS.step]: options.markers.step,
      }
      const stream = ndJsonStream(
        Writable.toWeb(stdout) as WritableStream<Uint8Array>,
        Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
      )
      const process = {
        pid: body.identity.pid,
        env,
        ended: life.signal,
        exit: (code: number, lastWords: string) => {
          stderr.write(lastWords)
          die({ code, signal: null })
        },
      }
      void servePlaybook(read.playbook, file, stream, process).then(() =>
        die({ code: 0, signal: null }),
      )
    } else {
      stderr.write(`[playbook] ${read.problem}\n`)
      die({ code: 2, signal: null })
    }
    return {
      identity: body.identity,
      child: { stdin, stdout, stderr } as unknown as ChildProcess,
      exited,
      closeOutput: () => Promise.resolve(),
    }
  }
