// Waits for a commit in a repository, then spoils a file, again and again. Usage: node late-writer.mjs REPOSITORY FILE
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const [repository, file] = process.argv.slice(2)
const head = () => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' })
process.on('SIGTERM', () => {})
const first = head()
setInterval(() => {
  if (head() !== first) appendFileSync(file, '\n)]} spoiled after the commit\n')
}, 30)
setTimeout(() => process.exit(0), 300_000)
