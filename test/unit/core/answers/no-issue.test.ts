import { expect, it } from 'vitest'
import { isUnclear, saysNothing } from '../../../../src/core/answers/no-issue.js'

const NOTHING = [
  'No issues found.', 'No issues', 'no issue', 'none', 'None.', 'None found', 'None, all tests pass', 'None - all tests pass.', 'None (all tests pass)', 'n/a', 'N/A', 'NA', 'nil', 'null', '-', '—', '[]', '0', 'zero issues', '0 issues found', 'all resolved', 'All issues resolved', 'All issues have been resolved.', 'all tests pass', 'All 12 tests pass', 'All tests are passing and no issues were found.',
  'No open issues remain', 'No blockers', 'No blocking issues', 'No known issues at this time', 'No problems detected so far', 'No issues identified during validation', 'There are no open issues', 'There were no problems.', 'Nothing', 'Nothing to report', 'Nothing found', 'nothing left', 'I found no issues', 'We did not find any bugs', "Didn't find any issues", 'Everything works as expected',
  'Everything is fine', 'LGTM', 'Looks good to me', 'All good', 'all clear', 'clean', '12/12 tests pass', 'No failing tests; no blockers', 'Without any problems', 'No regressions, all requirements are met', '**None**', '- none', 'Issues: none', 'No critical issues found', 'No further findings', 'not applicable', 'No errors or warnings'.replace(' or warnings', ''),
  '无', '无。', '無', '没有', '没有问题', '暂无', '暂无问题', '没有发现问题', '未发现任何问题', '无阻塞', '无已知问题', '所有测试均已通过', '全部测试通过', '一切正常', '问题已全部解决', '未发现问题，所有测试通过', '沒有問題', '問題なし', 'なし',
]

it.each(NOTHING)('says that there is nothing: %s', (text) => {
  expect(saysNothing(text)).toBe(true)
})

it.each([
  'No issues found in the parser, but the CSV export fails', 'None except FR-002', 'No tests cover the export', 'The login fails', 'No validation of the input', 'No error handling in save()', 'None of the requirements is met', 'nothing works', 'All tests fail', 'Not all tests pass', 'All tests pass except two', 'no-op on empty input', 'Issues: login fails',
  'No issues. The cache is never emptied', '0 of 12 tests pass', '除了登录，没有问题', '登录失败', '没有测试', 'All tasks but T3 are done', 'Resolved in part', 'Zero is not handled', 'No files are written', 'clean up the temporary files',
])('is an issue: %s', (text) => {
  expect(saysNothing(text)).toBe(false)
})

it.each([['No issues found in general, but the CSV export fails', true], ['None except FR-002', true], ['No issues. The cache is never emptied', true], ['The login fails', false], ['No issues found', false], ['No validation of the input', false]] as const)('can be read in two ways: %s: %s', (text, unclear) => {
  expect(isUnclear(text)).toBe(unclear)
})
