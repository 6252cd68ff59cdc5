// The environments of open runs in files of the state directory, where the user's configuration
// says so (`local.keepEnvironment`). A run then has its own after a reboot.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { HeldEnvironment } from '../../adapters/environments/environment-messages.js'
import { replaceFileSync } from '../../adapters/files/replace-file.js'
import { storedJson } from '../../adapters/files/stored-json.js'
import { isNoRoom } from '../../adapters/files/write-obstacle.js'
import { layout, type Dirs } from '../../adapters/state-dir.js'

const KeptEnvironment = HeldEnvironment.extend({ run: z.string(), project: z.string() })
export type KeptEnvironment = z.infer<typeof KeptEnvironment>

export class KeptEnvironments {
  readonly #folder: string

  /** @param log for what a full disk loses */
  constructor(
    private readonly dirs: Dirs,
    private readonly log: (text: string) => void,
  ) {
    this.#folder = path.dirname(layout.keptEnvironment(dirs, ''))
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  all(): KeptEnvironment[] {
    return readdirSync(this.#folder).flatMap(
      (name) => storedJson(path.join(this.#folder, name), KeptEnvironment) ?? [],
    )
  }

  keep(kept: KeptEnvironment): void {
    try {
      replaceFileSync(layout.keptEnvironment(this.dirs, kept.run), JSON.stringify(kept), {
        mode: 0o600,
      })
    } catch (error) {
      if (!isNoRoom(error)) throw error
      this.log(`the environment of ${kept.run} could not be kept: ${(error as Error).message}`)
    }
  }

  forget(run: string): void {
    rmSync(layout.keptEnvironment(this.dirs, run), { force: true })
  }
}

/** The files, if the user wants them; otherwise those of an earlier configuration are removed. */
export function keptEnvironments(
  dirs: Dirs,
  { keepEnvironment, log }: { keepEnvironment: boolean; log: (text: string) => void },
): KeptEnvironments | undefined {
  if (keepEnvironment) return new KeptEnvironments(dirs, log)
  rmSync(path.dirname(layout.keptEnvironment(dirs, '')), { recursive: true, force: true })
  return undefined
}
