// pytest names a test by module and classes joined with dots; with `xunit1` it names the file too.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { projectFile } from './project-file.js'

/** File and name of a test, the name as pytest itself writes it after the file: `TestClass::test_x[a-1]`. */
export function pytestName(one: { name: string; classname: string; file: string | undefined }, cwd: string): { file: string; test: string } {
  const parts = one.classname === '' ? [] : one.classname.split('.')
  if (one.file === undefined) return fromModule(parts, one.name, cwd)
  const module = one.file.replaceAll('\\', '/').replace(/\.py$/, '').split('/')
  const same = module.every((part, at) => parts[at] === part)
  // With a file outside its root pytest leaves directories out: then the classes follow the module's own name.
  const from = same ? module.length : parts.lastIndexOf(module.at(-1) ?? '') + 1
  return { file: projectFile(one.file, cwd), test: [...parts.slice(from), one.name].join('::') }
}

// Without a file (`xunit2`): the longest beginning that is a file; the rest are classes.
function fromModule(parts: string[], name: string, cwd: string): { file: string; test: string } {
  for (let length = parts.length; length > 0; length--) {
    const file = `${parts.slice(0, length).join('/')}.py`
    if (existsSync(path.join(cwd, file))) return { file, test: [...parts.slice(length), name].join('::') }
  }
  return { file: parts.join('.'), test: name }
}
