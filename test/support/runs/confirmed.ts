// A fix that is measured and confirmed, on a workspace of its own.
import type { MockActivityEnvironment } from '@temporalio/testing'
import { commitStep } from '../../../src/adapters/git/steps.js'
import type { Confirmation } from '../../../src/contract/test-fix/test-fix-step.js'
import { writeFiles, type Files } from '../repositories/repos.js'
import { testHost, type TestHost } from '../test-host.js'

/** `fix` repairs what the tests of `files` say, `forged` only what their runner says. */
export type Case = { name: string; files: Files; fix: Files; forged: Files; testFile: string }

/** Commits these files on the start, measures both, and confirms the commit. */
export async function confirmed(
  files: Files,
  change: Files,
  more: {
    activity?: MockActivityEnvironment
    baselineOf?: 'commit'
    early?: boolean
    timeoutMs?: number
  } = {},
): Promise<{ verdict: Confirmation; host: TestHost }> {
  const host = await testHost(files)
  const { workspace } = host
  const first = await host.measure()
  writeFiles(workspace.root, change)
  const { head } = await commitStep(
    {
      workspace,
      run: 'WFS-test-x.000000',
      step: 'fix',
      expectHead: workspace.base,
      at: Date.now(),
      subject: 'fix',
    },
    () => false,
  )
  const now = await host.measure({
    step: 'after',
    commit: head,
    ...(first.kind === 'measured' ? { baseline: first.results } : {}),
  })
  if (now.kind !== 'measured') throw new Error(now.reason)
  const baseline =
    more.baselineOf === 'commit'
      ? now.results
      : first.kind === 'measured'
        ? first.results
        : undefined
  return {
    verdict: await host.confirm(
      {
        head,
        results: now.results,
        ...(baseline === undefined ? {} : { baseline }),
        ...(more.early === true ? { early: true } : {}),
        ...(more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs }),
      },
      more.activity,
    ),
    host,
  }
}
