// The playbook agent as a program, driven like any other agent.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { AgentDefinition } from '../../../src/contract/config/agent-config.js'
import { definitionToArgv, playbookProgram } from '../../../src/adapters/agents/agent-command.js'
import { edit } from '../../../src/adapters/agents/scripted/scripted-edits.js'
import type { Stage } from '../../../src/adapters/agents/scripted/scripted-actions.js'
import { readPlaybook } from '../../../src/adapters/agents/scripted/schema.js'
import { playFrom, stepFor } from '../../../src/adapters/agents/scripted/player.js'
import type { TurnHeader } from '../../../src/contract/turn.js'
import { Bench } from '../../support/agents/bench.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

const play = (actions: unknown[], more = {}) =>
  bench.call(bench.driver(), bench.config(bench.playbook([{ do: actions }]), more)).result
const answer = async (actions: unknown[], more = {}) =>
  readFileSync((await play(actions, more)).answer.path, 'utf8')
const NOTICE = '[playbook] scripted agent: nothing here was written by a model.'

describe('actions', () => {
  test('every prompt begins by saying that it is scripted', async () => {
    expect(await answer([])).toBe(`${NOTICE}\n\n`)
  })

  test('write, patch, delete and run change the working directory, and are tool calls', async () => {
    writeFileSync(path.join(bench.cwd, 'old'), 'x')
    const result = await play([
      { write: { path: 'src/deep/sum.js', text: 'a - b' } },
      { patch: { path: 'src/deep/sum.js', find: '-', replace: '+' } },
      { delete: 'old' },
      { run: [process.execPath, '-e', "require('fs').writeFileSync('ran', '')"] },
      { run: ['false'] },
    ])
    expect(result.outcome).toBe('completed')
    expect(readFileSync(path.join(bench.cwd, 'src/deep/sum.js'), 'utf8')).toBe('a + b')
    expect(existsSync(path.join(bench.cwd, 'old'))).toBe(false)
    expect(existsSync(path.join(bench.cwd, 'ran'))).toBe(true)
    expect(result.tail).toContain('false: ended with 1')
    const titles = bench
      .transcript()
      .flatMap((l) => (l['update'] as { title?: string } | undefined)?.title ?? [])
    expect(titles.slice(0, 3)).toEqual([
      'edit src/deep/sum.js',
      'edit src/deep/sum.js',
      'delete old',
    ])
  })

  test('an edit names its file, as the tool calls of other agents do', async () => {
    writeFileSync(path.join(bench.cwd, 'old'), 'x')
    await play([
      { write: { path: 'a', text: '' } },
      { append: { path: 'deep/b', text: 'x' } },
      { delete: 'old' },
    ])
    const calls = bench.transcript().flatMap((l) => {
      const u = l['update'] as
        { sessionUpdate: string; kind: string; locations?: { path: string }[] } | undefined
      return u?.sessionUpdate === 'tool_call' ? [[u.kind, u.locations?.[0]?.path]] : []
    })
    expect(calls).toEqual([
      ['edit', path.join(bench.cwd, 'a')],
      ['edit', path.join(bench.cwd, 'deep/b')],
      ['delete', path.join(bench.cwd, 'old')],
    ])
  })

  test('append adds to the end, and creates missing files', async () => {
    await play([
      { append: { path: 'log/changes.log', text: 'one\n' } },
      { append: { path: 'log/changes.log', text: 'two\n' } },
    ])
    expect(readFileSync(path.join(bench.cwd, 'log/changes.log'), 'utf8')).toBe('one\ntwo\n')
  })

  test('a link that leads out of the working directory is not followed', async () => {
    mkdirSync(path.join(bench.root, 'outside'))
    symlinkSync(path.join(bench.root, 'outside'), path.join(bench.cwd, 'link'))
    expect(await play([{ write: { path: 'link/new/file', text: '' } }])).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('leads out of the working directory') as string,
    })
    expect(existsSync(path.join(bench.root, 'outside/new'))).toBe(false)
  })

  test('a patch whose text is missing fails the turn and is named', async () => {
    writeFileSync(path.join(bench.cwd, 'f'), 'abc')
    expect(await play([{ patch: { path: 'f', find: 'xyz', replace: 'q' } }])).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('edit f: does not contain "xyz"') as string,
    })
  })

  test('a patch killed during its write completes it', async () => {
    const file = path.join(bench.cwd, 'f')
    writeFileSync(file, 'a - b')
    const planned: { text?: string; note(text: string): void } = {
      note: (text) => {
        planned.text = text
      },
    }
    const process: Stage['process'] = { pid: 1, env: {}, exit: () => undefined }
    const stage: Stage = {
      cwd: bench.cwd,
      process,
      header: undefined,
      signal: new AbortController().signal,
      planned,
      say: async () => {},
      tool: async () => {},
      ask: () => Promise.resolve('denied' as const),
      tokens: async () => {},
      limited: () => 1,
      deafen: () => {},
    }
    const patch = () => edit({ patch: { path: 'f', find: '-', replace: '+' } }, stage, 1)
    expect(await patch()).toBeUndefined()
    writeFileSync(file, '') // truncated, not yet written
    expect(await patch()).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe('a + b')
  })

  test('result prints a block with its fields and the JSON after it', async () => {
    expect(
      await answer([
        { result: { fields: { phase: 'cd', status: 'success', files: ['a'] }, json: { n: 1 } } },
      ]),
    ).toBe(
      `${NOTICE}\n\n\nPHASE_RESULT:\n- phase: cd\n- status: success\n- files: ["a"]\n\n\`\`\`json\n{\n  "n": 1\n}\n\`\`\`\n`,
    )
  })

  test('result prints raw text unchanged', async () => {
    expect(await answer([{ result: 'PHASE_RESULT:\n- broken' }])).toContain(
      '\n\nPHASE_RESULT:\n- broken\n',
    )
  })

  test('reports a denied permission, and skips its action', async () => {
    const text = await answer([{ ask: 'write f' }, { write: { path: 'f', text: '' } }])
    expect(text).toContain('[playbook] permission denied: write f')
    expect(existsSync(path.join(bench.cwd, 'f'))).toBe(false)
  })

  test('reports an allowed permission, and continues the step', async () => {
    expect(
      await answer([{ ask: 'write f' }, { write: { path: 'f', text: '' } }], {
        permissions: 'allow',
      }),
    ).toContain('permission allowed')
    expect(existsSync(path.join(bench.cwd, 'f'))).toBe(true)
  })

  test('lie claims a result without a measurement', async () => {
    expect(await answer([{ lie: true }])).toContain('100% of tests pass')
  })

  test('tokens and cost are reported as usage', async () => {
    expect((await play([{ tokens: { input: 7, output: 3, cost: 0.5 } }])).usage).toEqual({
      inputTokens: 7,
      outputTokens: 3,
      costUsd: 0.5,
      estimated: false,
    })
  })

  test('error answers with that code', async () => {
    expect(await play([{ error: { code: -32000, message: 'who are you' } }])).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('not logged in') as string,
    })
  })

  test('flood prints this many megabytes', async () => {
    const result = await play([{ flood: 2 }])
    expect(result.usage.outputTokens).toBeGreaterThan((2 << 20) / 4)
    expect(result.answer.bytes).toBeLessThan(600_000)
  })

  test.each(
    // prettier-ignore
    [
    { what: 'hang ignores the cancel', actions: [{ say: 'hm' }, { hang: true }], reason: 'did not stop' },
    { what: 'wait forever heeds it', actions: [{ say: 'hm' }, { wait: 'forever' }], reason: 'it stopped when it was asked to' },
  ],
  )('$what', async ({ actions, reason }) => {
    const agent = bench.playbook([{ do: actions }])
    const result = await bench.call(
      bench.driver(),
      bench.config(agent),
      bench.spec({ limitMs: 100 }),
    ).result
    expect(result).toMatchObject({
      outcome: 'timed_out',
      reason: expect.stringContaining(reason) as string,
    })
  })
})

describe('paths: places that the prompt names', () => {
  const of = (role: TurnHeader['role'], phase: string) => {
    const { header } = bench.spec()
    const paths = {
      ...header.paths,
      progress: path.join(bench.cwd, '.ratchet/c.progress', phase),
      board: path.join(bench.cwd, '.ratchet/c.progress/coordination/discoveries.ndjson'),
    }
    return bench.spec({
      key: `${bench.run}/${role}`,
      header: { ...header, kind: 'dev-cycle', role, paths },
      group: 'cycle',
    })
  }
  const at = (name: string) => path.join(bench.cwd, '.ratchet/c.progress', name)
  const entries = () =>
    readFileSync(at('coordination/discoveries.ndjson'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { ts: string; agent: string; type: string; data: unknown })

  test('{progress}, {board} and {workspace} are replaced by them', async () => {
    const agent = bench.playbook([
      {
        do: [
          { write: { path: '{progress}/plan.json', text: '{}' } },
          { append: { path: '{board}', text: 'no json\n' } },
          { write: { path: '{workspace}/src/a.js', text: 'a' } },
          { wait: { 'until-file': '{progress}/plan.json' } },
        ],
      },
    ])
    expect(
      await bench.call(bench.driver(), bench.config(agent), of('exploration-planner', 'ep')).result,
    ).toMatchObject({ outcome: 'completed' })
    expect([
      existsSync(at('ep/plan.json')),
      readFileSync(at('coordination/discoveries.ndjson'), 'utf8'),
      existsSync(path.join(bench.cwd, 'src/a.js')),
    ]).toEqual([true, 'no json\n', true])
  })

  test.each(['{board}', '{progress}/a'])(
    '%s fails the turn where the prompt names none',
    async (name) => {
      expect(await play([{ write: { path: name, text: '' } }])).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('the prompt names no') as string,
      })
    },
  )

  test('board appends an entry in the name of the role', async () => {
    const data = { language: 'js', framework: 'none', test: 'node --test', build: 'none' }
    const agent = bench.playbook([{ do: [{ board: { type: 'tech_stack', data } }] }])
    await bench.call(bench.driver(), bench.config(agent), of('requirements-analyst', 'ra')).result
    expect(entries()).toEqual([
      { ts: expect.stringMatching(/^\d{4}-.*Z$/) as string, agent: 'ra', type: 'tech_stack', data },
    ])
  })

  test('board appends a broken line as it is, and refuses an entry above 4 kB', async () => {
    const agent = bench.playbook([
      {
        do: [
          { board: '{"type": broken' },
          { board: { type: 'blocker', data: { issue: 'x'.repeat(5_000) } } },
        ],
      },
    ])
    expect(
      await bench.call(bench.driver(), bench.config(agent), of('code-developer', 'cd')).result,
    ).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('at most 4096 bytes') as string,
    })
    expect(readFileSync(at('coordination/discoveries.ndjson'), 'utf8')).toBe('{"type": broken\n')
  })

  test('four roles run one file at the same time and keep their lines whole', async () => {
    const roles = [
      ['requirements-analyst', 'ra'],
      ['exploration-planner', 'ep'],
      ['code-developer', 'cd'],
      ['validation-archivist', 'vas'],
    ] as const
    const told = Array.from({ length: 20 }, (_, n) => ({
      board: { type: 'note', data: { n, text: 'x'.repeat(3_000) } },
    }))
    const agent = bench.playbook(
      roles.map(([role, phase]) => ({
        when: { role },
        do: [
          ...told,
          { write: { path: '{progress}/own.md', text: phase } },
          { result: { fields: { phase, status: 'success', files_written: ['own.md'] } } },
        ],
      })),
    )
    const driver = bench.driver()
    const results = await Promise.all(
      roles.map(([role, phase]) => bench.call(driver, bench.config(agent), of(role, phase)).result),
    )
    expect(results.map((result) => result.outcome)).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
    ])
    for (const [n, [, phase]] of roles.entries()) {
      expect(results[n]?.tail).toContain(
        `PHASE_RESULT:\n- phase: ${phase}\n- status: success\n- files_written: ["own.md"]`,
      )
      expect(readFileSync(at(`${phase}/own.md`), 'utf8')).toBe(phase)
      expect(entries().filter((entry) => entry.agent === phase)).toHaveLength(20)
    }
  })

  test('a turn resumed after an interruption appends nothing twice', async () => {
    const agent = bench.playbook(
      // prettier-ignore
      [
      { when: { attempt: 1 }, do: [{ board: { type: 'note', data: { n: 1 } } }, { append: { path: '{progress}/changes.log', text: 'one\n' } }, { crash: 3 }] },
      { do: [{ say: 'a' }, { say: 'b' }, { board: { type: 'note', data: { n: 1 } } }, { append: { path: '{progress}/changes.log', text: 'one\n' } }] },
    ],
    )
    expect(
      await bench.call(bench.driver(), bench.config(agent), of('code-developer', 'cd')).result,
    ).toMatchObject({ outcome: 'completed', attempts: 2 })
    expect([entries().length, readFileSync(at('cd/changes.log'), 'utf8')]).toEqual([1, 'one\n'])
  })
})

describe('an answer that may never have arrived', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the rest is done', actions: ['write', 'say', 'result'], done: 1, from: 1 },
    { why: 'nothing is left: the last message is repeated, and no action', actions: ['say', 'write', 'say', 'result'], done: 4, from: 2 },
    { why: 'the last action was no message: nothing is repeated', actions: ['say', 'write'], done: 2, from: 2 },
  ],
  )('$why', ({ actions, done, from }) => {
    const all = {
      write: { write: { path: 'f', text: '' } },
      say: { say: 'a' },
      result: { result: 'b' },
    }
    expect(
      playFrom(
        actions.map((name) => all[name as keyof typeof all]),
        done,
      ),
    ).toBe(from)
  })

  test('an agent that is lost after its last message repeats it', async () => {
    const agent = bench.playbook([
      {
        when: { attempt: 1 },
        do: [{ append: { path: 'changes.log', text: 'one\n' } }, { say: 'lost' }, { crash: 3 }],
      },
      { do: [{ append: { path: 'changes.log', text: 'one\n' } }, { say: 'given again' }] },
    ])
    const result = await bench.call(bench.driver(), bench.config(agent)).result
    expect(result).toMatchObject({
      outcome: 'completed',
      attempts: 2,
      tail: expect.stringContaining('given again') as string,
    })
  })
})

describe('the choice of the step', () => {
  const header: TurnHeader = {
    run: 'r',
    kind: 'test-fix',
    role: 'test-fix-agent',
    task: 'IMPL-fix-2',
    iteration: 2,
    turn: 'work',
    attempt: 1,
    paths: { project: '/p', workspace: '/p' },
  }
  const book = (...whens: object[]) => {
    const read = readPlaybookText(
      `steps:\n${whens.map((when, i) => `  - { when: ${JSON.stringify(when)}, do: [{ say: "${i}" }] }`).join('\n')}`,
    )
    if (!read.ok) throw new Error(read.problem)
    return read.playbook
  }

  test.each(
    // prettier-ignore
    [
    { why: 'the first that matches, not the most exact', whens: [{ role: 'test-fix-agent' }, { role: 'test-fix-agent', iteration: 2 }], step: 0 },
    { why: 'all conditions must hold', whens: [{ role: 'test-fix-agent', iteration: 1 }, { task: 'IMPL-fix-2', turn: 'work', kind: 'test-fix' }], step: 1 },
    { why: 'the attempt is a condition too', whens: [{ attempt: 2 }, {}], step: 1 },
    { why: 'no match is none', whens: [{ turn: 'converge' }], step: undefined },
  ],
  )('$why', ({ whens, step }) => {
    const playbook = book(...whens)
    expect(stepFor(playbook, header)).toBe(step === undefined ? undefined : playbook.steps[step])
  })

  test('a prompt without our first line matches only a step without conditions', () => {
    const playbook = book({ role: 'test-fix-agent' }, {})
    expect(stepFor(playbook, undefined)).toBe(playbook.steps[1])
  })

  test('nth distinguishes the second turn of its name in a session, which starts at its first action', async () => {
    const agent = bench.playbook([
      { when: { nth: 2 }, do: [{ say: 'second' }] },
      { do: [{ say: 'first' }] },
    ])
    const driver = bench.driver()
    const config = bench.config(agent)
    const first = await bench.call(driver, config, bench.spec({ key: 'k1' })).result
    const second = await bench.call(
      driver,
      config,
      bench.spec({ key: 'k2', sessionId: first.sessionId as string }),
    ).result
    expect([first.tail.trim().split('\n').at(-1), second.tail.trim().split('\n').at(-1)]).toEqual([
      'first',
      'second',
    ])
  })

  test('the second turn of a name repeats its first action after a kill during it', async () => {
    const agent = bench.playbook([
      { when: { nth: 2 }, do: [{ crash: { attempts: 1 } }, { say: 'second' }] },
      { do: [{ say: 'x' }, { say: 'y' }, { say: 'first' }] },
    ])
    const driver = bench.driver()
    const config = bench.config(agent)
    const first = await bench.call(driver, config, bench.spec({ key: 'k1' })).result
    const second = await bench.call(
      driver,
      config,
      bench.spec({ key: 'k2', sessionId: first.sessionId as string }),
    ).result
    expect(second).toMatchObject({
      outcome: 'completed',
      attempts: 2,
      tail: expect.stringContaining('second') as string,
    })
  })

  test('a turn without a match says so and ends', async () => {
    const agent = bench.playbook([{ when: { iteration: 9 }, do: [{ say: 'no' }] }])
    expect((await bench.call(bench.driver(), bench.config(agent)).result).tail).toContain(
      `no step matches ${bench.run}/test-fix-agent/IMPL-fix-1/1/work`,
    )
  })
})

function readPlaybookText(text: string) {
  const file = path.join(bench.root, 'p.yaml')
  writeFileSync(file, text)
  return readPlaybook(file)
}

test.each(
  // prettier-ignore
  [
  { text: 'steps: []', problem: 'steps: Too small' },
  { text: 'steps: [{ do: [{ wrte: x }] }]', problem: 'steps.0.do.0: must have one key, of write, append, patch, delete, board' },
  { text: 'steps: [{ do: [{ say: a, run: [b] }] }]', problem: 'got say, run' },
  { text: 'steps: [{ do: [{ write: { path: ../x, text: a } }] }]', problem: 'steps.0.do.0.write.path: must be a path below the working directory' },
  { text: 'steps: [{ do: [{ write: { path: /etc/x, text: a } }] }]', problem: 'must be a path below' },
  { text: 'steps: [{ do: [{ write: { path: x } }] }]', problem: 'steps.0.do.0.write.text' },
  { text: 'steps: [{ when: { role: unknown }, do: [] }]', problem: 'steps.0.when.role' },
  { text: 'steps: [{ when: { rolle: x }, do: [] }]', problem: 'steps.0.when: Unrecognized key' },
  { text: 'steps: [', problem: 'p.yaml: ' },
  { text: 'hello', problem: 'playbook: ' },
],
)('refuses an invalid playbook with the place: $text', ({ text, problem }) => {
  const read = readPlaybookText(text)
  expect(read.ok ? 'accepted' : read.problem).toContain(problem)
})

test('the example in docs/configuration.md is a playbook', () => {
  const [, example] =
    /## Playbooks[^]*?```yaml\n([^]*?)```/.exec(readFileSync('docs/configuration.md', 'utf8')) ?? []
  expect(readPlaybookText(example as string)).toMatchObject({
    ok: true,
    playbook: {
      steps: [
        {
          do: [
            { board: {} },
            { write: {} },
            { append: { text: expect.stringMatching(/^\{.*\}\n$/) as string } },
            { result: {} },
          ],
        },
      ],
    },
  })
})

test('a missing playbook fails the turn with its name', async () => {
  const agent = {
    protocol: 'acp',
    command: process.execPath,
    args: [playbookProgram(), '/nowhere/p.yaml'],
  }
  expect(await bench.call(bench.driver(), bench.config(agent)).result).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('playbook /nowhere/p.yaml does not exist') as string,
  })
})

test('without a file the program prints its usage', () => {
  const ran = spawnSync(process.execPath, [playbookProgram()], { encoding: 'utf8' })
  expect([ran.status, ran.stderr]).toEqual([2, '[playbook] usage: node main.js FILE.yaml\n'])
})

test('a definition becomes a command: playbook file from the project, sandbox in front', () => {
  const definition = AgentDefinition.parse({ protocol: 'playbook', sandbox: ['bwrap', '--x'] })
  const argv = definitionToArgv(definition, '/my/project')
  expect(argv).toEqual([
    'bwrap',
    '--x',
    process.execPath,
    expect.stringMatching(/\/dist\/adapters\/agents\/scripted\/main\.js$/) as string,
    '/my/project/ratchet.playbook.yaml',
  ])
  expect(
    definitionToArgv(
      AgentDefinition.parse({ protocol: 'acp', command: 'codex-acp', args: ['-v'] }),
      '/p',
    ),
  ).toEqual(['codex-acp', '-v'])
})
