// The schemas, which all workflows share instead of building them at their start. Building them
// took 15 ms of CPU at every iteration, each of which is a start, and 2 MB of every open run.
//
// The SDK deep-freezes shared objects, but a schema caches data in itself, so a frozen one fails at
// its first use. The SDK skips what is already frozen, so the namespaces are frozen here; as
// everywhere, nothing can be added to them. No module here may keep state of a run.
import * as agentSession from '../contract/test-fix/agent-session.js'
import * as budget from '../contract/budget.js'
import * as cycleInput from '../contract/dev-cycle/cycle-input.js'
import * as cycleRecord from '../contract/dev-cycle/cycle-record.js'
import * as cycle from '../contract/dev-cycle/cycle-state.js'
import * as discovery from '../contract/dev-cycle/discovery.js'
import * as duration from '../contract/duration.js'
import * as files from '../contract/files.js'
import * as hooks from '../contract/hooks.js'
import * as ids from '../contract/ids.js'
import * as input from '../contract/test-fix/test-fix-input.js'
import * as loopInput from '../contract/dev-loop/loop-input.js'
import * as loopRecord from '../contract/dev-loop/loop-record.js'
import * as loop from '../contract/dev-loop/loop-state.js'
import * as outage from '../contract/outage.js'
import * as personEdit from '../contract/dev-cycle/person-edit.js'
import * as phaseReading from '../contract/dev-cycle/phase-reading.js'
import * as prepDraft from '../contract/prep/prep-draft.js'
import * as prepInput from '../contract/prep/prep-input.js'
import * as prepPackage from '../contract/dev-cycle/prep-package.js'
import * as quality from '../contract/quality.js'
import * as question from '../contract/question.js'
import * as questionLimits from '../contract/question-limits.js'
import * as result from '../contract/result.js'
import * as sandbox from '../contract/sandbox.js'
import * as signals from '../contract/signals.js'
import * as state from '../contract/test-fix/test-fix-state.js'
import * as task from '../contract/test-fix/task.js'
import * as testChange from '../contract/test-fix/test-change.js'
import * as testQuality from '../contract/test-fix/test-quality.js'
import * as testRun from '../contract/test-run.js'
import * as workerReading from '../contract/dev-loop/action-reading.js'
import * as workspace from '../contract/workspace.js'

for (const namespace of [
  agentSession,
  budget,
  cycle,
  cycleInput,
  cycleRecord,
  discovery,
  duration,
  files,
  hooks,
  ids,
  input,
  loop,
  loopInput,
  loopRecord,
  outage,
  personEdit,
  phaseReading,
  prepDraft,
  prepInput,
  prepPackage,
  quality,
  question,
  questionLimits,
  result,
  sandbox,
  signals,
  state,
  task,
  testChange,
  testQuality,
  testRun,
  workerReading,
  workspace,
])
  Object.freeze(namespace)
