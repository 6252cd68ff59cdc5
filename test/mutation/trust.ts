// Trust: what a repository, another user or a web page may make this machine do.
import type { Protection } from './protection.js'

const HOSTILE = 'test/attacks/hostile-repository.test.ts'
const BY_HAND = 'test/attacks/activity-by-hand.test.ts'
const BROUGHT = 'test/activities/trust/brought-texts.test.ts'
const SECOND_USER = 'test/attacks/second-user.test.ts'
const PRIVATE = 'test/attacks/private-server.test.ts'
const COMMITTED = 'test/activities/host/committed-values.test.ts'
const SHELLS = 'test/e2e/two-shells.test.ts'
const ENVIRONMENTS = 'test/unit/dev-server/environments.test.ts'

export const TRUST: readonly Protection[] = [
  {
    protection: 'a worker runs nothing of an untrusted repository',
    file: 'src/activities/host/admit.ts',
    find: '  await requireTrust(dirs, project, env, read)\n',
    replace: '',
    red: { file: HOSTILE, name: 'is refused by the worker before anything runs' },
  },
  {
    protection: 'the configuration that was checked is the one that runs',
    file: 'src/activities/host/admit.ts',
    find: 'runConfig(project, env, roles, read)',
    replace: 'runConfig(project, env, roles)',
    red: { file: HOSTILE, name: 'a configuration that changes while it is checked' },
  },
  {
    protection: 'a committed link out of .workflow is refused',
    file: 'src/activities/host/admit.ts',
    find: '  await refuseLinksOut(project)\n',
    replace: '',
    red: {
      file: HOSTILE,
      name: 'a committed link in place of .workflow leads nothing out of the project',
    },
  },
  {
    protection: 'a prompt says which texts the repository brings',
    file: 'src/core/prompts/from-repository.ts',
    find: 'if (brought.length === 0) return []',
    replace: 'if (brought.length >= 0) return []',
    red: { file: BROUGHT, name: 'a planned session that the repository commits' },
  },
  {
    protection: 'a run knows which texts of .workflow git tracks',
    file: 'src/adapters/workspace/prepare.ts',
    find: 'brought: await trackedRecords(place.repo, input.project)',
    replace: 'brought: [trackedRecords].slice(1).map(String)',
    red: { file: BROUGHT, name: 'lessons of an earlier session that the repository commits' },
  },
  {
    protection: 'a task says that its prep package is of the repository',
    file: 'src/adapters/records/prep/run-package.ts',
    find: '{ typed, named, now, brought }',
    replace: '{ typed, named, now, brought: brought && undefined }',
    red: { file: BROUGHT, name: 'a prep package that the repository commits is marked' },
  },
  {
    protection: 'the command line asks before it starts a run',
    file: 'src/cli/start/resume-run.ts',
    find: "  await (await import('./ask-trust.js')).askTrust(context.project, context.out, project)\n",
    replace: '',
    red: { file: HOSTILE, name: 'without a terminal says what it brings and what to type' },
  },
  {
    protection: 'no program of an untrusted repository is asked for its version',
    file: 'src/adapters/agents/detect-agents.ts',
    find: 'if (untrusted && [program, real].some((file) => isInside(file, project))) return null',
    replace: '',
    red: { file: HOSTILE, name: 'runs none of them' },
  },
  {
    protection: 'an activity put into the queue by hand is parsed',
    file: 'src/activities/host/validate-input.ts',
    find: 'const problem = inputProblem(schema, input)',
    replace: 'const problem = [schema].length === 0 ? inputProblem(schema, input) : undefined',
    red: { file: BY_HAND, name: 'in the workspace of a run of the user' },
  },
  {
    protection: 'an activity by hand has no key that its schema does not know',
    file: 'src/activities/host/strict-schema.ts',
    find: 'shape: Object.fromEntries(shape), catchall: z.never()',
    replace: 'shape: Object.fromEntries(shape)',
    red: { file: BY_HAND, name: 'by another command' },
  },
  {
    protection: 'an activity by hand gets the workspace of its own run only',
    file: 'src/activities/host/own-places.ts',
    find: 'if (made?.run !== place.run())',
    replace: 'if (made === undefined)',
    red: {
      file: 'test/activities/own-input.test.ts',
      name: 'the run is that of the activity, not what the input says',
    },
  },
  {
    protection: 'an activity by hand gets no configuration that was not trusted',
    file: 'src/activities/host/validate-input.ts',
    find: 'await requireTrust(deps.dirs, deps.project, env)',
    replace: 'requireTrust satisfies unknown',
    red: { file: BY_HAND, name: 'brings no hook that the user has not trusted' },
  },
  {
    protection: 'the programs of a run have the variables of its own shell',
    file: 'src/activities/host/run-environment.ts',
    find: 'make({ ...deps, env, given: { from, lost } })',
    replace: 'make({ ...deps, given: { from, lost } })',
    red: { file: SHELLS, name: 'see the variables of their own shell' },
  },
  {
    protection: 'a start that fails does not change the environment of an open run',
    file: 'src/dev-server/environments/held-environments.ts',
    find: 'if (isTaken) this.#hold(offer.project,',
    replace: 'this.#hold(offer.project,',
    red: { file: ENVIRONMENTS, name: 'leaves an open run its own environment' },
  },
  {
    protection: 'a new supervisor does not replace what a worker remembers',
    file: 'src/adapters/environments/asked-environments.ts',
    find: "one.from !== 'command' && runs.has(one.run)",
    replace: "one.from !== 'command' && runs.has('')",
    red: { file: ENVIRONMENTS, name: 'does not replace what a worker remembers' },
  },
  {
    protection: 'what Ratchet makes in .workflow is readable by its user only',
    file: 'src/adapters/records/safe-files.ts',
    find: 'mkdirSync(own, { recursive: true, mode: PRIVATE.dir })',
    replace: 'mkdirSync(own, { recursive: true })',
    red: {
      file: 'test/activities/record-permissions.test.ts',
      name: 'and what is written into it',
    },
  },
  {
    protection: 'an archive with another checksum is not unpacked',
    file: 'src/dev-server/temporal-download.ts',
    find: 'if (got !== sha256)',
    replace: 'if (false)',
    red: {
      file: 'test/unit/dev-server/temporal-binary.test.ts',
      name: 'a changed archive is refused',
    },
  },
  {
    protection: 'the Web UI refuses other hosts and origins',
    file: 'src/dev-server/ui/ui-gateway.ts',
    find: 'if (refused !== undefined) return say(answer, 403, `${refused}\\n`)',
    replace: '',
    red: {
      file: 'test/adapters/dev-server/ui-gateway.test.ts',
      name: 'another host and another origin reach nothing',
    },
  },
  {
    protection: 'a private server runs nothing of a run that was started without its key',
    file: 'src/core/signing/signed-purpose.ts',
    find: "if (purpose === undefined) return 'not signed'\n  const signedAt",
    replace: 'if (purpose === undefined) return undefined\n  const signedAt',
    red: { file: PRIVATE, name: 'a run started by a client of another user' },
  },
  {
    protection: 'a private server runs no activity whose input was not signed for it',
    file: 'src/worker/signing/only-signed.ts',
    find: 'if (purpose !== activityPurpose(info.activityId))',
    replace: "if (purpose === '')",
    red: { file: PRIVATE, name: "scheduled by a stolen task of the user's run" },
  },
  {
    protection: 'a signature counts for one workflow id',
    file: 'src/adapters/signing/payload-signature.ts',
    find: 'JSON.stringify([workflowId, purpose, forms])',
    replace: 'JSON.stringify([workflowId.slice(0, 0), purpose, forms])',
    red: { file: PRIVATE, name: "a copy of the user's start under another workflow id" },
  },
  {
    protection: 'a private run takes no answer and no extension that was not signed',
    file: 'src/workflows/signing/signed-updates.ts',
    find: 'if (problem !== undefined)',
    replace: "if (problem === '')",
    red: { file: PRIVATE, name: 'an answer by another user' },
  },
  {
    protection: 'the mark of a checked signature counts as none if it was written by hand',
    file: 'src/adapters/signing/payload-signature.ts',
    find: 'return isMarked(data) ?',
    replace: "return isMarked(data) && purpose === '' ?",
    red: { file: PRIVATE, name: 'written by hand, counts as none' },
  },
  {
    protection: 'the Web UI of a private server needs the cookie of a link',
    file: 'src/dev-server/ui/ui-gateway.ts',
    find: '  if (!isOpen) return say(answer, 403, NO_COOKIE)\n',
    replace: '',
    red: { file: 'test/adapters/dev-server/private-ui.test.ts', name: 'reaches nothing' },
  },
  {
    protection: 'a link to the Web UI counts once',
    file: 'src/dev-server/ui/ui-session.ts',
    find: '    this.#links.delete(token)\n',
    replace: '',
    red: { file: 'test/adapters/dev-server/private-ui.test.ts', name: 'a link counts once' },
  },
  {
    protection: 'a state directory that others may read is closed to them',
    file: 'src/adapters/state-dir.ts',
    find: 'close(dirs.state)',
    replace: 'close(dirs.cache)',
    red: { file: SECOND_USER, name: 'nothing that Ratchet stores can be read' },
  },
  {
    protection: 'the supervisor answers only with its token',
    file: 'src/dev-server/control.ts',
    find: 'if (!authorized(request, token))',
    replace: "if (!authorized(request, token) && request.url === '')",
    red: { file: SECOND_USER, name: 'the supervisor answers no call without its token' },
  },
  {
    protection: 'a run keeps nothing under a name that can be guessed in the temporary directory',
    file: 'src/adapters/agents/turn/turn-parts.ts',
    find: 'scriptedSessions(definition, spec.workspace)',
    replace: "scriptedSessions({ protocol: 'acp' }, spec.workspace)",
    red: { file: SECOND_USER, name: 'no name in the temporary directory can be guessed' },
  },
  {
    protection: 'the playbook agent uses no folder that another user may have made',
    file: 'src/adapters/agents/scripted/sessions-folder.ts',
    find: 'if (is.isDirectory() && is.uid === uid && (is.mode & 0o077) === 0) return folder',
    replace: 'if (is !== undefined) return folder',
    red: {
      file: 'test/adapters/agents/scripted/sessions-folder.test.ts',
      name: 'as another user may have made it',
    },
  },
  {
    protection: 'a session that a repository brings needs trust',
    file: 'src/adapters/trust/brought-programs.ts',
    find: '    ...(await trackedSessions(repo, project)),\n',
    replace: '',
    red: { file: HOSTILE, name: 'a committed session whose task goes to an agent first' },
  },
  {
    protection: 'the keys of agents are removed from what tests print',
    file: 'src/core/text/redact.ts',
    find: 'out.replaceAll(value, `[redacted:${name}]`)',
    replace: 'out',
    red: { file: 'test/activities/tests.test.ts', name: 'tests get the keys that agents get' },
  },
  {
    protection: 'a variable that looks secret is one without being named',
    file: 'src/core/text/secret-value.ts',
    find: 'words.some((word) => SECRET_WORDS.has(word)) && isStrong(value)',
    replace: 'words.length < 0',
    red: { file: COMMITTED, name: 'another value of the same variable is one' },
  },
  {
    protection: 'only the value that the repository holds is public, not its variable',
    file: 'src/adapters/environments/committed-values.ts',
    find: ' && noted[name] === variableDigest(dirs, name, value)',
    replace: '',
    red: { file: COMMITTED, name: 'another value of the same variable is one' },
  },
  {
    protection: 'a file that is not committed makes no value public',
    file: 'src/adapters/environments/committed-values.ts',
    find: 'if (!commit.ours) return sha',
    replace: "if (commit.sha !== '') return sha",
    red: { file: COMMITTED, name: 'a file that the user has not committed' },
  },
  {
    protection: 'the variables of an agent are never public',
    file: 'src/adapters/agents/config-secrets.ts',
    find: '[...new Set([...agentSecrets(config, env), ...found])]',
    replace: '[...new Set(found)]',
    red: { file: COMMITTED, name: 'what an agent gets stays secret' },
  },
  {
    protection: 'escape sequences of foreign text do not reach the terminal',
    file: 'src/cli/output/terminal-text.ts',
    find: ".replace(SEQUENCE, (found) => (OWN_SEQUENCE.test(found) ? found : ''))",
    replace: '',
    red: {
      file: 'test/unit/cli/output/terminal-text.test.ts',
      name: 'a cursor that moves up and erases',
    },
  },
  {
    protection: 'the input of a tool is part of the question for a permission',
    file: 'src/core/agents/permission-text.ts',
    find: 'JSON.stringify([title, kind, input ?? null, paths])',
    replace: 'JSON.stringify([title, kind, paths])',
    red: {
      file: 'test/unit/core/agents/permission-text.test.ts',
      name: 'under the same title is another request',
    },
  },
]
