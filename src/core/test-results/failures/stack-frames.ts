// Stack frames, as runners print them in the error of a test.

/** A frame with a line. `fn`: empty where it is not said. */
export type Frame = {
  file: string
  line: number
  fn: string
  /**
   * What the lines of one stack look like, where inner frames come first. Otherwise outer frames,
   * or earlier failures of the same test, come first.
   */
  innerFirst: RegExp | undefined
}

const JAVASCRIPT =
  /^\s*at (?:async )?(?:(?<fn>[^(\n]+?) \()?(?:file:\/\/)?(?<file>[^()\s]+?):(?<line>\d+)(?::\d+)?\)?$/
const FORMS: readonly { form: RegExp; innerFirst?: RegExp }[] = [
  {
    form: JAVASCRIPT,
    innerFirst: /^\s*at /,
  },
  { form: /^\s*File "(?<file>[^"]+)", line (?<line>\d+)(?:, in (?<fn>\S+))?/ }, // Python
  { form: /^(?<file>[\w@./\\+-]+\.py):(?<line>\d+): (?:in (?<fn>\S+))?/ }, // pytest
  // A panic of Go
  { form: /^\s*(?<file>[\w@./\\+-]+\.go):(?<line>\d+) \+0x/, innerFirst: /\S/ },
  // Go, Rust and others
  {
    form: /^\s*(?<file>[\w@./\\+-]+\.(?:go|rs|c|cc|cpp|h|java|rb|php)):(?<line>\d+)(?::\d+)?\b/,
  },
  { form: /panicked at (?<file>[\w@./\\+-]+\.rs):(?<line>\d+):\d+/ }, // Rust
]
const OUTSIDE =
  /(?:^|[/\\])(?:node_modules|site-packages|dist-packages|\.cargo|\.rustup|go\/pkg\/mod)[/\\]|^node:|^<|[/\\]lib[/\\]python\d|[/\\]go[/\\]src[/\\]/

/** The frame in a line of an error. */
export function frameIn(text: string): Frame | undefined {
  for (const { form, innerFirst } of FORMS) {
    const { file, line, fn = '' } = form.exec(text)?.groups ?? {}
    if (file !== undefined) return { file, line: Number(line), fn: fn.trim(), innerFirst }
  }
  return undefined
}

/** Whether a frame is of a dependency, of the runner or of the language. */
export function isOutside({ file }: Frame): boolean {
  return OUTSIDE.test(file)
}
