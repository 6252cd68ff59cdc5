// What scripts import: typed start, signals, updates and queries of a run.
export { connect } from './connect.js'
export type { ConnectOptions, Ratchet } from './connect.js'
export { NoLocalServer } from './local-address.js'
export type { ExtendWish, RunHandle } from './handle.js'
export type { TestFixInput } from '../contract/input.js'
export type { CycleInput } from '../contract/cycle-input.js'
export type { RunResult, StatusReply } from '../contract/result.js'
export type { Question, Answer } from '../contract/question.js'
