// Layers of tests, and how many of the cases of each have a test that ran.
//
// The reviewer names the cases and their tests; a test that no run reports counts as none.

/** Least share of the cases of a layer that have a test, in percent; `null`: reported only. */
export const LAYERS = {
  'L1.1': { name: 'happy path', least: 100 },
  'L1.2': { name: 'bad input', least: 80 },
  'L1.3': { name: 'edge cases', least: 60 },
  'L1.4': { name: 'state', least: 80 },
  'L1.5': { name: 'asynchronous behaviour', least: 100 },
  L2: { name: 'integration', least: 70 },
  L3: { name: 'end to end', least: null },
} as const
export type Layer = keyof typeof LAYERS

export type TestCase = { layer: Layer; what: string; test: string | null }
/** `layer` as it was reported: what is no layer has no least share. */
export type LayerCount = { layer: string; cases: number; tested: number }

export function isLayer(name: string): name is Layer {
  return Object.hasOwn(LAYERS, name)
}

/**
 * @param ran names of the tests that ran, as their report has them
 */
export function layerCounts(cases: readonly TestCase[], ran: readonly string[]): LayerCount[] {
  const names = new Set(ran.map(plain))
  return (Object.keys(LAYERS) as Layer[]).flatMap((layer) => {
    const own = cases.filter((one) => one.layer === layer)
    if (own.length === 0) return []
    const tested = own.filter(({ test }) => test !== null && isNamed(plain(test), names))
    return [{ layer, cases: own.length, tested: tested.length }]
  })
}

/** Layers with too few tests, one phrase each. */
export function layerProblems(counts: readonly LayerCount[]): string[] {
  return counts.flatMap(({ layer, cases, tested }) => {
    const { name, least } = isLayer(layer) ? LAYERS[layer] : { name: '', least: null }
    return least === null || 100 * tested >= least * cases
      ? []
      : [`${layer} ${name}: ${tested} of ${cases} cases have a test that ran, ${least} % are asked`]
  })
}

/** A test may be named without its file, its classes and blocks, or its parameters. */
function isNamed(test: string, names: ReadonlySet<string>): boolean {
  const own = last(test)
  return (
    own !== '' && [...names].some((name) => last(name) === own || last(name).split('[')[0] === own)
  )
}

function last(name: string): string {
  return name.split(/::| > /).at(-1) ?? name
}

function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ')
}
