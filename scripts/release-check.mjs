// node scripts/release-check.mjs vX.Y.Z: whether a tag may be published.
//
// The tag is the version of package.json, and the changelog has a section for it with something in it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = (name) => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const tag = process.argv[2] ?? ''
const { version } = JSON.parse(read('package.json'))
const problem = releaseProblem(tag, version, read('CHANGELOG.md'))
if (problem !== undefined) {
  console.error(`error: ${problem}`)
  process.exit(1)
}
console.log(`${tag} may be published`)

function releaseProblem(tag, version, changelog) {
  if (tag !== `v${version}`)
    return `the tag is ${JSON.stringify(tag)}, package.json has ${version}: tag it v${version}, or change the version`
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/[\s\n]/, 1)[0] === version)
  if (section === undefined)
    return `CHANGELOG.md has no section "## ${version}": give what is unreleased its version`
  return /^- /m.test(section) ? undefined : `CHANGELOG.md says nothing of ${version}`
}
