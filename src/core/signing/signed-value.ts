// Names of a signature on a private server. It is in the metadata of a payload, next to what the
// payload is signed for; the data itself stays readable.

/** Keys in the metadata of a payload. */
export const SIGNATURE_KEYS = { purpose: 'ratchet-signed-for', signature: 'ratchet-signature' }

/**
 * Key of a value whose signature was checked by the worker: `{ ratchetSigned: purpose, value }`. A
 * worker removes this form from everything else that it receives.
 */
export const SIGNED_MARK = 'ratchetSigned'

/** A value, and what it is signed for: `undefined` without a signature that was checked. */
export type SignedValue = { value: unknown; purpose: string | undefined }
