// The schema of every activity's input, by the activity's name.
import type { z } from 'zod'
import {
  CommitCycleInput,
  PrepareCycleInput,
  RecordCycleInput,
  ReloadCycleInput,
} from '../../contract/dev-cycle/cycle-step.js'
import {
  CloneWorkersInput,
  CommitLoopInput,
  MergeWorkersInput,
  PrepareLoopInput,
  RecordLoopInput,
  ReloadLoopInput,
} from '../../contract/dev-loop/loop-step.js'
import { PreparePrepInput, RecordPrepInput } from '../../contract/prep/prep-step.js'
import { CheckQualityInput } from '../../contract/quality.js'
import { BeatInput, NotifyInput, RunTestsInput, ServerFactsInput } from '../../contract/step.js'
import {
  AcceptFixInput,
  ApplyChangesInput,
  CommitFixInput,
  ConfirmInput,
  CountCoveredInput,
  DegradedInput,
  GoBackInput,
  PrepareInput,
  ProposeInput,
  RecordInput,
  ReloadInput,
  RollBackInput,
  TakeOutInput,
} from '../../contract/test-fix/test-fix-step.js'
import { MeasureTestsInput, SupplementInput } from '../../contract/test-fix/test-quality.js'
import { SentTurn, SettleInput } from '../../contract/turn-input.js'
import type { HostActivities, LightActivities } from '../index.js'

type SchemasOf<A> = {
  [K in keyof A]: A[K] extends (input: infer I) => unknown ? z.ZodType<I> : never
}

/** Of a project's host. */
export const HOST_INPUTS = {
  prepareRun: PrepareInput,
  reloadConfig: ReloadInput,
  commitFix: CommitFixInput,
  takeOut: TakeOutInput,
  acceptFix: AcceptFixInput,
  goBack: GoBackInput,
  rollBack: RollBackInput,
  runTests: RunTestsInput,
  confirmResults: ConfirmInput,
  proposeTestChanges: ProposeInput,
  countCovered: CountCoveredInput,
  applyTestChanges: ApplyChangesInput,
  measureCoverage: MeasureTestsInput,
  measureTests: MeasureTestsInput,
  planSupplement: SupplementInput,
  agentTurn: SentTurn,
  settleTurn: SettleInput,
  beatAtOnce: BeatInput,
  degradedAnalysis: DegradedInput,
  recordRun: RecordInput,
  prepareCycle: PrepareCycleInput,
  reloadCycle: ReloadCycleInput,
  commitCycle: CommitCycleInput,
  recordCycle: RecordCycleInput,
  prepareLoop: PrepareLoopInput,
  reloadLoop: ReloadLoopInput,
  commitLoop: CommitLoopInput,
  checkQuality: CheckQualityInput,
  recordLoop: RecordLoopInput,
  cloneWorkers: CloneWorkersInput,
  mergeWorkers: MergeWorkersInput,
  preparePrep: PreparePrepInput,
  recordPrep: RecordPrepInput,
  notify: NotifyInput,
} satisfies SchemasOf<HostActivities>

/** Of the workflow worker. */
export const LIGHT_INPUTS = {
  serverFacts: ServerFactsInput,
} satisfies SchemasOf<LightActivities>
