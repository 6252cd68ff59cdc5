// Writes CTRF, the Common Test Report Format. The schema contains what Ratchet writes and checks it
// first, as the published schema (ctrf-io/ctrf, specification 1.0.0) allows no other keys.
import { z } from 'zod'
import type { FinalRun, ReportedTest } from './final-run.js'

const Count = z.number().int().min(0)

/** A CTRF document with the fields that Ratchet writes. Times are epoch milliseconds. */
export const Ctrf = z.strictObject({
  reportFormat: z.literal('CTRF'),
  specVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
  generatedBy: z.string(),
  results: z.strictObject({
    tool: z.strictObject({ name: z.string().min(1) }),
    summary: z.strictObject({
      tests: Count,
      passed: Count,
      failed: Count,
      skipped: Count,
      pending: Count,
      other: Count,
      flaky: Count,
      suites: Count,
      start: Count,
      stop: Count,
      duration: Count,
    }),
    tests: z.array(
      z.strictObject({
        name: z.string().min(1),
        status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
        duration: Count,
        suite: z.array(z.string()).min(1),
        filePath: z.string().optional(),
        message: z.string().optional(),
        trace: z.string().optional(),
        flaky: z.boolean().optional(),
        retries: Count.optional(),
        rawStatus: z.string().optional(),
        extra: z.strictObject({ criticality: z.string() }).optional(),
      }),
    ),
    environment: z.strictObject({
      commit: z.string().optional(),
      branchName: z.string().optional(),
      healthy: z.boolean(),
    }),
    extra: z.strictObject({
      run: z.string(),
      outcome: z.string(),
      reviewNeeded: z.boolean(),
      whole: z.boolean(),
    }),
  }),
})
export type Ctrf = z.infer<typeof Ctrf>
type CtrfTest = Ctrf['results']['tests'][number]

export type CtrfContext = {
  run: string
  outcome: string
  reviewNeeded: boolean
  branch: string | null
  healthy: boolean
  at: number
}

/** Returns the report. A run without a measurement is one test with status `other`. */
export function ctrf(run: FinalRun, { branch, healthy, at, ...extra }: CtrfContext): Ctrf {
  const tests = run.problem === undefined ? run.tests.map(ctrfTest) : [broken(run.problem)]
  const of = (status: CtrfTest['status']): number =>
    tests.filter((one) => one.status === status).length
  const duration = tests.reduce((sum, one) => sum + one.duration, 0)
  return Ctrf.parse({
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    generatedBy: 'ratchet',
    results: {
      tool: { name: run.runner === '' ? 'ratchet' : run.runner },
      summary: {
        tests: tests.length,
        passed: of('passed'),
        failed: of('failed'),
        skipped: of('skipped'),
        pending: 0,
        other: of('other'),
        flaky: tests.filter((one) => one.flaky === true).length,
        suites: new Set(tests.map((one) => one.suite[0])).size,
        start: at - duration,
        stop: at,
        duration,
      },
      tests,
      environment: {
        healthy,
        commit: run.commit,
        ...(branch === null ? {} : { branchName: branch }),
      },
      extra: { ...extra, whole: run.whole },
    },
  })
}

function ctrfTest({ file, test, status, error, durationMs, criticality }: ReportedTest): CtrfTest {
  const said = error !== '' && (status === 'failed' || status === 'flaky')
  return {
    name: test,
    status: status === 'flaky' ? 'passed' : status,
    duration: Math.round(durationMs),
    suite: [file],
    filePath: file,
    ...(said ? { message: error.split('\n', 1)[0] ?? '', trace: error } : {}),
    ...(status === 'flaky' ? { flaky: true, retries: 1 } : {}),
    ...(criticality === undefined ? {} : { extra: { criticality } }),
  }
}

function broken(problem: string): CtrfTest {
  return {
    name: 'the tests run',
    status: 'other',
    rawStatus: 'not measured',
    duration: 0,
    suite: ['test run'],
    message: problem,
  }
}
