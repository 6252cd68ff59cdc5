// Packages of Go that did not build: those with tests are files of tests, those without are not.
// go-unbuilt.jsonl is what go 1.26 prints; a package without tests reads there as one whose tests
// are in a package of their own (`outer`).
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  holdsNoTest,
  moduleOf,
  testFunctions,
} from '../../../../src/adapters/test-runners/reports/go-package.js'
import { FORMATS } from '../../../../src/adapters/test-runners/reports/read-report.js'
import type { Report } from '../../../../src/adapters/test-runners/reports/report.js'
import { makeProject, removeProject } from '../../../support/repositories/test-projects.js'

const made: string[] = []
afterEach(() => made.splice(0).forEach(removeProject))

const FIXTURES = path.join(import.meta.dirname, '../fixtures')
const MODULE = { 'go.mod': 'module example.com/calc\n\ngo 1.21\n' }
const TEST = 'package x\n\nimport "testing"\n\nfunc TestX(t *testing.T) {}\n'

function project(files: Record<string, string>): string {
  const dir = makeProject({ ...MODULE, ...files })
  made.push(dir)
  return dir
}

const unloaded = (report: Report): Record<string, boolean> =>
  Object.fromEntries(report.unloaded.map((one) => [one.file, one.holdsNoTest === true]))

test('packages that did not build: without tests, only imported, with tests inside and outside', () => {
  const cwd = project({
    'lone/lone.go': 'package lone\n',
    'used/used.go': 'package used\n',
    'setup/setup.go': 'package setup\n',
    'uses/uses.go': 'package uses\n',
    'uses/uses_test.go': TEST,
    'inner/inner.go': 'package inner\n',
    'inner/inner_test.go': TEST,
    'outer/outer.go': 'package outer\n',
    'outer/outer_test.go': TEST,
  })
  const text = readFileSync(path.join(FIXTURES, 'go-unbuilt.jsonl'), 'utf8')
  const holds = { inner: false, lone: true, outer: false, setup: true, used: true, uses: false }
  expect(unloaded(FORMATS.go.parse(text, 'report', cwd))).toEqual(holds)
  const elsewhere = unloaded(FORMATS.go.parse(text, 'report', path.join(FIXTURES, 'none')))
  expect(new Set(Object.values(elsewhere))).toEqual(new Set([false]))
})

test('the same in the JUnit report of go-junit-report', () => {
  const text = readFileSync(path.join(FIXTURES, 'go-junit-report-unloaded.xml'), 'utf8')
  const of = (files: Record<string, string>) =>
    unloaded(FORMATS.junit.parse(text, 'report', project(files)))
  const name = 'example.com/calc/mul'
  expect(of({ 'mul/mul.go': 'package mul\n' })).toEqual({ [name]: true })
  expect(of({ 'mul/mul.go': 'package mul\n', 'mul/mul_test.go': TEST })).toEqual({ [name]: false })
})

test('a package that panicked has tests, also if its directory shows none', () => {
  const text = readFileSync(path.join(FIXTURES, 'go-unloaded.jsonl'), 'utf8')
  const cwd = project({ 'boom/boom.go': 'package boom\n', 'lone/lone.go': 'package lone\n' })
  expect(unloaded(FORMATS.go.parse(text, 'report', cwd))).toMatchObject({
    boom: false,
    lone: false,
  })
})

const CODE = { 'a/a.go': 'package a\n' }
test.each<{ why: string; files?: Record<string, string>; name?: string; says: boolean }>(
  // prettier-ignore
  [
  { why: 'code alone', files: CODE, says: true },
  { why: 'tests below it', files: { ...CODE, 'a/b/b_test.go': TEST }, says: true },
  { why: 'the package at the root', files: { 'main.go': 'package main\n' }, name: 'example.com/calc', says: true },
  { why: 'a test', files: { ...CODE, 'a/a_test.go': TEST }, says: false },
  { why: 'tests alone', files: { 'a/a_test.go': TEST }, says: false },
  { why: 'a fuzz test', files: { ...CODE, 'a/a_test.go': 'package a\nfunc FuzzA(f *testing.F) {}\n' }, says: false },
  { why: 'an example', files: { ...CODE, 'a/a_test.go': 'package a\nfunc ExampleA() {}\n' }, says: false },
  { why: 'a test of other builds', files: { ...CODE, 'a/a_test.go': `//go:build windows\n\n${TEST}` }, says: false },
  { why: 'a test whose function is on a line of its own', files: { ...CODE, 'a/a_test.go': 'package a; func\nTestA(t *testing.T) {}\n' }, says: false },
  { why: 'helpers of tests', files: { ...CODE, 'a/export_test.go': 'package a\nvar Own = own\n' }, says: true },
  { why: 'TestMain alone', files: { ...CODE, 'a/main_test.go': 'package a\nfunc TestMain(m *testing.M) {}\n' }, says: true },
  { why: 'TestMainly', files: { ...CODE, 'a/main_test.go': 'package a\nfunc TestMainly(t *testing.T) {}\n' }, says: false },
  { why: 'files that Go ignores', files: { ...CODE, 'a/_a_test.go': TEST, 'a/.a_test.go': TEST }, says: true },
  { why: 'a directory called like a test', files: { ...CODE, 'a/a_test.go/x': '' }, says: false },
  { why: 'no source', files: { 'a/README.md': '' }, says: false },
  { why: 'no directory', says: false },
  { why: 'a module of its own, named by its place', files: { ...CODE, 'a/go.mod': 'module example.com/calc/a\n' }, says: true },
  { why: 'a module of another name', files: { ...CODE, 'a/go.mod': 'module example.com/other\n' }, says: false },
  { why: 'another module', files: CODE, name: 'example.com/other/a', says: false },
  { why: 'a module whose name begins alike', files: CODE, name: 'example.com/calculus/a', says: false },
  { why: 'a name that leads out', files: CODE, name: 'example.com/calc/a/../../calc', says: false },
  { why: 'a name that is too long', files: CODE, name: `example.com/calc/${'a'.repeat(5_000)}`, says: false },
  { why: 'a name that no file can have', files: CODE, name: 'example.com/calc/a\0', says: false },
  { why: 'a file in place of the directory', files: { a: '' }, says: false },
  { why: 'a name with an empty part', files: CODE, name: 'example.com/calc//a', says: false },
],
)('whether a package is known to hold no test: $why: $says', ({ files = {}, name, says }) => {
  const module = moduleOf(project(files))
  expect(holdsNoTest(module, name ?? 'example.com/calc/a')).toBe(says)
})

test('a directory behind a link is not looked into', () => {
  const outside = project({ 'a/a.go': 'package a\n', 'deep/a/a_test.go': TEST })
  const cwd = project({})
  symlinkSync(path.join(outside, 'a'), path.join(cwd, 'a'))
  symlinkSync(path.join(outside, 'deep'), path.join(cwd, 'deep'))
  const module = moduleOf(cwd)
  expect(holdsNoTest(module, 'example.com/calc/a')).toBe(false)
  expect(module && testFunctions(module, 'deep/a')).toEqual(new Map())
})

test('a file that cannot be read may hold a test', () => {
  const cwd = project({ 'a/a.go': 'package a\n' })
  symlinkSync('a_test.go', path.join(cwd, 'a/a_test.go'))
  const module = moduleOf(cwd)
  expect(holdsNoTest(module, 'example.com/calc/a')).toBe(false)
  expect(module && testFunctions(module, 'a')).toEqual(new Map())
})
