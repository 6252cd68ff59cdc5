// An agent with a scripted behaviour, and what a try of it leaves behind.
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { repository, type ProjectOwner } from './real-run.js'

const REMEMBERS = fileURLToPath(new URL('../agents/remembers.mjs', import.meta.url))

/** A project whose agent `mine` behaves so. */
export function withAgent(user: ProjectOwner, name: string, manner: string): string {
  const store = path.join(user.root, `store-${name}`)
  mkdirSync(store)
  return repository(user, name, undefined, {
    agents: {
      mine: { protocol: 'acp', command: process.execPath, args: [REMEMBERS, store, manner] },
    },
  })
}

/** Leftovers of tries. */
export const triesOf = (user: ProjectOwner): string[] =>
  readdirSync(path.join(user.root, 'state/ratchet/tries'))
