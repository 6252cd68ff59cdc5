// The shared discovery board: what the four agents tell each other, one JSON object a line.
import { z } from 'zod'

/** The four agents of a dev cycle, in the order in which one reads what the other wrote. */
export const PHASES = ['ra', 'ep', 'cd', 'vas'] as const
export const Phase = z.enum(PHASES)
export type Phase = z.infer<typeof Phase>

/**
 * Longest line of a board, in bytes: up to here an append is one write, whatever else is appended
 * at the time.
 */
export const DISCOVERY_BYTES = 4_096

/**
 * Who writes a type, what tells two of its entries apart (`singleton`: there is one), and the data
 * it needs. A field that ends in `?` may be left out.
 */
export type DiscoveryType = {
  writers: readonly Phase[]
  key: string
  data: readonly string[]
  readers: readonly Phase[]
}

/** Every type of entry that the sources name. Others are kept, told apart by their whole data. */
export const DISCOVERY_TYPES: Readonly<Record<string, DiscoveryType>> = {
  tech_stack: {
    writers: ['ra'],
    key: 'singleton',
    data: ['language', 'framework', 'test', 'build'],
    readers: ['ep', 'cd', 'vas'],
  },
  project_config: {
    writers: ['ra'],
    key: 'path',
    data: ['path', 'key_deps', 'scripts'],
    readers: ['ep'],
  },
  existing_feature: {
    writers: ['ra', 'ep'],
    key: 'name',
    data: ['name', 'files', 'summary'],
    readers: ['ep'],
  },
  architecture: {
    writers: ['ep'],
    key: 'singleton',
    data: ['pattern', 'layers', 'entry'],
    readers: ['ra', 'cd', 'vas'],
  },
  code_pattern: {
    writers: ['ep', 'cd'],
    key: 'name',
    data: ['name', 'description', 'example_file'],
    readers: ['cd', 'vas'],
  },
  integration_point: {
    writers: ['ep'],
    key: 'file',
    data: ['file', 'description', 'exports'],
    readers: ['cd', 'vas'],
  },
  similar_impl: {
    writers: ['ep'],
    key: 'feature',
    data: ['feature', 'files', 'relevance'],
    readers: ['ra', 'cd'],
  },
  code_convention: {
    writers: ['cd'],
    key: 'singleton',
    data: ['naming', 'imports', 'formatting'],
    readers: ['vas'],
  },
  utility: { writers: ['cd'], key: 'name', data: ['name', 'file', 'usage'], readers: ['vas'] },
  test_command: {
    writers: ['cd', 'vas'],
    key: 'singleton',
    data: ['unit', 'integration?', 'e2e?', 'coverage?'],
    readers: ['ep', 'cd', 'vas'],
  },
  test_baseline: {
    writers: ['vas'],
    key: 'singleton',
    data: ['total', 'passing', 'coverage_pct', 'framework', 'config'],
    readers: ['ra', 'ep', 'cd'],
  },
  test_pattern: {
    writers: ['vas'],
    key: 'singleton',
    data: ['style', 'naming', 'fixtures'],
    readers: ['cd'],
  },
  blocker: {
    writers: PHASES,
    key: 'issue',
    data: ['issue', 'severity', 'impact'],
    readers: PHASES,
  },
}

/** One line of a board. */
export const Discovery = z.object({
  ts: z.string(),
  agent: z.string(),
  type: z.string().min(1),
  data: z.record(z.string(), z.unknown()),
})
export type Discovery = z.infer<typeof Discovery>
