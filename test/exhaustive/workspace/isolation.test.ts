// Further ways to install a Python package that points elsewhere.
import { test } from 'vitest'
import {
  editable,
  expectIsolated,
  expectOwnPackage,
  type Installed,
} from '../../support/repositories/python-projects.js'

test.each<Installed>(
  // prettier-ignore
  [
  { why: 'a path file', files: (project) => ({ 'pkg.pth': `${project}/src\n` }) },
  { why: 'an editable finder', files: (project) => ({ '__editable___pkg_1_0_finder.py': `MAPPING = {'pkg': '${project}/src/pkg'}\n`, '__editable__.pkg-1.0.pth': 'import sys\n' }) },
],
)(
  '$why leads to the workspace in a copied environment, and from one outside of the project it is refused',
  expectOwnPackage,
)

test.each<Installed>([
  { why: 'nothing of the project', files: () => ({}) },
  { why: 'an editable install from elsewhere', files: () => editable('/opt/other') },
])('a virtual environment with $why is isolated', expectIsolated)
