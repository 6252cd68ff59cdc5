// Says what to do where a sandbox does not hold on a machine.

/** @param isRestricted only programs with an AppArmor profile may make user namespaces */
export function sandboxRemedy(problem: string, isRestricted: boolean): string {
  if (/No such image|Unable to find image|image not known|does not resolve/i.test(problem))
    return 'Ratchet fetches no image: pull or build the one that "sandbox.image" names'
  if (/Cannot connect to the Docker daemon/.test(problem))
    return 'start the Docker daemon, or use podman'
  return isRestricted && /uid map|namespace|Permission denied/i.test(problem)
    ? 'AppArmor keeps programs from making user namespaces: add a profile for bwrap that allows "userns", or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
    : 'choose another component under "sandbox" in ratchet.config.json, or set "sandbox": "none"'
}
