// A program that is not an agent: prints hello, and waits.
console.log('Welcome! Type "help" for help.')
setInterval(() => {}, 1000)
process.stdin.on('end', () => process.exit(0)).resume()
