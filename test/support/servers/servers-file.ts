// Where test processes learn of the servers. A file of its own: what gets them loads much, and each
// test file waits here.

/** Variable that names a file, which is there as soon as the answer is known. */
export const SERVERS_FILE = 'RATCHET_TEST_SERVERS'

/** Variables that tell test processes where the servers are. */
export type Programs = { TEMPORAL_CLI_PATH: string; RATCHET_TEST_SERVER_PATH: string }
/** With the address of the server that all files share. */
export type Servers = Programs & {
  RATCHET_TEST_ADDRESS: string
  RATCHET_TEST_API_PORT: string
}
export type ServersAnswer = Servers | { problem: string }
