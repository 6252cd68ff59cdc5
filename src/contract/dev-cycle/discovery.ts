// The shared discovery board on which the four agents exchange findings, one JSON object per line.
import { z } from 'zod'

/** The four agents of a dev cycle; each reads what the ones before it wrote. */
export const PHASES = ['ra', 'ep', 'cd', 'vas'] as const
export const Phase = z.enum(PHASES)
export type Phase = z.infer<typeof Phase>

/** Longest line of a board, in bytes: up to this size an append is one atomic write. */
export const DISCOVERY_BYTES = 4_096

/**
 * Authors of a type, the key that distinguishes its entries (`singleton`: there is only one), and
 * its data. A field that ends in `?` is optional.
 */
export type DiscoveryType = {
  writers: readonly Phase[]
  key: string
  data: readonly string[]
  readers: readonly Phase[]
}

/** Known types of entries. Others are kept and distinguished by their whole data. */
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
