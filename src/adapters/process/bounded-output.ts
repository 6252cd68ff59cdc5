// Output of a process, kept in a file of bounded size: its beginning and its end.
//
// The first error of a flood stands at its beginning and the summary at its end. The end is held in
// memory until the file is finished; if this process dies before, the file has the beginning only.
import { closeSync, openSync, writeSync } from 'node:fs'

/** Bytes kept where nothing else is said: half of it beginning, half of it end. */
export const OUTPUT_BYTES = 8 << 20

export type BoundedOutput = {
  readonly file: string
  /** Bytes and lines seen so far, kept or not. */
  readonly bytes: number
  readonly lines: number
  write(chunk: Buffer): void
  /**
   * Writes the end and closes the file; a second call does nothing. Throws what writing had thrown.
   */
  finish(): void
}

/** Opens `file`, truncated, for at most about `maxBytes`; readable by the user only. */
export function boundedOutput(file: string, maxBytes: number = OUTPUT_BYTES): BoundedOutput {
  const fd = openSync(file, 'w', 0o600)
  const headMax = Math.floor(maxBytes / 2)
  const tail = ring(maxBytes - headMax)
  let [bytes, lines, head] = [0, 0, 0]
  let open = true
  let failure: Error | undefined

  const save = (chunk: Buffer) => {
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at)
    } catch (error) {
      failure ??= error as Error // a full disk must not stop the reader: the child would block
    }
  }
  return {
    file,
    get bytes() {
      return bytes
    },
    get lines() {
      return lines
    },
    write(chunk) {
      if (!open) return
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
      const fits = Math.min(headMax - head, chunk.length)
      if (fits > 0) save(chunk.subarray(0, fits))
      head += fits
      if (fits < chunk.length) tail.push(chunk.subarray(fits))
    },
    finish() {
      if (!open) return
      open = false
      const end = tail.content()
      const cut = bytes - head - end.length
      if (cut > 0) save(Buffer.from(`\n[... ${cut} bytes cut ...]\n`))
      save(cut > 0 ? fromCharacter(end) : end)
      closeSync(fd)
      if (failure !== undefined) throw failure
    },
  }
}

// The last `size` bytes pushed, in memory of that size from the first byte on.
function ring(size: number) {
  let buffer: Buffer | undefined
  let [at, full] = [0, false]
  return {
    push(chunk: Buffer) {
      buffer ??= Buffer.alloc(size)
      let rest = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk
      if (chunk.length > size) full = true
      while (rest.length > 0) {
        const copied = rest.copy(buffer, at)
        at += copied
        if (at >= size) [at, full] = [0, true]
        rest = rest.subarray(copied)
      }
    },
    content(): Buffer {
      if (buffer === undefined) return Buffer.alloc(0)
      return full
        ? Buffer.concat([buffer.subarray(at), buffer.subarray(0, at)])
        : buffer.subarray(0, at)
    },
  }
}

// Leaves out the rest of a UTF-8 character that was cut.
function fromCharacter(text: Buffer): Buffer {
  let at = 0
  while (at < 3 && ((text[at] ?? 0) & 0xc0) === 0x80) at++
  return text.subarray(at)
}
