// Faults that are known and are being repaired: a property that they break is not asked for. Each goes with its repair.
export const KNOWN = {
  /** A blocker of EP or VAS: the answer is told to CD alone, and its agent is not bought again. */
  blockerOfOthers: false,
  /** Tasks that are named without a commit of that iteration; a lazy run that goes on from one with commits. */
  namedWithoutCommit: false,
  /** A cycle takes the word of VAS on a commit that it refused before, although nothing was committed since. */
  agreedAfterRefusal: true,
  /** A loop in auto mode goes on after two validations with the same commit and the same open items. */
  equalValidations: false,
}
