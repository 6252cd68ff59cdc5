// ratchet worker: runs the workers of this project against the user's own server, as child
// processes in the foreground.
import { isAt } from '../../core/local-address.js'
import { recordedServer } from '../../dev-server/server-record.js'
import { registerProject } from '../../adapters/config/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import type { Context } from '../context.js'
import { EXIT, badInput, unavailable } from '../output/errors.js'
import { preflight, projectDir } from '../start/project.js'
import { isRemote, namedServer } from '../start/server.js'
import { foregroundWorkers } from '../start/worker-processes.js'

const GRACE_MS = 30_000

export async function run(context: Context): Promise<number> {
  const { out } = context
  if (!isRemote(context.server))
    throw badInput(
      'no server named',
      'ratchet worker',
      'name one with --address or --profile; for the local server use: ratchet dev',
    )
  const project = projectDir(context.project)
  await preflight(project, undefined, context.project.env)
  const { address, namespace, apiKey, tls } = await namedServer(context.server)
  if (apiKey !== undefined || (tls !== undefined && tls !== false))
    throw badInput(
      'workers do not yet support servers with TLS or an API key',
      address,
      'use a server without them, for example on this machine or through a tunnel',
    )

  const dirs = userDirs(context.project.env)
  const local = recordedServer(dirs)
  if (local?.private === true && isAt(address, local.address))
    throw badInput(
      'this is your private server, whose workers check signatures',
      address,
      'use its own workers: ratchet dev',
    )
  const workers = foregroundWorkers(dirs, {
    project: await registerProject(dirs, project),
    address,
    namespace,
    env: context.project.env,
  })
  out.takesInterrupt()
  const interruption = new Promise<'interrupted'>((resolve) => {
    if (out.interrupted.aborted) resolve('interrupted')
    out.interrupted.addEventListener('abort', () => resolve('interrupted'), { once: true })
  })
  const hold = setInterval(() => undefined, 60_000)
  try {
    const ready = await Promise.race([workers.ready(), interruption])
    if (ready === 'interrupted') return EXIT.interrupted
    if (ready === undefined) {
      const lines = workers.list()
      out.answer({ workers: lines }, [
        ...lines.map((w) => `worker   ${w.kind}  ${w.queue}  process ${w.pid}  log ${w.log}`),
        'Ctrl-C stops them',
      ])
    }
    const ended = ready ?? (await Promise.race([workers.oneEnded(), interruption]))
    if (ended === 'interrupted') return EXIT.interrupted
    throw unavailable(
      'NoWorker',
      `a worker exited: ${ended.how}`,
      `${ended.log}\n${ended.tail}`,
      `check that ${address} has the namespace ${namespace}, then try again`,
    )
  } finally {
    clearInterval(hold)
    await workers.end(GRACE_MS)
  }
}
