// The machine of a result: enough to compare two results, without names of machines or users.
import os from 'node:os'
import { SERVER_VERSION } from '../../src/dev-server/temporal-binary.js'

export type Machine = {
  cpu: string
  cores: number
  memoryGb: number
  system: string
  node: string
  server: string
}

/** This machine. `memoryGb` is rounded. */
export function thisMachine(): Machine {
  const cpus = os.cpus()
  return {
    cpu: (cpus[0]?.model ?? 'unknown')
      .replace(/\((R|TM)\)/gi, '')
      .replace(/\s+/g, ' ')
      .trim(),
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.platform()} ${os.arch()}`,
    node: process.version,
    server: SERVER_VERSION,
  }
}

/** The machine in the name of a file, like `intel-xeon-2-cores-8-gb`. */
export function machineName({ cpu, cores, memoryGb }: Machine): string {
  const model = cpu
    .toLowerCase()
    .replace(/\bcpu\b|\bprocessor\b|@.*$/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${model}-${cores}-cores-${memoryGb}-gb`
}
