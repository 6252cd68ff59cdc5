// A program that is no agent: it says hello, and waits.
console.log('Welcome! Type "help" for help.')
setInterval(() => {}, 1000)
process.stdin.on('end', () => process.exit(0)).resume()
