// A user of this machine at the port of a server, private or not: the real workers and the client
// library, in the process of a test.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { onTestFinished } from 'vitest'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { self } from '../../../src/adapters/process/identity.js'
import { signingKey } from '../../../src/adapters/signing/signing-key.js'
import { hostId, layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { connect, type Ratchet } from '../../../src/client/index.js'
import { projectQueue, UPDATES } from '../../../src/contract/names.js'
import { createProjectWorker } from '../../../src/worker/project-worker.js'
import { createWorkflowWorker } from '../../../src/worker/workflow-worker.js'
import { sharedServer } from '../in-process/namespace.js'
import { makeRepo, SAMPLE, tempDir } from '../repositories/repos.js'
import { workflowBundle } from '../servers/workflow-env.js'
import { waitFor } from '../wait.js'

/** A user of this machine, with a project whose tests last until `finish`. */
export type PortUser = {
  project: string
  queue: string
  ratchet: Ratchet
  /** With which a private server signs. */
  key: string
  /** Whether the project's test command ran. */
  ran: () => boolean
  finish: () => void
  /** Starts the workflow worker. */
  workflows: () => Promise<void>
}

let ids = 0

/** Makes such a user with the project's worker, for one test. */
export async function portUser(
  server: TestWorkflowEnvironment,
  isPrivate: boolean,
): Promise<PortUser> {
  const home = tempDir()
  const [ran, go] = ['ran', 'go'].map((name) => path.join(home, name)) as [string, string]
  const project = makeRepo({
    ...SAMPLE,
    'ratchet.config.json': JSON.stringify({
      roles: { default: 'playbook' },
      test: {
        command: ['sh', '-c', `touch ${ran}; while [ ! -e ${go} ]; do sleep 0.1; done`],
        report: { format: 'junit', path: 'x.xml' },
      },
    }),
    'ratchet.playbook.yaml': 'steps: []\n',
  })
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: path.join(home, 's') }
  const dirs = userDirs(env)
  const namespace = server.namespace ?? ''
  await registerProject(dirs, project)
  mkdirSync(layout.server(dirs), { recursive: true })
  const record = { identity: self(), address: sharedServer(), private: isPrivate }
  writeFileSync(layout.serverRecord(dirs), JSON.stringify(record))
  const key = signingKey(dirs)
  const parts = {
    env,
    signingKey: isPrivate ? key : undefined,
    log: () => undefined,
  }
  const kept = (running: { worker: { run: () => Promise<void>; shutdown: () => void } }): void => {
    const over = running.worker.run()
    onTestFinished(async () => {
      running.worker.shutdown()
      await over
    })
  }
  kept(await createProjectWorker(server.nativeConnection, { namespace, project }, undefined, parts))
  const ratchet = await connect({ address: sharedServer(), namespace }, env)
  onTestFinished(() => ratchet.close())
  onTestFinished(() => writeFileSync(go, ''))
  let begun = false
  return {
    project,
    queue: projectQueue(hostId(dirs), projectKey(project)),
    ratchet,
    key,
    ran: () => existsSync(ran),
    finish: () => writeFileSync(go, ''),
    workflows: async () => {
      if (begun) return
      begun = true
      kept(
        await createWorkflowWorker(
          server.nativeConnection,
          { namespace },
          {
            ...parts,
            workflowBundle: await workflowBundle(),
          },
        ),
      )
    },
  }
}

export const newId = (): string => `run-${process.pid}-${ids++}`

/** A run of the user whose tests are under way. */
export async function ownRun(user: PortUser): Promise<string> {
  const id = newId()
  await user.workflows()
  await user.ratchet.startTestFix({ project: user.project }, undefined, id)
  const handle = user.ratchet.client.workflow.getHandle(id)
  onTestFinished(async () => void (await handle.terminate().catch(() => undefined))) // it may have ended
  await waitFor(user.ran, { what: 'the tests of the user', timeoutMs: 30_000 })
  return id
}

export const QUESTION = {
  id: 'permission-1',
  kind: 'permission',
  text: 'May the agent write outside?',
  options: ['allow', 'deny'],
  askedAt: 1,
}

/** A run of the user that waits for an answer. */
export async function asking(user: PortUser): Promise<string> {
  const id = await ownRun(user)
  const asked = user.ratchet.client.workflow.getHandle(id)
  await asked.startUpdate(UPDATES.ask, { args: [QUESTION], waitForStage: 'ACCEPTED' })
  return id
}
