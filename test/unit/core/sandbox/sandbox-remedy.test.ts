// What doctor says where a sandbox does not hold.
import { expect, test } from 'vitest'
import { sandboxRemedy } from '../../../../src/core/sandbox/sandbox-remedy.js'

test.each(
  // prettier-ignore
  [
  { problem: 'bwrap: setting up uid map: Permission denied', isRestricted: true, says: 'AppArmor keeps programs from making user namespaces' },
  { problem: 'bwrap: setting up uid map: Permission denied', isRestricted: false, says: 'choose another component' },
  { problem: 'a program in it reaches the network', isRestricted: true, says: 'choose another component' },
  { problem: 'Unable to find image "shop:1" locally', isRestricted: false, says: 'Ratchet fetches no image' },
  { problem: 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock', isRestricted: false, says: 'start the Docker daemon' },
],
)('$problem, restricted: $isRestricted', ({ problem, isRestricted, says }) =>
  expect(sandboxRemedy(problem, isRestricted)).toContain(says),
)
