// Gets Temporal's time-skipping test server: the SDK's download, else the Java artifact through
// Maven.
//
// Tests that need it fail without it and say what was tried; nothing is skipped.
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import which from 'which'
import type { Dirs } from '../../../src/adapters/state-dir.js'
import { lockWhenFree } from '../../../src/dev-server/lock.js'
import { runProgram } from '../../../src/dev-server/temporal-binary.js'
import { download, infoUrl, lastLine, type Run } from '../../../src/dev-server/temporal-download.js'

export const TEST_SERVER_VERSION = '1.38.0'
const SDK_VERSION = '1.24.0'
const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'
const MAVEN_DEADLINE_MS = 300_000

/** The only dependency of a project that Maven is asked to copy with all it needs. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>local</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${TEST_SERVER_VERSION}</version></dependency></dependencies>
</project>
`

/** Starts fast rather than runs fast; the SDK waits at most 5 s and passes only the port. */
const WRAPPER = `#!/bin/sh
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`

type Tools = { fetch: typeof fetch; run: Run; env: NodeJS.ProcessEnv }
const REAL = { fetch: globalThis.fetch, run: runProgram }

/** Path of a time-skipping test server: RATCHET_TEST_SERVER_PATH, the cache, a download, Maven. */
export async function findOrGetTestServer(
  dirs: Dirs,
  env: NodeJS.ProcessEnv,
  tools: Omit<Tools, 'env'> = REAL,
): Promise<string> {
  const named = env['RATCHET_TEST_SERVER_PATH']
  if (named !== undefined && named !== '') {
    if (!existsSync(named))
      throw new Error(`RATCHET_TEST_SERVER_PATH names ${named}, which is not there`)
    return named
  }
  const home = path.join(dirs.cache, 'test-server', TEST_SERVER_VERSION)
  const cached = path.join(home, 'temporal-test-server')
  if (existsSync(cached)) return cached
  await mkdir(path.dirname(home), { recursive: true, mode: 0o700 })
  const lock = await lockWhenFree(
    path.join(dirs.cache, 'test-server', 'lock'),
    () => undefined,
    MAVEN_DEADLINE_MS,
  )
  const scratch = await mkdtemp(path.join(dirs.cache, 'test-server', 'get-'))
  const tried: string[] = []
  try {
    if (existsSync(cached)) return cached
    for (const [what, get] of [
      ['download from temporal.download', fromDownload],
      ['Maven', fromMaven],
    ] as const) {
      const made = path.join(scratch, what.split(' ')[0] ?? '')
      const problem = await get(made, { ...tools, env }).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      )
      if (problem === undefined) {
        await rm(home, { recursive: true, force: true })
        await rename(made, home)
        return cached
      }
      tried.push(`${what}: ${problem}`)
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    lock.release()
  }
  const next =
    'allow https://temporal.download, or install java 17 and mvn, or set RATCHET_TEST_SERVER_PATH'
  throw new Error(
    `no time-skipping test server, and the tests need it\n  ${tried.join('\n  ')}\n  next   ${next}`,
  )
}

async function fromDownload(into: string, tools: Tools): Promise<void> {
  const url = infoUrl('temporal-test-server', 'default', {
    'sdk-name': 'sdk-typescript',
    'sdk-version': SDK_VERSION,
  })
  const unpacked = await download(url, path.join(into, 'get'), tools)
  await rename(unpacked, path.join(into, 'temporal-test-server'))
  await chmod(path.join(into, 'temporal-test-server'), 0o755)
}

async function fromMaven(into: string, { run, env }: Tools): Promise<void> {
  for (const program of ['java', 'mvn'])
    if ((await which(program, { nothrow: true, path: env['PATH'] ?? '' })) === null)
      throw new Error(`${program} is not on PATH`)
  await mkdir(into, { recursive: true })
  await writeFile(path.join(into, 'pom.xml'), POM)
  const copy = [
    '-B',
    '-q',
    '-f',
    path.join(into, 'pom.xml'),
    `${MAVEN_PLUGIN}:copy-dependencies`,
    '-DincludeScope=runtime',
    `-DoutputDirectory=${path.join(into, 'lib')}`,
  ]
  const mvn = await run('mvn', copy, { env, timeoutMs: MAVEN_DEADLINE_MS })
  if (mvn.code !== 0)
    throw new Error(
      lastLine(mvn.stdout) || lastLine(mvn.stderr) || `mvn ended with code ${mvn.code}`,
    )
  await writeFile(path.join(into, 'temporal-test-server'), WRAPPER, { mode: 0o755 })
}
