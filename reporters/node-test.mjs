// Reporter of node:test for Ratchet: what became of each test, a line of JSON each.
//
// node's own JUnit reporter names no files before version 22. Read by src/adapters/test-runners/reports/node-events.ts.

export default async function* reporter(events) {
  for await (const { type, data } of events) {
    // What went wrong outside of any test is a diagnostic.
    if (type === 'test:stderr' || type === 'test:diagnostic')
      yield line({ type, file: data.file, message: data.message })
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    const { name, nesting, file, skip, todo, details } = data
    const error = details?.error
    const cause = error?.cause ?? error
    yield line({
      // In this order: how far a run is, is read from the beginning of the line.
      type,
      nesting,
      suite: details?.type === 'suite',
      todo,
      name,
      file,
      skip,
      durationMs: details?.duration_ms,
      error: error && String((typeof cause === 'object' && cause?.stack) || cause),
      failure: error?.failureType,
    })
  }
  yield line({ type: 'end' })
}

function line(value) {
  return `${JSON.stringify(value)}\n`
}
