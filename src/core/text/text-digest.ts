// A short digest that distinguishes texts where Node's crypto is not available. Not for secrets,
// and not against forgery.

const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n

/** Returns 16 hex digits: FNV-1a of the text's UTF-8, 64 bits. */
export function textDigest(text: string): string {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME)
  return hash.toString(16).padStart(16, '0')
}
