// Runs inside a sandbox and tries to leave it. Prints what succeeded, as JSON.
//
// node escapes.cjs '{"secret", "hidden": [], "outside", "inside", "port", "named", "pid"}'
'use strict'
const fs = require('node:fs')
const http = require('node:http')
const net = require('node:net')

const { secret, hidden, outside, inside, port, named, pid } = JSON.parse(process.argv[2])
const PATIENCE_MS = 2_000

function succeeds(body) {
  try {
    return body() !== false
  } catch {
    return false
  }
}

const connects = (to) =>
  new Promise((resolve) => {
    const one = net.connect(to)
    one.once('connect', () => resolve(true)).once('error', () => resolve(false))
    setTimeout(() => resolve(false), PATIENCE_MS).unref()
  })

const connectsByProxy = (target) =>
  new Promise((resolve) => {
    const address = process.env.HTTP_PROXY ?? process.env.http_proxy
    if (address === undefined) return resolve(false)
    const { hostname, port: at, username, password } = new URL(address)
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
    const headers =
      username === '' ? {} : { 'proxy-authorization': `Basic ${login.toString('base64')}` }
    const request = http.request({
      host: hostname,
      port: at,
      method: 'CONNECT',
      path: target,
      headers,
    })
    request.once('connect', ({ statusCode }) => resolve(statusCode === 200))
    request
      .once('response', () => resolve(false))
      .once('error', () => resolve(false))
      .end()
    setTimeout(() => resolve(false), PATIENCE_MS).unref()
  })

const isRead = (file) =>
  fs.statSync(file).isDirectory()
    ? fs.readdirSync(file).length > 0
    : fs.readFileSync(file).length > 0

Promise.all([
  connects({ host: '127.0.0.1', port }),
  connects({ host: '1.1.1.1', port: 443 }),
  connectsByProxy(`localhost:${port}`),
  connectsByProxy(`localhost:${named}`),
]).then(([local, world, refused, allowed]) => {
  succeeds(() => fs.writeFileSync(outside, '')) // whether it is there shows outside
  const tried = {
    'reads the state directory': succeeds(() => fs.readFileSync(secret)),
    'reads hidden files of the home directory': hidden.some((file) => succeeds(() => isRead(file))),
    'reaches a port of this machine': local || refused,
    'reaches the network': world,
    'sees processes of this machine': fs.existsSync(`/proc/${pid}/stat`),
    'writes in the workspace': succeeds(() => fs.writeFileSync(inside, '')),
    'reaches a named port': allowed,
  }
  process.stdout.write(JSON.stringify(tried), () => process.exit(0))
})
