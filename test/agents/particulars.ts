// How the five agents differ, as `npm run agents` sees it. A test compares docs/agents-measured.md
// with this.
import type { KnownName } from '../../src/contract/known-agents.js'
import type { Case } from '../support/agents/conformance.js'

export type Particulars = {
  /** How many model calls of a turn its usage counts. */
  counts: 'all' | 'last'
  /**
   * A shell command under policy `deny`: refused and named, run in the agent's own sandbox, or no
   * shell at all.
   */
  shellDenied: 'refused' | 'sandboxed' | 'no shell'
  /**
   * Whether the history of the next process reliably has the answer of a turn; it always has the
   * prompt.
   */
  answerKept: boolean
  /** Whether policy `ask` asks a person about a shell command. */
  asksForShell: boolean
  /**
   * How a 429 ends the turn; `retries`: the agent retries for minutes, until the turn's limit.
   */
  onLimit: 'rate_limited' | 'retries'
  /** The same of its recipe as a one-shot command; `failed`: it names the limit in words only. */
  onLimitOnce: 'rate_limited' | 'failed' | 'retries'
  /** A model set by the config, and its name at the stub. */
  model: { name: string; seen: string }
  /** Reason of a refused key, and of a missing one. */
  refusedKey: RegExp
  noKey: RegExp
  /** Why it cannot run a case of the conformance suite. */
  cannot: Partial<Record<Case, string>>
  /** A cancelled prompt is missing in its history, so a later one looks like the first. */
  forgets?: true
}

export const PARTICULARS: Readonly<Record<KnownName, Particulars>> = {
  claude: {
    counts: 'all',
    shellDenied: 'refused',
    answerKept: true,
    asksForShell: true,
    onLimit: 'rate_limited',
    onLimitOnce: 'rate_limited',
    model: { name: 'haiku', seen: 'claude-haiku-4-5-20251001' },
    refusedKey: /401/,
    noKey: /not logged in or has no key/,
    cannot: {},
  },
  codex: {
    counts: 'all',
    shellDenied: 'sandboxed',
    answerKept: true,
    asksForShell: false,
    onLimit: 'rate_limited',
    onLimitOnce: 'failed',
    model: { name: 'gpt-6.1-sol', seen: 'gpt-6.1-sol' },
    refusedKey: /not logged in or has no key/,
    noKey: /OPENAI_API_KEY/,
    cannot: { asked: 'its sandbox holds commands, and it asks only for what that forbids' },
  },
  gemini: {
    counts: 'all',
    shellDenied: 'refused',
    answerKept: true,
    asksForShell: true,
    onLimit: 'rate_limited',
    onLimitOnce: 'failed',
    model: { name: 'gemini-2.5-flash', seen: 'gemini-2.5-flash' },
    refusedKey: /not logged in or has no key/,
    noKey: /not logged in or has no key/,
    cannot: {},
    forgets: true,
  },
  qwen: {
    counts: 'all',
    shellDenied: 'refused',
    answerKept: false,
    asksForShell: true,
    onLimit: 'retries',
    onLimitOnce: 'retries',
    model: { name: 'other-model', seen: 'other-model' },
    refusedKey: /401/,
    noKey: /not logged in or has no key/,
    cannot: { limited: 'it repeats a limited call for minutes and reports nothing' },
  },
  opencode: {
    counts: 'last',
    shellDenied: 'no shell',
    answerKept: true,
    asksForShell: true,
    onLimit: 'retries',
    onLimitOnce: 'retries',
    model: { name: 'stub/other-model', seen: 'other-model' },
    refusedKey: /401/,
    noKey: /needs a provider's key \(ANTHROPIC_API_KEY/,
    cannot: {
      asked: 'without leave it has no shell tool',
      limited: 'it repeats a limited call for minutes and reports nothing',
    },
  },
}
