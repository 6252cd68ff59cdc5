// Tests that failed before a run began and still do.
import type { Comparison, Measured } from '../../contract/test-run.js'

/** All that fail, in the first run of the tests: it has nothing to compare with. */
export function knownBefore({
  comparison,
  isStart,
  total,
  passed,
  failures,
}: Pick<
  Measured,
  'comparison' | 'isStart' | 'total' | 'passed' | 'failures'
>): Comparison['known'] {
  if (comparison?.known !== undefined || isStart !== true || passed >= total)
    return comparison?.known
  return {
    total: total - passed,
    tests: failures.map(({ file, test }) => (file === '' ? test : `${file} > ${test}`)),
    differently: 0,
  }
}
