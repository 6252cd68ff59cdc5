// A person edits documents of the record while a cycle is open.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faultPoints } from '../../../../src/adapters/failpoint.js'
import { editLines, editsAfter } from '../../../../src/adapters/records/edits/edits-log.js'
import { takeEdits } from '../../../../src/adapters/records/edits/person-edits.js'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { writtenDocuments } from '../../../../src/adapters/records/edits/written-documents.js'
import { PHASES } from '../../../../src/contract/dev-cycle/discovery.js'
import { tempDir } from '../../../support/repositories/repos.js'
import {
  AT,
  cycleState,
  DOCUMENTS,
  OFFSET,
  PLAN,
  place,
  recordInput,
  REQUIREMENTS,
  type Place,
} from './cycle-state.js'

const log = ({ record }: Place): string => path.join(record, 'coordination/edits.ndjson')
const NEW = `${REQUIREMENTS}\n## FR-002: Discounts\n\nA discount is taken off.\n`

async function recorded(): Promise<{
  at: Place
  write: (settled?: boolean) => ReturnType<typeof writeCycleRecord>
  own: (name: string) => string
  kept: (name: string) => string
  history: (phase: string) => string[]
}> {
  const at = place(DOCUMENTS)
  const state = cycleState(at)
  const write = (settled = true) =>
    writeCycleRecord(recordInput(state, undefined, settled ? [...PHASES] : []), { offset: OFFSET })
  await write(false)
  return {
    at,
    write,
    own: (name) => readFileSync(path.join(at.dir, name), 'utf8'),
    kept: (name) => readFileSync(path.join(at.record, name), 'utf8'),
    history: (phase) => readdirSync(path.join(at.record, phase, 'history')).sort(),
  }
}

test('an edit is copied to the agents, answered once, noted in changes.log, and named as no agent’s', async () => {
  const { at, write, own, kept, history } = await recorded()
  writeFileSync(path.join(at.record, 'ra/requirements.md'), NEW)
  const answer = await write()
  expect(answer).toMatchObject({
    foreign: [],
    edits: [
      {
        id: 'EDIT-001',
        phase: 'ra',
        file: 'ra/requirements.md',
        change: ['+ ## FR-002: Discounts', '+ A discount is taken off.'],
      },
    ],
  })
  expect([own('ra/requirements.md'), kept('ra/requirements.md')]).toEqual([NEW, NEW])
  expect(kept('ra/changes.log')).toMatch(
    /"agent":"user","action":"update","change":"requirements\.md: edited by a person \(EDIT-001\)"/,
  )
  expect(history('ra')).toEqual(['requirements.md.edited-1', 'requirements.md.replaced-1'])
  await write()
  expect(editLines(log(at))).toHaveLength(1)
  expect(editsAfter(log(at), 1)).toEqual([])
})

test('an edit wins over a text that the agent wrote at that moment, and both are kept', async () => {
  const { at, write, own, kept, history } = await recorded()
  writeFileSync(path.join(at.record, 'ra/requirements.md'), NEW)
  writeFileSync(path.join(at.dir, 'ra/requirements.md'), '# Requirements of the agent\n')
  await write(false)
  expect([own('ra/requirements.md'), kept('ra/requirements.md')]).toEqual([NEW, NEW])
  writeFileSync(path.join(at.dir, 'ra/requirements.md'), '# The agent goes over it\n')
  await write(false)
  expect(kept('ra/requirements.md')).toContain('The agent goes over it')
  expect(history('ra').map((name) => kept(`ra/history/${name}`))).toEqual(
    expect.arrayContaining([NEW, '# Requirements of the agent\n']),
  )
})

test('documents of an agent at work are read at the end of its turn', async () => {
  const { at, kept, own } = await recorded()
  writeFileSync(path.join(at.record, 'ra/requirements.md'), NEW)
  const state = cycleState(at)
  const answer = await writeCycleRecord(
    recordInput(
      { ...state, agents: { ...state.agents, ra: { ...state.agents.ra, status: 'running' } } },
      undefined,
      ['ep', 'cd', 'vas'],
    ),
    { offset: OFFSET },
  )
  expect(answer.edits).toBeUndefined()
  expect([kept('ra/requirements.md'), own('ra/requirements.md')]).toEqual([
    NEW,
    DOCUMENTS['ra/requirements.md'],
  ])
})

test('a worker killed between the note and the copy reads the edit after its restart, and notes it once', async () => {
  const { at, write, own } = await recorded()
  writeFileSync(path.join(at.record, 'ra/requirements.md'), NEW)
  const directory = tempDir()
  writeFileSync(path.join(directory, 'record-edits'), '')
  const dying = {
    directory,
    die: () => {
      throw new Error('killed')
    },
  }
  await expect(
    faultPoints.run(dying, () =>
      takeEdits(at.record, at.dir, PHASES, { iteration: 1, at: AT, offset: OFFSET }),
    ),
  ).rejects.toThrow('killed')
  expect(own('ra/requirements.md')).toBe(DOCUMENTS['ra/requirements.md'])
  expect(await write()).toMatchObject({
    edits: [{ id: 'EDIT-001', change: ['+ ## FR-002: Discounts', '+ A discount is taken off.'] }],
  })
  expect(own('ra/requirements.md')).toBe(NEW)
  expect(editLines(log(at))).toHaveLength(1)
})

test('an edit of the plan names the added and the removed tasks', async () => {
  const { at, write } = await recorded()
  const [first] = PLAN.tasks
  writeFileSync(
    path.join(at.record, 'ep/plan.json'),
    JSON.stringify({
      ...PLAN,
      critical_path: [],
      tasks: [
        first,
        {
          id: 'TASK-003',
          title: 'Discount',
          description: 'Take it off',
          depends_on: [],
          files: [],
        },
      ],
    }),
  )
  expect(await write()).toMatchObject({
    edits: [
      {
        file: 'ep/plan.json',
        change: ['+ TASK-003: Discount: Take it off', '- TASK-002: Login'],
        plan: { added: ['TASK-003'], removed: [{ id: 'TASK-002', text: 'Login' }] },
      },
    ],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a plan that cannot be read', edit: (file: string) => { writeFileSync(file, '{ "tasks": [') },                       problem: /^plan\.json cannot be read/, is: (file: string) => readFileSync(file, 'utf8') === '{ "tasks": [' },
  { why: 'a link',                     edit: (file: string) => { rmSync(file); symlinkSync('/etc/hostname', file) },           problem: /^it is a link/,              is: (file: string) => lstatSync(file).isSymbolicLink() },
  { why: 'a directory',                edit: (file: string) => { rmSync(file); mkdirSync(file); writeFileSync(path.join(file, 'mine'), 'x') }, problem: /^it is a directory$/, is: (file: string) => readFileSync(path.join(file, 'mine'), 'utf8') === 'x' },
  { why: 'more than 1 MB',             edit: (file: string) => { writeFileSync(file, 'x'.repeat(1024 * 1024 + 1)) },            problem: /^it has 1025 kB/,            is: (file: string) => lstatSync(file).size === 1024 * 1024 + 1 },
],
)(
  'an unusable edit is kept as plan.json.edited, and the version of the agents is restored: $why',
  async ({ edit, problem, is }) => {
    const { at, write, kept, own } = await recorded()
    const before = kept('ep/plan.json')
    edit(path.join(at.record, 'ep/plan.json'))
    expect(await write()).toMatchObject({
      edits: [
        { id: 'EDIT-001', file: 'ep/plan.json', problem: expect.stringMatching(problem) as string },
      ],
    })
    expect(is(path.join(at.record, 'ep/plan.json.edited'))).toBe(true)
    expect(JSON.parse(kept('ep/plan.json'))).toEqual(JSON.parse(before))
    expect(own('ep/plan.json')).toBe(DOCUMENTS['ep/plan.json'])
    await write()
    expect(editLines(log(at))).toHaveLength(1)
  },
)

test('a corrected edit is accepted; one that is still wrong is asked about again', async () => {
  const { at, write, kept } = await recorded()
  const edited = path.join(at.record, 'ep/plan.json.edited')
  writeFileSync(path.join(at.record, 'ep/plan.json'), '{')
  await write()
  writeFileSync(edited, '{}')
  await write()
  const right = JSON.stringify({
    ...PLAN,
    tasks: [...PLAN.tasks, { id: 'TASK-003', title: 'Discount', depends_on: [] }],
  })
  writeFileSync(edited, right)
  await write()
  expect(editLines(log(at)).map(({ id, problem }) => [id, problem === undefined])).toEqual([
    ['EDIT-001', false],
    ['EDIT-002', false],
    ['EDIT-003', true],
  ])
  expect(kept('ep/plan.json')).toBe(right)
  expect(existsSync(edited)).toBe(false)
})

test('a second refused edit keeps the first one', async () => {
  const { at, write, kept } = await recorded()
  for (const text of ['{ first', '{ second']) {
    writeFileSync(path.join(at.record, 'ep/plan.json'), text)
    await write()
  }
  expect([kept('ep/plan.json.edited'), kept('ep/plan.json.edited-1')]).toEqual([
    '{ second',
    '{ first',
  ])
})

test('a deleted or emptied document is restored, and is no edit', async () => {
  const { at, write, kept } = await recorded()
  rmSync(path.join(at.record, 'ra/requirements.md'))
  writeFileSync(path.join(at.record, 'cd/implementation.md'), '')
  expect((await write(false)).edits).toBeUndefined()
  expect([kept('ra/requirements.md'), kept('cd/implementation.md')]).toEqual([
    DOCUMENTS['ra/requirements.md'],
    DOCUMENTS['cd/implementation.md'],
  ])
})

test('a person can write a document before any agent', async () => {
  const { at, write, own } = await recorded()
  writeFileSync(path.join(at.record, 'ra/edge-cases.md'), '# Edge Cases\n\n- EC-009: none\n')
  expect(await write()).toMatchObject({ edits: [{ file: 'ra/edge-cases.md' }] })
  expect(own('ra/edge-cases.md')).toContain('EC-009')
})

test('the same text of a person, after an agent wrote the document, is a new edit', async () => {
  const { at, write, own } = await recorded()
  for (const other of ['# Requirements of the agent\n', '# And again\n']) {
    writeFileSync(path.join(at.record, 'ra/requirements.md'), NEW)
    await write()
    writeFileSync(path.join(at.dir, 'ra/requirements.md'), other)
    await write(false)
    expect(own('ra/requirements.md')).toBe(other)
  }
  for (let n = 0; n < 2; n++) {
    writeFileSync(path.join(at.record, 'ep/plan.json'), '{')
    await write()
  }
  expect(editLines(log(at)).map(({ file }) => file)).toEqual([
    'ra/requirements.md',
    'ra/requirements.md',
    'ep/plan.json',
    'ep/plan.json',
  ])
})

test('the notes about texts of Ratchet do not depend on the order of the agents', async () => {
  const texts = await Promise.all(
    [
      ['summary.md', 'coverage.md'],
      ['coverage.md', 'summary.md'],
    ].map(async (order) => {
      const dir = tempDir()
      const written = await writtenDocuments(dir, ['coverage.md', 'summary.md'])
      for (const name of order) {
        writeFileSync(path.join(dir, name), `# ${name}\n`)
        await written.note(name, `# ${name}\n`, `EDIT-${name}`)
      }
      return readFileSync(path.join(dir, '.recorded.json'), 'utf8')
    }),
  )
  expect(texts[0]).toBe(texts[1])
})
