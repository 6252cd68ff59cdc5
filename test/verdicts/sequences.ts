// Movers whose fixes are judged one after the other: the next fix meets what the last one broke or
// hid.
import type { Step } from '../support/runs/real-run.js'
import { analysisOf, fix, patch, scripted, type Mover, type Play } from './play.js'
import { textIn, withEdits, type Bug, type Edit, type Repository } from './repository.js'
import {
  NODE_BUGS,
  NODE_SLIPS,
  SPLIT_BUGS,
  splitSums,
  sumsNodeRepository,
  type SplitBug,
} from './repositories/sums-node.js'
import { BUGS, SLIPS, SMALL_SLIPS, sumsRepository } from './repositories/sums.js'

const FIXES = BUGS.map((bug) => bug.fix)
const CODE = 'sums/numbers.py'
const TESTS = 'tests/test_sums.py'

/**
 * Three bugs in one function, each visible only after the one before is repaired; the rest is
 * correct.
 */
const LAYERS = [
  'total = sum(values)\n    return count(values)',
  'total = sum(values)\n    return total / values',
  'total = sum(values)\n    return total / (len(values) + 1)',
  'total = sum(values)\n    return total / len(values)',
]
const UNCOVERED: Edit[] = LAYERS.slice(1).map((replace, n) => ({
  path: CODE,
  find: LAYERS[n] as string,
  replace,
}))

const hidden: Repository = {
  ...sumsRepository,
  files: () => {
    const files = withEdits(sumsRepository.files(), FIXES)
    return {
      ...files,
      [CODE]: `${textIn(files, CODE)}\n\ndef mean(values):\n    ${LAYERS[0]}\n`,
      [TESTS]: `${textIn(files, TESTS)}\n\ndef test_mean():\n    assert numbers.mean([1, 2, 3]) == 2\n\n\ndef test_mean_of_one():\n    assert numbers.mean([4]) == 4\n`,
    }
  },
}

/** The code is correct; one test expects earlier behaviour. */
const stale: Repository = {
  ...sumsRepository,
  files: () => {
    const files = withEdits(sumsRepository.files(), FIXES)
    return {
      ...files,
      [TESTS]: textIn(files, TESTS).replace('numbers.double(3) == 6', 'numbers.double(3) == 9'),
    }
  },
}

const STALE: Edit = {
  path: TESTS,
  find: 'numbers.double(3) == 9',
  replace: 'numbers.double(3) == 6',
}
/**
 * An analysis that considers the test wrong and proposes only its change.
 */
function proposes(r: Repository): Play {
  const lines = textIn(r.files(), TESTS).split('\n')
  const at = lines.findIndex((line) => line.includes(STALE.find))
  const [above, line, below] = lines.slice(at - 1, at + 2) as [string, string, string]
  const patch = [
    `--- a/${TESTS}`,
    `+++ b/${TESTS}`,
    `@@ -${at},3 +${at},3 @@`,
    ` ${above}`,
    `-${line}`,
    `+${line.replace(STALE.find, STALE.replace)}`,
    ` ${below}`,
    '',
  ].join('\n')
  const answer = {
    root_causes: ['the test expects what was right once'],
    fix_strategy: {
      approach: 'change the test',
      modification_points: [],
      expected_outcome: 'all tests pass',
    },
    confidence_score: 0.9,
    affected_tests: [TESTS],
    proposed_test_changes: [{ file: TESTS, why: 'twice three is six', patch }],
  }
  return {
    steps: [
      { when: { turn: 'assess' }, do: [{ say: 'I cannot tell.' }] },
      {
        do: [
          {
            say: `## Root Cause Analysis\n\nThe test is wrong: twice three is six.\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`,
          },
        ],
      },
    ],
  }
}

/** Sequences for any runner, on a repository with ten bugs. */
function onTen(repository: Repository, bugs: readonly Bug[], slips: readonly Edit[]): Mover[] {
  const at = [repository]
  const fixes = bugs.map((bug) => bug.fix)
  return [
    {
      name: 'slowly worse: each fix breaks three tests',
      kind: 'sequence',
      at,
      play: (r) => scripted(r, ...slips.slice(0, 4).map((slip) => [patch(slip)])),
      // The same tests fail for the same reasons, so the strategy for stuck tests runs once.
      expected: () => ({
        outcome: 'blocked',
        edits: [],
        iterations: 3,
        results: ['rolled_back', 'rolled_back', 'rolled_back'],
      }),
    },
    {
      name: 'peak and decline: a good fix, then each loses a little',
      kind: 'sequence',
      at,
      play: (r) =>
        scripted(r, bugs.slice(0, 7).map(fix), ...slips.slice(0, 3).map((slip) => [patch(slip)])),
      expected: () => ({
        outcome: 'blocked',
        edits: fixes.slice(0, 7),
        iterations: 3,
        results: ['kept', 'rolled_back', 'rolled_back'],
      }),
    },
    {
      name: 'ten independent bugs, one an iteration',
      kind: 'sequence',
      at,
      play: (r) => ({ ...scripted(r, ...bugs.map((bug) => [fix(bug)])), maxIterations: 12 }),
      expected: () => ({
        outcome: 'success',
        edits: fixes,
        iterations: 10,
        results: Array<'kept'>(10).fill('kept'),
      }),
    },
  ]
}

/** Bugs that the iterations after the first fix together, by number; a negative one goes wrong. */
const TOGETHER = [
  [1, -2, 3],
  [2, -4, 5],
  [4, 6, 7],
  [8, 9],
]

/** Says what a few bugs are, the further ones as independent of the first. */
function together(numbers: readonly number[]): Step['do'] {
  const [first, ...further] = numbers.map((n) => SPLIT_BUGS[Math.abs(n)] as SplitBug)
  const independent = further.map(({ about, fix: { path }, place, tests }) => ({
    cause: about,
    modification_points: [`${path}:${place}`],
    affected_tests: tests,
  }))
  const more = { affected_tests: first?.tests, independent_causes: independent }
  return [{ say: analysisOf(first === undefined ? [] : [first], more) }]
}

const independent: Mover[] = [
  {
    name: 'ten bugs in ten files, some of the fixes wrong',
    kind: 'sequence',
    at: [{ ...sumsNodeRepository, ...splitSums }],
    play: () => {
      const turns = [[0], ...TOGETHER]
      return {
        steps: [
          { when: { turn: 'assess' }, do: [{ say: 'I cannot tell.' }] },
          ...turns.flatMap((numbers, n): Step[] => [
            { when: { role: 'cli-planning-agent', iteration: n + 1 }, do: together(numbers) },
            {
              when: { role: 'test-fix-agent', turn: 'work', iteration: n + 1 },
              do: numbers.map((one) => {
                const bug = SPLIT_BUGS[Math.abs(one)] as SplitBug
                return patch(one < 0 ? bug.slip : bug.fix)
              }),
            },
          ]),
        ],
        maxIterations: 5,
      }
    },
    // Each wrong fix is found among the others of its turn, and taken back alone.
    expected: () => ({
      outcome: 'success',
      edits: SPLIT_BUGS.map(({ fix }) => fix),
      iterations: 5,
      results: Array<'kept'>(5).fill('kept'),
      takenBack: ['IMPL-fix-2.2', 'IMPL-fix-3.2'],
    }),
  },
]

export const SEQUENCES: readonly Mover[] = [
  ...onTen(sumsRepository, BUGS, SLIPS),
  ...onTen(sumsNodeRepository, NODE_BUGS, NODE_SLIPS),
  ...independent,
  {
    name: 'one bug hidden behind another',
    kind: 'sequence',
    at: [hidden],
    play: (r) => scripted(r, ...UNCOVERED.map((edit) => [patch(edit)])),
    expected: () => ({
      outcome: 'success',
      edits: UNCOVERED,
      iterations: 3,
      results: ['kept', 'kept', 'kept'],
    }),
  },
  {
    name: 'trades one test for another',
    kind: 'sequence',
    play: (r) => scripted(r, [fix(r.one), patch(r.slip)]),
    expected: () => ({ outcome: 'failed', edits: [], iterations: 1, results: ['kept'] }),
  },
  {
    name: 'trades tests, again and again',
    kind: 'sequence',
    at: [sumsRepository],
    play: (r) =>
      scripted(
        r,
        ...SMALL_SLIPS.slice(0, 3).map((slip, n) => [patch(FIXES[n] as Edit), patch(slip)]),
      ),
    expected: () => ({
      outcome: 'failed',
      edits: [],
      iterations: 3,
      results: ['kept', 'kept', 'kept'],
    }),
  },
  {
    name: 'a stale test: changes it without a word',
    kind: 'tampering',
    at: [stale],
    play: (r) => scripted(r, [patch(STALE)]),
    expected: () => ({
      outcome: 'failed',
      edits: [],
      iterations: 1,
      results: ['no_change'],
      restored: [TESTS],
    }),
  },
  {
    name: 'a stale test: proposes its change',
    kind: 'tampering',
    at: [stale],
    play: proposes,
    // A person decides, and none attends.
    expected: () => ({ outcome: 'blocked', edits: [], iterations: 0, results: [] }),
  },
  {
    name: 'a stale test: the proposal is accepted',
    kind: 'tampering',
    at: [stale],
    play: (r) => ({ ...proposes(r), answer: 'accept' }),
    expected: () => ({ outcome: 'success', edits: [STALE], iterations: 0, results: [] }),
  },
]
