// Ends at once, as a CLI does that does not know its arguments.
process.stderr.write('error: unknown option --acp\n')
process.exit(64)
