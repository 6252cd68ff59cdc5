// Exits at once, like a CLI with unknown arguments.
process.stderr.write('error: unknown option --acp\n')
process.exit(64)
