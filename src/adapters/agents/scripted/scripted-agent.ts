// The playbook agent: speaks the Agent Client Protocol on a stream and follows a playbook.
import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk'
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { TurnHeader } from '../../../contract/turn.js'
import { readHeader } from '../../../core/prompts/prompt-header.js'
import type { AgentProcess, Stage } from './scripted-actions.js'
import { playStep, turnName } from './player.js'
import type { Playbook } from './schema.js'
import { SessionStore, type Session } from './scripted-sessions.js'

type Usage = { inputTokens: number; outputTokens: number; totalTokens: number }

/** Plays a playbook until its stream closes. `file` is the playbook's absolute path. */
export async function servePlaybook(
  playbook: Playbook,
  file: string,
  stream: Stream,
  process: AgentProcess,
): Promise<void> {
  const store = new SessionStore(process.env)
  const running = new Map<string, AbortController>()
  const open = (id: string): Session => {
    const session = store.read(id)
    if (session === undefined) throw RequestError.resourceNotFound(id)
    return session
  }
  const app = agent({ name: 'ratchet-playbook' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'ratchet-playbook', version: '1' },
      agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } },
    }))
    .onRequest(methods.agent.session.new, ({ params }) => ({
      sessionId: store.create(randomUUID(), params.cwd).id,
    }))
    .onRequest(methods.agent.session.resume, ({ params }) => (open(params.sessionId), {}))
    .onRequest(methods.agent.session.load, ({ params }) => (open(params.sessionId), {}))
    .onRequest(
      methods.agent.session.close,
      ({ params }) => (running.get(params.sessionId)?.abort(), {}),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) =>
      running.get(params.sessionId)?.abort(),
    )
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = open(params.sessionId)
      const header = readHeader(
        params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
      )
      mark(playbook, file, session, header, process)
      const cancel = new AbortController()
      running.set(session.id, cancel)
      const turn = turnName(header)
      const again = (header?.attempt ?? 1) > 1
      if (!again) store.begin(session, turn)
      const progress = {
        done: again ? (session.done[turn] ?? 0) : 0,
        nth: session.times[turn] ?? 1,
        finished: (count: number) => {
          session.done[turn] = count
          store.save(session)
        },
        planned: (action: number) => ({
          text:
            session.planned?.turn === turn && session.planned.action === action
              ? session.planned.text
              : undefined,
          note: (text: string) => {
            session.planned = { turn, action, text }
            store.save(session)
          },
        }),
      }
      const { stage, usage } = stageOf(store, session, header, client, process, cancel.signal, () =>
        running.delete(session.id),
      )
      const end = await playStep(playbook, header, progress, stage)
      running.delete(session.id)
      if ('error' in end) throw new RequestError(end.error.code, end.error.message, end.error.data)
      return { ...end, ...usage() }
    })
  await app.connect(stream).closed
}

function stageOf(
  store: SessionStore,
  session: Session,
  header: TurnHeader | undefined,
  client: AgentContext,
  process: AgentProcess,
  signal: AbortSignal,
  deafen: () => void,
): { stage: Omit<Stage, 'planned'>; usage: () => { usage?: Usage } } {
  const sessionId = session.id
  // What has ended says nothing more, and does nothing more.
  const update = (change: SessionUpdate): Promise<void> =>
    process.ended?.aborted === true
      ? new Promise(() => undefined)
      : client.notify(methods.client.session.update, { sessionId, update: change })
  let used: Usage | undefined
  const stage: Omit<Stage, 'planned'> = {
    cwd: session.cwd,
    process,
    header,
    signal: process.ended === undefined ? signal : AbortSignal.any([signal, process.ended]),
    deafen,
    limited: () => {
      const turn = turnName(header)
      const times = (session.limited[turn] ?? 0) + 1
      session.limited[turn] = times
      store.save(session)
      return times
    },
    say: (text) =>
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
    tool: ({ id: toolCallId, title, kind, status, file }) =>
      status === 'in_progress'
        ? update({
            sessionUpdate: 'tool_call',
            toolCallId,
            title,
            kind,
            status,
            ...(file === undefined ? {} : { locations: [{ path: file }] }),
          })
        : update({ sessionUpdate: 'tool_call_update', toolCallId, status }),
    async ask(title) {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: randomUUID(), title, kind: 'other', status: 'pending' },
        options: [
          { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
          { optionId: 'no', name: 'Refuse', kind: 'reject_once' },
        ],
      })
      return outcome.outcome === 'cancelled'
        ? 'cancelled'
        : outcome.optionId === 'yes'
          ? 'allowed'
          : 'denied'
    },
    async tokens({ input, output, cost }) {
      const { inputTokens = 0, outputTokens = 0 } = used ?? {}
      used = {
        inputTokens: inputTokens + input,
        outputTokens: outputTokens + output,
        totalTokens: inputTokens + input + outputTokens + output,
      }
      // As it goes, on an empty chunk, as real agents do.
      await update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '' },
        _meta: { usage: { inputTokens: input, outputTokens: output } },
      })
      session.costUsd += cost ?? 0
      if (cost !== undefined)
        await update({
          sessionUpdate: 'usage_update',
          used: input + output,
          size: 200_000,
          cost: { amount: session.costUsd, currency: 'USD' },
        })
    },
  }
  return { stage, usage: () => (used === undefined ? {} : { usage: used }) }
}

// Tests and the demo count these lines: a turn that is bought twice shows here.
function mark(
  playbook: Playbook,
  file: string,
  session: Session,
  header: TurnHeader | undefined,
  process: AgentProcess,
): void {
  const markers = process.env['RATCHET_PLAYBOOK_MARKERS'] ?? playbook.markers
  if (markers === undefined) return
  const { run, kind, role, task, iteration, turn, attempt } = header ?? {}
  const line = {
    run,
    kind,
    role,
    task,
    iteration,
    turn,
    attempt,
    session: session.id,
    pid: process.pid,
    at: new Date().toISOString(),
  }
  appendFileSync(path.resolve(path.dirname(file), markers), `${JSON.stringify(line)}\n`)
}
