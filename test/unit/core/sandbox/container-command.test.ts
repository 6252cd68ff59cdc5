import { describe, expect, test } from 'vitest'
import { allowedComponents } from '../../../../src/contract/sandbox.js'
import {
  containerCommand,
  NODE_INSIDE,
  type ContainerInput,
} from '../../../../src/core/sandbox/container-command.js'

const INPUT: ContainerInput = {
  engine: 'docker',
  program: '/usr/bin/docker',
  image: 'shop:1',
  name: 'ratchet-1',
  mounts: [
    { path: '/h/shop', kind: 'read', isDirectory: true },
    { path: '/h/.ssh', kind: 'hide', isDirectory: true },
    { path: '/h/shop/.env', kind: 'hide', isDirectory: false },
    { path: '/h/shop/keys', kind: 'hide', isDirectory: true },
    { path: '/s/w/tree', kind: 'write', isDirectory: true },
    { path: '/h/.claude', from: '/s/copy', kind: 'write', isDirectory: true },
    { path: NODE_INSIDE, from: '/usr/bin/node', kind: 'read', isDirectory: false },
  ],
  cwd: '/s/w/tree',
  home: '/h',
  user: { uid: 1000, gid: 100 },
  variables: ['API_KEY', 'PATH', 'DOCKER_HOST', 'LD_PRELOAD', 'NODE_EXTRA_CA_CERTS', 'HOME'],
  set: { TMPDIR: '/tmp' },
}
const line = (more: Partial<ContainerInput> = {}): string =>
  containerCommand({ ...INPUT, ...more }).join(' ')

describe('a container', () => {
  test.each([
    ['network', '--network none'],
    ['capabilities', '--cap-drop ALL'],
    ['new privileges', '--security-opt no-new-privileges'],
    ['writable system', '--read-only'],
    ['fetched image', '--pull never'],
    ['other user', '--user 1000:100'],
    ['remains', '--rm'],
  ])('has no %s', (_what, flags) => {
    expect(line()).toContain(` ${flags} `)
  })

  test('has what is mounted, and hides only what lies in it', () => {
    const given = line()
    for (const mount of [
      '--mount type=bind,src=/h/shop,dst=/h/shop,readonly',
      '--mount type=bind,src=/dev/null,dst=/h/shop/.env,readonly',
      '--tmpfs /h/shop/keys:rw,exec,mode=1777',
      '--mount type=bind,src=/s/w/tree,dst=/s/w/tree --mount',
      '--mount type=bind,src=/s/copy,dst=/h/.claude --mount',
      `--mount type=bind,src=/usr/bin/node,dst=${NODE_INSIDE},readonly`,
      '--tmpfs /h:rw,exec,mode=1777',
    ])
      expect(given).toContain(mount)
    expect(given).not.toContain('/h/.ssh')
  })

  test('takes over variables by name, so that no value is on the command line', () => {
    expect(line()).toContain('--env API_KEY --env HOME --env TMPDIR=/tmp --entrypoint')
  })

  test('is started by the Node of Ratchet, and not by the entrypoint of its image', () => {
    expect(line().endsWith(`--entrypoint ${NODE_INSIDE} shop:1`)).toBe(true)
  })

  test.each([
    ['podman', 1000, true],
    ['podman', 0, false],
    ['docker', 1000, false],
  ] as const)('of %s and user %i keeps the id of the user: %s', (engine, uid, keeps) => {
    const given = line({ engine, user: { uid, gid: 1 } })
    expect(given.includes('--userns keep-id')).toBe(keeps)
  })

  test.each(['/a,b', '/a:b', '/a"b'])('cannot have the path %s', (path) => {
    const mounts = [{ path, kind: 'read', isDirectory: true } as const]
    expect(() => containerCommand({ ...INPUT, mounts })).toThrow('rename it')
  })
})

test.each([
  [{ use: 'auto' }, ['bwrap', 'srt']],
  [{ use: 'auto', image: 'shop:1' }, ['podman', 'docker']],
  [{ use: 'docker', image: 'shop:1' }, ['docker']],
  [{ use: 'none', image: 'shop:1' }, []],
] as const)('%j allows %j', (settings, allowed) => {
  expect(allowedComponents(settings)).toEqual(allowed)
})
