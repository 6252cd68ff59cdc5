// Runs inside a sandbox without a network: listens on its loopback ports and carries each
// connection to the proxy of the host, by a socket in the file system. Then it starts the command.
//
// node relay.cjs <socket> <proxy port> <local ports, by comma> <lifeline> -- <command> [argument…]
//
// As the first process of a container it ends, and the container with it, when the other end of the
// lifeline is gone: a socket that the program on the host holds.
'use strict'
const net = require('node:net')
const { spawn } = require('node:child_process')

const [socket, proxyPort, ports, lifeline, , command, ...args] = process.argv.slice(2)
const local = ports === '' ? [] : ports.split(',').map(Number)

function carry(client, greeting) {
  const host = net.connect(socket)
  const end = () => {
    client.destroy()
    host.destroy()
  }
  client.on('error', end).on('close', end)
  host.on('error', end).on('close', end)
  if (greeting === undefined) {
    client.pipe(host)
    host.pipe(client)
    return
  }
  host.write(greeting)
  let head = Buffer.alloc(0)
  const onData = (chunk) => {
    head = Buffer.concat([head, chunk])
    const at = head.indexOf('\r\n\r\n')
    if (at === -1) return
    host.off('data', onData)
    if (!head.subarray(0, at).toString('latin1').startsWith('HTTP/1.1 200')) return end()
    client.write(head.subarray(at + 4))
    client.pipe(host)
    host.pipe(client)
  }
  host.on('data', onData)
}

function listen(port, greeting) {
  return new Promise((resolve, reject) => {
    net
      .createServer((client) => carry(client, greeting))
      .once('error', reject)
      .listen(port, '127.0.0.1', resolve)
  })
}

Promise.all([
  listen(Number(proxyPort)),
  ...local.map((port) => listen(port, `CONNECT localhost:${port} HTTP/1.1\r\n\r\n`)),
]).then(
  () => {
    if (lifeline !== '')
      net
        .connect(lifeline)
        .on('error', () => process.exit(137))
        .on('close', () => process.exit(137))
        .resume()
    const child = spawn(command, args, { stdio: 'inherit' })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
      process.on(signal, () => child.kill(signal))
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      process.exit(127)
    })
    child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 143)))
  },
  (error) => {
    console.error(`the network of the sandbox cannot be set up: ${error.message}`)
    process.exit(126)
  },
)
