// Faults that are known and are being repaired: a property that they break is not asked for. Each goes with its repair.
export const KNOWN = {
  /** A cycle takes the word of VAS on a commit that it refused before, although nothing was committed since. */
  agreedAfterRefusal: true,
  /** The oracle takes two validations for equal where their words differ; the loop compares the words of its open items. */
  equalValidations: true,
}
