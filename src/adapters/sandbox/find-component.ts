// The programs that can enclose others, as they are on this machine, and the one a run uses.
import which from 'which'
import { RefusalError } from '../../contract/failures.js'
import {
  allowedComponents,
  isEngine,
  SANDBOX_COMPONENTS,
  type Sandbox,
  type SandboxComponent,
} from '../../contract/sandbox.js'
import type { Dirs } from '../state-dir.js'
import { proveSandbox, type Proof } from './prove-sandbox.js'

/** `image` of a container. */
export type FoundComponent = { component: SandboxComponent; program: string; image?: string }

/** What was proven in this process: a worker proves a component once. */
const proven = new Map<string, Promise<Proof>>()

export const HOW_TO_GET: Readonly<Record<SandboxComponent, string>> = {
  bwrap:
    'on Linux install bubblewrap: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap',
  srt: 'npm install -g @anthropic-ai/sandbox-runtime@0.0.78; on Linux it needs bubblewrap, socat and ripgrep',
  podman: 'install podman, and name an image under "sandbox.image"',
  docker: 'install Docker, and name an image under "sandbox.image"',
}

/** Components that are installed, the strongest first; container engines only with an image. */
export function installedComponents(env: NodeJS.ProcessEnv, image?: string): FoundComponent[] {
  return SANDBOX_COMPONENTS.flatMap((component): FoundComponent[] => {
    const program = which.sync(component, { nothrow: true, path: env['PATH'] ?? '' })
    if (program === null) return []
    if (isEngine(component)) return image === undefined ? [] : [{ component, program, image }]
    return component === 'bwrap' && process.platform !== 'linux' ? [] : [{ component, program }]
  })
}

/**
 * The component that a run uses: the one its settings name, or the first that holds what it
 * promises on this machine. `undefined` where the settings say `none`.
 *
 * @throws RefusalError `SandboxUnavailable`
 */
export async function chooseComponent(
  dirs: Dirs,
  settings: Pick<Sandbox, 'use' | 'image'>,
  env: NodeJS.ProcessEnv,
  prove: (
    dirs: Dirs,
    found: FoundComponent,
    env: NodeJS.ProcessEnv,
  ) => Promise<Proof> = proveSandbox,
): Promise<FoundComponent | undefined> {
  if (settings.use === 'none') return undefined
  const wanted = allowedComponents(settings)
  const here = installedComponents(env, settings.image).filter(({ component }) =>
    wanted.includes(component),
  )
  const problems: string[] = []
  for (const found of here) {
    const proof = await once([found.program, found.image].join(' '), () => prove(dirs, found, env))
    if (proof.holds) return found
    problems.push(`${found.component}: ${proof.problem}`)
  }
  throw new RefusalError(
    'SandboxUnavailable',
    here.length === 0
      ? `no sandbox is installed: ${wanted.join(' or ')}`
      : `the sandbox does not hold on this machine: ${problems.join('; ')}`,
    'sandbox',
    `${here.length === 0 ? wanted.map((one) => HOW_TO_GET[one]).join('; or: ') : 'see ratchet doctor --sandbox'}; or set "sandbox": "none"`,
  )
}

async function once(program: string, prove: () => Promise<Proof>): Promise<Proof> {
  const known = await proven.get(program)
  if (known?.holds === true) return known
  const proof = prove()
  proven.set(program, proof)
  return proof
}
