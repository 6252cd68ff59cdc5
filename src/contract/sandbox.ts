// What encloses the programs that run an agent's code: the agent, set-up, checks and tests.
import { z } from 'zod'

/** Container engines. They need an image. */
export const ENGINES = ['podman', 'docker'] as const
export type Engine = (typeof ENGINES)[number]

/** Programs that enclose others, the strongest first. */
export const SANDBOX_COMPONENTS = ['bwrap', 'srt', ...ENGINES] as const
export type SandboxComponent = (typeof SANDBOX_COMPONENTS)[number]

/** What a configuration or `--sandbox` names. */
export const SandboxUse = z.enum(['auto', ...SANDBOX_COMPONENTS, 'none'])
export type SandboxUse = z.infer<typeof SandboxUse>

/** What encloses the programs of a run, once it has begun. */
export const RunSandboxUse = SandboxUse.exclude(['auto'])
export type RunSandboxUse = z.infer<typeof RunSandboxUse>

/** `host`, `host:port`, `*.host`, or `localhost:port` for a service of this machine. */
const Host = z
  .string()
  .regex(
    /^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/,
    'must be a host name, with a port or without, like "registry.example.com" or "localhost:5432"',
  )
  .refine(
    (host) => !/^(localhost|127\.[\d.]+)$/.test(host),
    'must name the port of a service of this machine, like "localhost:5432"',
  )

/** An absolute path, or one below the home directory. */
const Place = z
  .string()
  .regex(/^(\/|~\/)/, 'must be an absolute path, or one that begins with "~/"')
  .refine((place) => !place.split('/').includes('..'), 'must not contain ".."')

export const SandboxSettings = z
  .strictObject({
    use: SandboxUse.default('auto'),
    /** Of a container, with all that agents and tests need. */
    image: z
      .string()
      .regex(/^[a-z0-9][\w./:@-]*$/i, 'must be the name of an image, like "shop-dev:1"')
      .optional(),
    /** Hosts that may be reached, in addition to the agent's provider. */
    network: z.array(Host).default([]),
    /** Paths that cannot be read, in addition to those that always are hidden. */
    hide: z.array(Place).default([]),
    /** Paths that can be written, in addition to the workspace. */
    write: z.array(Place).default([]),
    /** Hides the home directory, but for what is on PATH, the project and `read`. */
    strictHome: z.boolean().default(false),
    /** Paths that can be read although they are in a hidden home directory. */
    read: z.array(Place).default([]),
  })
  .refine(({ use, image }) => image !== undefined || !isEngine(use), {
    path: ['image'],
    message: 'must name an image for podman or docker',
  })

export const Sandbox = z.preprocess(
  (value) => (typeof value === 'string' ? { use: value } : value),
  SandboxSettings,
)
export type Sandbox = z.infer<typeof SandboxSettings>

/** The components that settings allow, the first that holds is taken. */
export function allowedComponents({
  use,
  image,
}: Pick<Sandbox, 'use' | 'image'>): readonly SandboxComponent[] {
  if (use !== 'auto') return use === 'none' ? [] : [use]
  return SANDBOX_COMPONENTS.filter((one) => isEngine(one) === (image !== undefined))
}

export function isEngine(use: SandboxUse): use is Engine {
  return ENGINES.some((engine) => engine === use)
}
