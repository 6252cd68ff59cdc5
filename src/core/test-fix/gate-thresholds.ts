// What the task file of a gate asks for. What it does not name, or names so that it cannot be read,
// has its default in quality-gate.ts.
import { z } from 'zod'
import type { GateThresholds } from '../../contract/test-fix/test-quality.js'
import { fieldOf } from '../text/field-of.js'

const Count = z.number().int().min(0)
const Percent = z.number().min(0).max(100)

/** Most retries that a task may name: each is a turn, or two. */
export const MOST_RETRIES = 10

/** Names that task files use, by ours. */
const COUNTS = {
  critical: ['critical'],
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
} as const
const COVERAGE = {
  lines: ['line', 'lines'],
  branches: ['branch', 'branches'],
  functions: ['function', 'functions'],
} as const
const COVERAGE_FIELDS = [
  'coverage',
  'coverage_target',
  'coverage_targets',
  'coverage_threshold',
  'coverage_thresholds',
]

/** The limits that a task names; the gates stand above the scan, the scan above `meta`. */
export function gateThresholds(task: unknown): GateThresholds {
  const flow = fieldOf(task, 'flow_control')
  const scan = fieldOf(flow, 'ai_issue_scan')
  const gates = fieldOf(flow, 'quality_gates') ?? fieldOf(task, 'quality_gates')
  const retries = [
    fieldOf(gates, 'max_retries'),
    fieldOf(scan, 'max_retries'),
    fieldOf(fieldOf(task, 'meta'), 'max_retries'),
  ].find((value) => Count.safeParse(value).success)
  return {
    ...coverage(fieldOf(fieldOf(task, 'meta'), 'coverage_target')),
    ...counts(fieldOf(scan, 'thresholds')),
    ...counts(fieldOf(gates, 'thresholds')),
    ...counts(gates),
    ...coverage(gates),
    ...(Object.assign(
      {},
      ...COVERAGE_FIELDS.map((name) => coverage(fieldOf(gates, name))),
    ) as GateThresholds),
    ...(retries === undefined ? {} : { retries: Math.min(retries as number, MOST_RETRIES) }),
  }
}

function counts(from: unknown): GateThresholds {
  return named(COUNTS, from, (value) => Count.safeParse(value).data)
}

/** "line:80%,branch:70%", { line: 80 }, "80%" or 80; a single number is that of lines. */
function coverage(from: unknown): GateThresholds {
  if (typeof from === 'number') return coverage(String(from))
  if (typeof from !== 'string') return named(COVERAGE, from, percent)
  const pairs = [...from.matchAll(/([a-z]+)\s*[:=]\s*(\d+(?:\.\d+)?)/gi)].map(
    ([, name = '', value]) => [name.toLowerCase(), Number(value)],
  )
  return coverage(pairs.length > 0 ? Object.fromEntries(pairs) : { lines: from })
}

function percent(value: unknown): number | undefined {
  const plain = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(value)?.[1] : value
  return Percent.safeParse(typeof plain === 'string' ? Number(plain) : plain).data
}

function named(
  names: Record<string, readonly string[]>,
  from: unknown,
  read: (value: unknown) => number | undefined,
): GateThresholds {
  return Object.fromEntries(
    Object.entries(names).flatMap(([ours, theirs]) => {
      const value = theirs.map((name) => read(fieldOf(from, name))).find((one) => one !== undefined)
      return value === undefined ? [] : [[ours, value]]
    }),
  )
}
