// Says what enclosed the programs of a run.

/** `bwrap around agents, set-up, checks and tests` */
export function enclosureText(sandbox: string): string {
  return `${sandbox} around agents, set-up, checks and tests`
}
