// The page as text. test/browser/report.test.ts checks in a real browser how it looks and that
// nothing in it runs.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildReport } from '../../../../src/core/report/build.js'
import type { ReportSource } from '../../../../src/core/report/source.js'
import type { IterationSummary } from '../../../../src/contract/result.js'
import { htmlReport } from '../../../../src/cli/report/html/document.js'
import { linkTo } from '../../../../src/cli/report/html/links.js'
import { markdownHtml } from '../../../../src/cli/report/html/markdown.js'
import { duration } from '../../../../src/cli/report/html/format.js'
import { reportMarkdown } from '../../../../src/cli/report/report-markdown.js'
import {
  AT,
  BASELINE,
  KEPT,
  SMALL_DIFF,
  cycleSource,
  loopSource,
  patch,
  resultOf,
  sessionFactsOf,
  sourceOf,
  turnAt,
} from '../../../support/report-sources.js'

const page = (source: ReportSource): Promise<string> =>
  htmlReport(buildReport(source), '/shop/.workflow/WFS-test-shop')

/**
 * Texts that try to break out of their context: element, attribute, script, style, comment, JSON.
 */
const HOSTILE = `</script></style></title></details>--><script>alert(1)</script><img src=x onerror=alert(2)>" onclick="alert(3)" ' {{7*7}} \u2028 [x](javascript:alert(4)) ![y](http://evil.example/p.png)`

/** Replaces every string of a value, except those that select a branch of the report. */
function poisoned<T>(value: T, kept: readonly string[] = []): T {
  if (typeof value === 'string') return (kept.includes(value) ? value : HOSTILE) as T
  if (value instanceof Map)
    return new Map(
      [...(value as Map<unknown, unknown>)].map(([key, one]) => [key, poisoned(one, kept)]),
    ) as T
  if (Array.isArray(value)) return value.map((one: unknown) => poisoned(one, kept)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => [key, poisoned(one, kept)]),
  ) as T
}

const CHOOSING = [
  'test-fix',
  'dev-cycle',
  'dev-loop',
  'known',
  'gone',
  'baseline',
  'kept',
  'rolled_back',
  'high',
  'low',
  'IMPL-fix-1',
  'failed',
  'parallel',
  '0'.repeat(40),
  'a'.repeat(40),
]

test.each([
  { why: 'a session', source: sourceOf() },
  { why: 'a cycle', source: cycleSource() },
  { why: 'a loop', source: loopSource() },
  {
    why: 'an open run',
    source: sourceOf({
      open: true,
      result: undefined,
      live: {
        status: 'running',
        phase: 'fix',
        iteration: 1,
        maxIterations: 5,
        waitingFor: 'x',
        passRate: null,
        history: [],
        branch: 'b',
        questions: [{ text: 'q' }],
      },
    }),
  },
])('text of agents and tools stays text: $why', async ({ source }) => {
  const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${HOSTILE}\n+${HOSTILE}${HOSTILE}\n`
  const html = await page({
    ...poisoned(source, CHOOSING),
    patches: new Map([
      [
        1,
        {
          ...patch(diff),
          files: [
            { path: HOSTILE, added: 1, removed: 1, shown: true },
            { path: `${HOSTILE}2`, added: 9_999, removed: null, shown: false },
          ],
        },
      ],
    ]),
  })
  const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
  expect(scripts).toEqual(['<script type="application/json" id="data">', '<script>', '<script>'])
  expect(html.match(/<\/script>/gi)).toHaveLength(3)
  const outside = html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '') // of the page's own
  const tags = new Set(
    [...outside.matchAll(/<([a-z0-9]+)((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].flatMap(
      ([, tag = '', attributes = '']) => [
        tag,
        ...[...attributes.matchAll(/([\w-]+)(?:="[^"]*")?/g)].map(([, name = '']) => `@${name}`),
      ],
    ),
  )
  expect(
    [...tags].filter((name) => /^@on|^(img|iframe|object|embed|form|base|script)$/i.test(name)),
  ).toEqual([])
  expect(
    outside
      .replace(/<\/?[a-z0-9]+(?:\s[\w-]+(?:="[^"]*")?)*\s*\/?>/gi, '')
      .replace('<!doctype html>', ''),
  ).not.toContain('<') // no other tag
  // A link to the web is one, where Markdown has it; an image is a link.
  expect(
    [...outside.matchAll(/(?:href|src)="([^"]*)"/g)]
      .map(([, url]) => url)
      .filter(
        (url) => !/^(#[\w-]+|\.\.?\/[^:]*|data:,|http:\/\/evil.example\/p.png)$/.test(url ?? ''),
      ),
  ).toEqual([])
  expect(outside.includes('&lt;script&gt;alert(1)')).toBe(true)
})

test('the policy allows the scripts and styles of the page, and nothing else', async () => {
  const html = await page(sourceOf())
  const policy = (
    /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  ).replaceAll('&#39;', "'")
  const digests = (tag: string): string =>
    [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))]
      .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      .join(' ')
  expect(policy).toBe(
    `default-src 'none'; script-src ${digests('script')}; style-src ${digests('style')}; img-src data:; base-uri 'none'; form-action 'none'`,
  )
  expect(policy).not.toContain('unsafe')
  expect(html).not.toMatch(/\sstyle="/) // the policy would refuse them
})

test('20 iterations of huge changes stay below 5 MB, and the page names what it leaves out', async () => {
  const line = (n: number): string => `+${'<'.repeat(390)}${n}`
  const files = Array.from({ length: 12 }, (_, n) => `src/file-${n}.js`)
  const text = files
    .map(
      (file) =>
        `diff --git a/${file} b/${file}\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,120 @@\n${Array.from({ length: 120 }, (_, n) => line(n)).join('\n')}\n`,
    )
    .join('')
  const history: IterationSummary[] = [
    BASELINE,
    ...Array.from({ length: 20 }, (_, n) => ({ ...KEPT, iteration: n + 1 })),
  ]
  const big = {
    ...patch(text),
    files: files.map((path) => ({ path, added: 120, removed: 0, shown: true })),
  }
  const failures = Array.from({ length: 3_000 }, (_, n) => ({
    file: 'test/a.test.js',
    test: `test ${n}`,
    status: 'failed' as const,
    error: '&'.repeat(4_000),
    criticality: 'high' as const,
  }))
  const source = sourceOf({
    facts: sessionFactsOf({ history }),
    result: resultOf({ history, iterations: 20 }),
    patches: new Map(history.slice(1).map((one) => [one.iteration, big])),
    turns: Array.from({ length: 2_000 }, (_, n) => turnAt(n)),
    lastRun: { schema: 1, commit: 'c', runner: 'vitest', tests: failures, missing: [] },
  })
  const html = await page(source)
  expect(html.length).toBeLessThan(5_000_000)
  expect(/\d+ files too large to be shown here\. See it with/.test(html)).toBe(true)
  expect(html.includes('and 2940 more')).toBe(true)
  // Each of them gets a share of the space.
  for (let n = 1; n <= 20; n++)
    expect(
      html.slice(html.indexOf(`id="iteration-${n}"`)).indexOf('d2h-file-wrapper'),
      `iteration ${n}`,
    ).toBeGreaterThan(0)
})

test('a small diff is shown whole, with the words that changed', async () => {
  const html = await page(sourceOf())
  expect(html).toContain('<span class="d2h-code-line-ctn">const a = <ins>2</ins></span>')
  expect(html).toContain('The diff cannot be shown: its commit is not in the repository any more')
  expect(html).not.toMatch(/id="d2h-|d2h-file-collapse-input"/)
})

test.each(
  // prettier-ignore
  [
  { file: '/shop/.workflow/WFS-test-shop/IMPL_PLAN.md', from: '/shop/.workflow/WFS-test-shop', link: './IMPL_PLAN.md' },
  { file: '/state/turns/1/answer.md', from: '/shop/.workflow', link: '../../state/turns/1/answer.md' },
  { file: '/r/javascript:alert(1)', from: '/r', link: './javascript%3Aalert(1)' },
  { file: '/r/a b/?x#y%2F"<.md', from: '/r', link: './a%20b/%3Fx%23y%252F%22%3C.md' },
],
)('a link is always a relative path: $file', ({ file, from, link }) =>
  expect(linkTo(file, from)).toBe(link),
)

test.each(
  // prettier-ignore
  [
  { text: '<b onclick=x>hi</b>', html: '<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>\n' },
  { text: '[a](javascript:alert(1))', html: '<p>[a](javascript:alert(1))</p>\n' },
  { text: '[a](data:text/html,x) [b](file:///etc/passwd)', html: '<p>[a](data:text/html,x) [b](file:///etc/passwd)</p>\n' },
  { text: '![a](https://evil.example/p.png)', html: '<p>!<a href="https://evil.example/p.png">a</a></p>\n' },
  { text: '# A', html: '<h4>A</h4>\n' },
  { text: '- a', html: '<ul>\n<li>a</li>\n</ul>\n' },
],
)('Markdown of an agent is harmless: $text', ({ text, html }) =>
  expect(markdownHtml(text)).toBe(html),
)

test.each([
  [0, '0.0 s'],
  [4_120, '4.1 s'],
  [59_400, '59 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [3_600_000, '1 h'],
  [90_000_000, '1 d 1 h'],
])('%d ms are %s', (ms, text) => expect(duration(ms)).toBe(text))

test('Markdown has the same facts in short, and escapes the text of agents', () => {
  const report = buildReport(
    poisoned(sourceOf(), [...CHOOSING, 'WFS-test-shop.0a1b2c', 'conservative', 'aggressive']),
  )
  const text = reportMarkdown(report, {
    runner: 'vitest',
    commit: undefined,
    tests: [],
    whole: false,
  })
  // Code is text anyway
  expect(text.replace(/(`+)[^`].*?\1/g, '').match(/(?<!\\)<\w+|(?<!\\)!\[/g)).toBeNull()
  expect(
    reportMarkdown(buildReport(sourceOf()), {
      runner: 'vitest',
      commit: undefined,
      tests: [],
      whole: false,
    }),
  ).toContain(
    '1. round half up: kept, 80 % (claimed 100 %), 1 file\n2. IMPL-fix-2: rolled back, 20 %\n',
  )
})

test('a fix without gain has no green tick in the page, its chart and Markdown', async () => {
  const history = [
    BASELINE,
    { ...KEPT, claimed: 50, passRate: 50, passed: 5, note: 'the same failures as before' },
  ]
  const source = sourceOf({
    facts: sessionFactsOf({ history }),
    result: resultOf({ history, passRate: 50 }),
  })
  const html = await page(source)
  expect(html.match(/<span class="verdict no_gain">kept, no gain<\/span>/g)).toHaveLength(2)
  expect(html).toMatch(/<details id="iteration-1" class="iteration no_gain" open/)
  expect(html).toContain('"result":"no_gain","text":"kept, no gain: round half up"')
  expect(html).not.toContain('accepted')
  expect(
    reportMarkdown(buildReport(source), {
      runner: 'vitest',
      commit: undefined,
      tests: [],
      whole: false,
    }),
  ).toContain('1. round half up: kept, no gain, 50 %')
})

test.each(
  // prettier-ignore
  [
  { why: 'the wait was recorded', rest: { waits: [{ from: AT + 5_000, to: AT + 65_000 }] }, took: '1 min 13 s', note: 'waited 1 min for an answer', worked: '13 s' },
  { why: 'the wait was not recorded', rest: { waitUnknown: true as const }, took: '1 min 13 s', note: 'waited for an answer, for an unknown time', worked: '13 s' },
],
)('shows the wait for a person apart from the work: $why', async ({ rest, took, note, worked }) => {
  const source = sourceOf({
    turns: [turnAt(0, { endedAt: AT + 73_000, workedMs: 13_000, ...rest })],
  })
  const html = await page(source)
  expect(html).toContain(`<td>${took}<small class="muted"> ${note}</small></td>`)
  expect(html).toContain(`<td>${worked}<small class="muted"> ${note}</small></td>`)
  expect(html).toContain(`1 agent turn, ${worked} (${note}), `)
  expect(
    reportMarkdown(buildReport(source), {
      runner: 'vitest',
      commit: undefined,
      tests: [],
      whole: false,
    }),
  ).toContain(`| 1 | ${worked}, ${note} |`)
})

test('shows cached tokens, the model, the test runs of agents, and the cost per gained test', async () => {
  const source = sourceOf({
    turns: [
      turnAt(0, {
        model: 'large',
        inputTokens: 9_000,
        cachedTokens: 6_000,
        tests: { runs: 2, ms: 3_000 },
      }),
    ],
  })
  const html = await page(source)
  expect(html).toContain('<td>codex<small class="muted"> large</small></td>')
  expect(html).toContain('<td>1 min<small class="muted"> 2 test runs, 3.0 s</small></td>')
  expect(html).toContain('<td>9,000 (6,000 cached)</td>')
  expect(html).toContain('<dt>Per gained test</dt>')
  const run = { runner: 'vitest', commit: undefined, tests: [], whole: false }
  const text = reportMarkdown(buildReport(source), run)
  expect(text).toContain('| 9,000 (6,000 cached) | 100 |')
  expect(text).toContain('For each of the 3 tests that pass since: ')
})

test('a turn that still waits says so', async () => {
  const { endedAt: _endedAt, ...open } = turnAt(0, {
    outcome: 'open',
    waits: [{ from: AT + 5_000 }],
  })
  expect(await page(sourceOf({ turns: [open], open: true, result: undefined }))).toContain(
    '<td>–<small class="muted"> waits for an answer</small></td>',
  )
})

test('names the file of a small diff once', async () => {
  expect(
    (await page(sourceOf({ patches: new Map([[1, patch(SMALL_DIFF)]]) }))).match(/d2h-file-name"/g),
  ).toHaveLength(1)
})
