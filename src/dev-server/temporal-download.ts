// The SDK's way to a server program: temporal.download says where the archive is, tar unpacks it.
// Source: @temporalio/core-bridge sdk-core/crates/sdk-core/src/ephemeral_server/mod.rs.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'

/** How long the network may say nothing, in milliseconds. */
export const SILENCE_MS = 10_000

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin' }
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Runs a program to its end; `code` is -1 where it could not be started. */
export type Run = (
  file: string,
  args: string[],
  options?: RunOptions,
) => Promise<{ code: number; stdout: string; stderr: string }>
export type RunOptions = {
  env?: NodeJS.ProcessEnv
  timeoutMs?: number
  cwd?: string
  /** Told each line of standard error as it comes. */
  onLine?: (line: string) => void
}

export type DownloadTools = {
  fetch: typeof fetch
  run: Run
  env: NodeJS.ProcessEnv
  /** SHA-256 of the archive in hex; another archive is refused. */
  sha256?: string | undefined
  silenceMs?: number
  /** Told how much of the archive is here, where its size is known. */
  onBytes?: (done: number, total: number) => void
}

/** The page that names the archive of an artifact: `cli` or `temporal-test-server`. */
export function infoUrl(
  artifact: string,
  version: string,
  query: Record<string, string> = {},
  platform = process.platform,
  arch = process.arch,
): string {
  const os = PLATFORMS[platform]
  const cpu = ARCHITECTURES[arch]
  if (os === undefined || cpu === undefined)
    throw new Error(`there is none for ${platform} on ${arch}`)
  return `https://temporal.download/${artifact}/${version}?${new URLSearchParams({ arch: cpu, platform: os, format: 'tar.gz', ...query }).toString()}`
}

const Info = z.object({
  archiveUrl: z.url({ protocol: /^https$/ }),
  fileToExtract: z.string().min(1),
})

/**
 * Downloads the archive behind `url` into the directory `into` and unpacks it there.
 *
 * @returns path of the unpacked program
 * @throws with one sentence on what failed: no answer for 10 s, a refusal, a broken archive,
 * another checksum
 */
export async function download(url: string, into: string, tools: DownloadTools): Promise<string> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  const infoFile = path.join(into, 'info.json')
  await get(url, infoFile, withoutBytes(tools))
  const info = Info.parse(JSON.parse(await readFile(infoFile, 'utf8')))
  const archive = path.join(into, 'archive.tar.gz')
  await get(info.archiveUrl, archive, tools)
  const { sha256 } = tools
  if (sha256 !== undefined) await checkArchive(archive, sha256)
  const unpacked = path.join(into, 'unpacked')
  await mkdir(unpacked)
  const tar = await tools.run('tar', ['-xzf', archive, '-C', unpacked])
  if (tar.code !== 0) throw new Error(`tar could not unpack the download: ${lastLine(tar.stderr)}`)
  return findFile(unpacked, path.basename(info.fileToExtract))
}

// Nothing of another archive is unpacked.
async function checkArchive(archive: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  const got = hash.digest('hex')
  if (got !== sha256)
    throw new Error(`the archive has the checksum ${got}, and the published one has ${sha256}`)
}

function withoutBytes({ fetch, run, env, silenceMs }: DownloadTools): DownloadTools {
  return { fetch, run, env, ...(silenceMs !== undefined && { silenceMs }) }
}

// Node's fetch knows no proxy, curl knows the usual variables.
async function get(url: string, file: string, tools: DownloadTools): Promise<void> {
  const proxied = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].some(
    (name) => (tools.env[name] ?? '') !== '',
  )
  return proxied ? getWithCurl(url, file, tools) : getWithFetch(url, file, tools)
}

async function getWithCurl(
  url: string,
  file: string,
  { run, env, silenceMs = SILENCE_MS }: DownloadTools,
): Promise<void> {
  const seconds = String(Math.ceil(silenceMs / 1_000))
  const args = [
    '-fsSL',
    '--proto',
    '=https',
    '--connect-timeout',
    seconds,
    '--speed-limit',
    '1',
    '--speed-time',
    seconds,
    '-o',
    file,
    url,
  ]
  const curl = await run('curl', args, { env })
  if (curl.code !== 0)
    throw new Error(
      `curl through your proxy failed: ${lastLine(curl.stderr) || `code ${curl.code}`}`,
    )
}

async function getWithFetch(
  url: string,
  file: string,
  { fetch, silenceMs = SILENCE_MS, onBytes }: DownloadTools,
): Promise<void> {
  const silence = new AbortController()
  const abort = (): void =>
    silence.abort(new Error(`no answer from ${new URL(url).host} for ${silenceMs / 1_000} s`))
  let timer = setTimeout(abort, silenceMs)
  try {
    const response = await fetch(url, { signal: silence.signal })
    if (!response.ok || response.body === null)
      throw new Error(`${new URL(url).host} answered ${response.status}`)
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
    const total = Number(response.headers.get('content-length') ?? 0)
    let done = 0
    body.on('data', (chunk: Buffer) => {
      done += chunk.length
      if (total > 0) onBytes?.(Math.min(done, total), total)
      clearTimeout(timer)
      timer = setTimeout(abort, silenceMs)
    })
    await pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal: silence.signal })
  } catch (error) {
    throw silence.signal.aborted
      ? silence.signal.reason
      : new Error(causeOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

// fetch says "fetch failed"; what failed is in the cause.
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

async function findFile(dir: string, name: string): Promise<string> {
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && entry.name === name) return path.join(entry.parentPath, name)
  throw new Error(`the downloaded archive has no file ${name}`)
}

export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.slice(0, 300) ?? ''
}
