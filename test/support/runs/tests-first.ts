// A parser without tests, and an agent that writes them.
import type { Step } from './real-run.js'

export const PARSER = `def parse(text):
    if text == '':
        return []
    numbers = []
    for part in text.split(','):
        number = int(part)
        if number < 0 and abs(number) > 100:
            raise ValueError('too small')
        numbers.append(number + 1)
    return numbers


def total(numbers):
    sum_of_all = 0
    for number in numbers:
        sum_of_all += number
    return sum_of_all


def is_short(numbers):
    return len(numbers) <= 2
`
/** No test yet. */
export const FILES = { 'parser.py': PARSER, 'shop.py': 'def price():\n    return 7\n' }
/** Tests that notice most changes of PARSER. */
export const GOOD = `import pytest

from parser import is_short, parse, total


def test_nothing():
    assert parse('') == []


def test_numbers():
    assert parse('1,2,-5') == [2, 3, -4]
    assert parse('101') == [102]
    assert parse('-100') == [-99]


def test_too_small():
    with pytest.raises(ValueError):
        parse('-101')


def test_total():
    assert total([1, 2, 4]) == 7


def test_short():
    assert is_short([1, 2])
    assert not is_short([1, 2, 3])
`
const GATE = { critical: 0, error: 0, warning: 0, coverage: null, anti_patterns: [], issues: [] }
const CASES = [
  { layer: 'L1.1', what: 'numbers', test: 'test_numbers' },
  { layer: 'L1.2', what: 'a number that is too small', test: 'test_too_small' },
  { layer: 'L1.3', what: 'no number', test: 'tests/test_parser.py > test_nothing' },
]
const says = (value: unknown): string =>
  `I looked at it.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`

/** The plan of the tests. */
export const PLANS: Step = {
  when: { role: 'cli-planning-agent', task: 'IMPL-001' },
  do: [{ say: `# Test plan\n\n${'Test what parse does with an empty text. '.repeat(10)}` }],
}
/** The turn that writes the tests. */
export const writes = (text: string): Step => ({
  when: { role: 'code-developer' },
  do: [{ write: { path: 'tests/test_parser.py', text } }],
})
/** Both gates let the tests through. */
export const REVIEWS: Step = {
  when: { role: 'test-fix-agent' },
  do: [{ say: says({ ...GATE, cases: CASES }) }],
}
