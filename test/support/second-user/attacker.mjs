// Another user of this machine. A line of JSON on stdin is one deed, a line on stdout what came of
// it. Needs nothing but Node: it can read nothing of this repository.
import * as fs from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'

const PLANTED = 'planted-by-another-user'

/** Each throws if the system refuses. */
const touches = {
  read(file) {
    const fd = fs.openSync(file, 'r')
    try {
      fs.readSync(fd, Buffer.alloc(16))
    } finally {
      fs.closeSync(fd)
    }
  },
  list: (dir) => fs.readdirSync(dir),
  'follow link': (file) => fs.readlinkSync(file),
  // Without making it
  write: (file) => fs.closeSync(fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND)),
  create: (dir) => fs.writeFileSync(path.join(dir, PLANTED), '', { flag: 'wx' }),
  enter: (dir) => process.chdir(dir),
}

/** What of these touches the system allowed, as `write /a/file`. */
function allowed(names, files) {
  return files.flatMap((file) =>
    names.flatMap((name) => {
      try {
        touches[name](file)
        return [`${name} ${file}`]
      } catch {
        return []
      }
    }),
  )
}

const code = (act) => {
  try {
    act()
    return 'done'
  } catch (error) {
    return error.code
  }
}

function commandLines() {
  return fs.readdirSync('/proc').flatMap((pid) => {
    try {
      const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return /^\d+$/.test(pid) && line !== '' ? [line] : []
    } catch {
      return [] // it has ended, or is no process
    }
  })
}

const seen = { commands: new Set(), names: new Set(), reached: new Set() }

/** Touches each new file of a directory at the moment at which it appears. */
function ambush(dir) {
  const known = new Set(fs.readdirSync(dir))
  fs.watch(dir, (_event, name) => {
    if (name === null || known.has(name)) return
    seen.names.add(name)
    const file = path.join(dir, name)
    for (const one of allowed(['read', 'list', 'write', 'create'], [file])) seen.reached.add(one)
  })
}

/** A port whose connections this user opens to another port. */
async function relay(port) {
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    for (const one of [from, to]) one.on('error', () => [from, to].forEach((end) => end.destroy()))
    from.pipe(to).pipe(from)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.address().port
}

const ask = ({ port, path: asked = '/', method = 'GET', headers = {}, body }) =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: asked, method, headers, agent: false }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => (text += chunk))
      reply.on('end', () => resolve({ code: reply.statusCode, text }))
    })
      .on('error', (error) => resolve({ code: 0, text: error.code }))
      .end(body)
  })

const deeds = {
  touch: ({ names, files }) => allowed(names, files),
  signal: ({ pids, name }) => pids.map((pid) => code(() => process.kill(pid, name))),
  link: ({ names, dir }) =>
    code(() => {
      fs.mkdirSync(dir)
      fs.chmodSync(dir, 0o777)
      names.forEach((name) => fs.symlinkSync(dir, name))
    }),
  ambush: ({ dir }) => ambush(dir),
  watchCommands: () =>
    void setInterval(() => commandLines().forEach((line) => seen.commands.add(line)), 50),
  seen: () => Object.fromEntries(Object.entries(seen).map(([name, set]) => [name, [...set]])),
  relay: ({ port }) => relay(port),
  ask,
  uid: () => process.getuid(),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { deed, ...given } = JSON.parse(line)
  console.log(JSON.stringify((await deeds[deed](given)) ?? null))
}
process.exit(0)
