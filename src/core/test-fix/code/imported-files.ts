// Which files of a project a source file imports: a test's own words for the code that it is about.
// Only plain relative imports of JavaScript and TypeScript, and modules of Python; what is not
// found is left to the agent.
import { folderOf, joinPath } from '../../text/posix-path.js'

/** Imports of one file that are looked at. */
const IMPORTS = 40
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts']
const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * Imported files, in their order, each once.
 *
 * @param isKnown whether a path is a file of the project
 */
export function importedFiles(
  file: string,
  text: string,
  isKnown: (path: string) => boolean,
): string[] {
  const candidates = SCRIPT.test(file)
    ? scriptImports(file, text)
    : file.endsWith('.py')
      ? pythonImports(file, text)
      : []
  const found = candidates
    .slice(0, IMPORTS)
    .flatMap((places) => places.find((place) => place !== file && isKnown(place)) ?? [])
  return [...new Set(found)]
}

function scriptImports(file: string, text: string): string[][] {
  const named = text.matchAll(
    /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/g,
  )
  return [...named].map(([, specifier = '']) => {
    const place = joinPath(folderOf(file), specifier)
    // TypeScript names the file that it will write
    const bare = place.replace(/\.([cm]?)jsx?$/, '')
    return [
      ...ENDINGS.map((ending) => `${place}${ending}`),
      ...(bare === place ? [] : ENDINGS.slice(1).map((ending) => `${bare}${ending}`)),
      ...ENDINGS.slice(1).map((ending) => `${place}/index${ending}`),
    ]
  })
}

function pythonImports(file: string, text: string): string[][] {
  const named = text.matchAll(
    /^[ \t]*(?:from[ \t]{1,20}(\.{0,20}[\w.]{0,200})[ \t]{1,20}import[ \t]{1,20}\(?([\w, \t]{0,1000})|import[ \t]{1,20}([\w.]{1,200}))/gm,
  )
  return [...named].flatMap(([, from, names = '', whole]) => {
    const module = from ?? whole ?? ''
    const dots = /^\.*/.exec(module)?.[0].length ?? 0
    const parts = module.slice(dots).split('.').filter(Boolean)
    const below =
      dots > 0 ? [joinPath(folderOf(file), '../'.repeat(dots - 1))] : ['', 'src', folderOf(file)]
    // A name may be a module of the package.
    const modules = [...names.split(',').map((name) => [...parts, name.trim()]), parts]
    return modules.map((one) =>
      below.flatMap((dir) => {
        const place = joinPath(dir, ...one)
        return [`${place}.py`, `${place}/__init__.py`]
      }),
    )
  })
}
