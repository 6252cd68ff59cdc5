// The command line of docker or podman for a set of rules. It sees nothing of the host but what is
// mounted. Source: docker-run(1) 28, podman-run(1) 4.3.
import type { Engine } from '../../contract/sandbox.js'
import { EMPTY_DIRS } from './bwrap-command.js'
import { innermost, type Mount } from './sandbox-mounts.js'

/** Node of Ratchet inside: the image may have another one of its own. */
export const NODE_INSIDE = '/ratchet/node'

/** Variables that are of the host, or name its files. */
const OF_HOST =
  /^(?:PATH|PWD|OLDPWD|SHLVL|_|HOSTNAME|LD_.*|DOCKER_.*|CONTAINERS?_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL)_CA_BUNDLE)$/

export type ContainerInput = {
  engine: Engine
  program: string
  image: string
  /** By which it is ended. */
  name: string
  /** In the order they are made; each exists. */
  mounts: readonly (Mount & { isDirectory: boolean })[]
  cwd: string
  home: string
  user: { uid: number; gid: number }
  /** Names of variables whose values the engine's program has in its own environment. */
  variables: readonly string[]
  /** Variables that are no secret. */
  set: Readonly<Record<string, string>>
}

/**
 * The arguments in front of a command.
 *
 * @throws Error for a path that the engines cannot take
 */
export function containerCommand(input: ContainerInput): [string, ...string[]] {
  const { engine, program, image, name, mounts, cwd, home, user, variables, set } = input
  const seen = mounts.filter(({ kind }) => kind !== 'hide').map(({ path }) => path)
  return [
    program,
    'run',
    '--rm',
    '--interactive',
    ...['--pull', 'never'],
    ...['--name', name],
    ...['--network', 'none'],
    '--read-only',
    ...['--cap-drop', 'ALL'],
    ...['--security-opt', 'no-new-privileges', '--security-opt', 'label=disable'],
    ...['--user', `${user.uid}:${user.gid}`],
    ...(engine === 'podman' && user.uid !== 0 ? ['--userns', 'keep-id'] : []),
    ...[...EMPTY_DIRS, home].flatMap(emptied),
    // What is not mounted is not there.
    ...mounts
      .filter(({ path, kind }) => kind !== 'hide' || innermost(path, seen) !== undefined)
      .flatMap(mounted),
    ...['--workdir', cwd],
    ...variables.filter((one) => !OF_HOST.test(one)).flatMap((one) => ['--env', one]),
    ...Object.entries(set).flatMap(([one, value]) => ['--env', `${one}=${value}`]),
    ...['--entrypoint', NODE_INSIDE],
    image,
  ]
}

function mounted({
  path,
  kind,
  from = path,
  isDirectory,
}: ContainerInput['mounts'][number]): string[] {
  if (kind === 'hide' && isDirectory) return emptied(path)
  const source = kind === 'hide' ? '/dev/null' : from
  const rule = `type=bind,src=${plain(source)},dst=${plain(path)}`
  return ['--mount', kind === 'write' ? rule : `${rule},readonly`]
}

const emptied = (dir: string): string[] => ['--tmpfs', `${plain(dir)}:rw,exec,mode=1777`]

// The engines split these at commas and colons.
function plain(path: string): string {
  if (/[,:"\n]/.test(path))
    throw new Error(`a container cannot have the path ${JSON.stringify(path)}: rename it`)
  return path
}
