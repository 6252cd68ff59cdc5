// Whether two addresses name the same port of this machine.

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/** @param local an address of this machine, `127.0.0.1:7233` */
export function isAt(address: string, local: string): boolean {
  const [one, other] = [URL.parse(`http://${address}`), URL.parse(`http://${local}`)]
  return one !== null && one.port === other?.port && LOOPBACK.test(one.hostname)
}
