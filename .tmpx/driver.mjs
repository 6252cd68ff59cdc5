import { $ as __toESM, B as boolean, C as replaceFileSync, E as Config, F as BUDGET_PARTS, H as number, J as union, N as KNOWN_AGENTS, O as agentDefinition, Q as __require$1, R as _enum, S as createFileSync, U as object, V as literal, Z as __commonJSMin, _ as methods, g as client, i as Usage, n as TurnOutcome, q as string, r as TurnResult, w as MARKERS, x as withHeader, z as array } from "./turn-B_wHkLO-.js";
import { appendFileSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { basename, dirname, isAbsolute, normalize, posix, relative, resolve, sep } from "path";
import { fileURLToPath } from "node:url";
import * as nativeFs from "fs";
import { readdir, readdirSync as readdirSync$1, realpath, realpathSync as realpathSync$1, stat, statSync as statSync$1 } from "fs";
import { fileURLToPath as fileURLToPath$1 } from "url";
import { createRequire } from "module";
import { AsyncLocalStorage } from "node:async_hooks";
// src/adapters/agents/errors.ts
/** The agent's process ended, or closed its output. */
var AgentGone = class extends Error {
	name = "AgentGone";
	constructor(exit) {
		const how = exit === void 0 ? "closed its standard output" : exit.signal !== null ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`;
		super(`the agent's process ${how}`);
	}
};
/** The agent answered a request with an error. */
var AgentRefused = class extends Error {
	error;
	name = "AgentRefused";
	constructor(error) {
		super(`error ${error.code}: ${error.message}`);
		this.error = error;
	}
};
/** The program does not speak the protocol, or not as much of it as is needed. */
var NotAcp = class extends Error {
	name = "NotAcp";
};
/** A command ended well, and its standard output holds nothing of what its `output` promises. */
var NoAnswer = class extends Error {
	name = "NoAnswer";
	constructor(output) {
		const promised = {
			text: "a word",
			json: "a JSON document",
			"stream-json": "a line of JSON"
		}[output];
		super(`the agent ended without ${promised} on its standard output, which "output": "${output}" promises`);
	}
};
/** The agent does not know the session that it was to go on with, and has done nothing. */
var SessionLost = class extends Error {
	name = "SessionLost";
};
/** A variable that the config passes on is not set where the worker was started. Nothing has begun; set, the turn can. */
var MissingVariable = class extends Error {
	agent;
	variables;
	name = "MissingVariable";
	constructor(agent, variables) {
		super(`agent "${agent}" needs ${variables.join(", ")}, which ${variables.length === 1 ? "is" : "are"} not set in the environment of the worker`);
		this.agent = agent;
		this.variables = variables;
	}
};
/** The turn was interrupted and its agent ended; a call with the same key goes on with its session. */
var TurnInterrupted = class extends Error {
	reason;
	name = "TurnInterrupted";
	constructor(reason) {
		super(`the turn was interrupted (${reason}); the next attempt goes on with its session`);
		this.reason = reason;
	}
};
/** Deeper values are left out: an agent may nest without end, and whoever reads it has a stack. */
const DEPTH$1 = 200;
const TOO_DEEP = "[nested too deep]";
/** The values behind the named variables, those long enough to be looked for, longest first. */
function secretsOf(names, env) {
	return names.flatMap((name) => {
		const value = env[name];
		return value !== void 0 && value.length >= 6 ? [{
			name,
			value
		}] : [];
	}).sort((a, b) => b.value.length - a.value.length);
}
/** Replaces each secret by `[redacted:NAME]`. */
function redactor(secrets) {
	const text = (raw) => secrets.reduce((out, { name, value }) => out.replaceAll(value, `[redacted:${name}]`), raw);
	const json = (value, depth) => {
		if (typeof value === "string") return text(value);
		if (typeof value !== "object" || value === null) return value;
		if (depth === 0) return TOO_DEEP;
		if (Array.isArray(value)) return value.map((inner) => json(inner, depth - 1));
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner, depth - 1)]));
	};
	return {
		text,
		json: (value) => json(value, DEPTH$1),
		stream: () => streamRedactor(secrets, text)
	};
}
/** For texts that were redacted before, or of programs that get no secret. */
const NO_SECRETS = redactor([]);
function streamRedactor(secrets, text) {
	let pending = "";
	return {
		push(chunk) {
			pending += chunk;
			const cut = safeCut(pending, Math.min(pending.length, ...secrets.map(({ value }) => begins(pending, value))), secrets);
			const safe = pending.slice(0, cut);
			pending = pending.slice(cut);
			return text(safe);
		},
		flush() {
			const rest = text(pending);
			pending = "";
			return rest;
		}
	};
}
function begins(pending, value) {
	const first = value.slice(0, 1);
	for (let at = pending.indexOf(first, Math.max(0, pending.length - value.length + 1)); at !== -1; at = pending.indexOf(first, at + 1)) if (value.startsWith(pending.slice(at))) return at;
	return pending.length;
}
function safeCut(pending, wanted, secrets) {
	let cut = Math.max(0, wanted);
	for (let moved = true; moved;) {
		moved = false;
		for (const { value } of secrets) {
			const start = pending.indexOf(value, Math.max(0, cut - value.length + 1));
			if (start !== -1 && start < cut && start + value.length > cut) {
				cut = start;
				moved = true;
			}
		}
	}
	return cut;
}
// src/adapters/stopwatch.ts
/** Begins to measure. The function that is returned gives whole milliseconds since then, whatever is done to the clock meanwhile. */
function stopwatch() {
	const began = performance.now();
	return () => Math.round(performance.now() - began);
}
// src/adapters/process/identity.ts
let bootId;
/** Id of the current boot of this machine. */
function currentBootId() {
	bootId ??= process.platform === "linux" ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
	return bootId;
}
/** Identity of a living process, or `undefined`; a zombie does not live. */
function identify(pid) {
	const startTime = process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);
	return startTime === void 0 ? void 0 : {
		pid,
		startTime,
		bootId: currentBootId()
	};
}
/** Whether exactly this process still lives. */
function isAlive(identity) {
	return identity.bootId === currentBootId() && identify(identity.pid)?.startTime === identity.startTime;
}
/**
* Identity of a child that was started in this very turn of the event loop.
*
* It may be a zombie already, but its pid cannot be another's yet: nobody has waited for it.
*/
function identifyStarted(pid) {
	const startTime = process.platform === "linux" ? linuxStat(pid)?.[19] : psStartTime(pid) ?? "gone";
	return startTime === void 0 ? void 0 : {
		pid,
		startTime,
		bootId: currentBootId()
	};
}
/** This process. */
function self() {
	const own = identify(process.pid);
	if (own === void 0) throw new Error("cannot read the start time of this process");
	return own;
}
function linuxStartTime(pid) {
	const fields = linuxStat(pid);
	return fields?.[0] === "Z" || fields?.[0] === "X" ? void 0 : fields?.[19];
}
function linuxStat(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	} catch (error) {
		if (isGone(error)) return void 0;
		throw error;
	}
}
function psStartTime(pid) {
	try {
		const out = execFileSync("ps", [
			"-o",
			"state=,lstart=",
			"-p",
			String(pid)
		], { encoding: "utf8" }).trim();
		return out === "" || out.startsWith("Z") ? void 0 : out.replace(/^\S+\s+/, "");
	} catch (error) {
		if (error.status === 1) return void 0;
		throw error;
	}
}
function isGone(error) {
	const code = error.code;
	return code === "ENOENT" || code === "ESRCH";
}
// src/adapters/process/table.ts
/** Codes that say that a process went away, or is somebody else's, while it was looked at. */
const NOT_OURS = /* @__PURE__ */ new Set([
	"ENOENT",
	"ESRCH",
	"EACCES",
	"EPERM"
]);
/** Every living process, in no particular order. A snapshot: some are gone, others new, when it returns. */
function processTable() {
	return process.platform === "linux" ? pids().flatMap((pid) => linuxEntry(pid) ?? []) : psTable();
}
/** Pids whose environment holds all of the variables with these values. Other users' processes are not seen. */
function pidsWithEnv(wanted) {
	const pairs = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
	if (process.platform === "linux") return pids().filter((pid) => {
		const environ = read$2(`/proc/${pid}/environ`);
		return environ !== void 0 && pairs.every((pair) => environ.includes(pair)) && hasAll(environ.toString("utf8").split("\0"), pairs);
	});
	return execFileSync("ps", [
		"-axEww",
		"-o",
		"pid=,command="
	], {
		encoding: "utf8",
		maxBuffer: 256 << 20
	}).split("\n").filter((line) => hasAll(line.trim().split(" "), pairs)).map((line) => Number.parseInt(line, 10));
}
function hasAll(have, pairs) {
	return pairs.every((pair) => have.includes(pair));
}
function pids() {
	return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
}
function linuxEntry(pid) {
	const stat = read$2(`/proc/${pid}/stat`)?.toString("utf8");
	if (stat === void 0) return void 0;
	const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const startTime = rest[16];
	if (state === "Z" || state === "X" || startTime === void 0) return void 0;
	return {
		pid,
		parent: Number(parent),
		group: Number(group),
		startTime
	};
}
function read$2(file) {
	try {
		return readFileSync(file);
	} catch (error) {
		if (NOT_OURS.has(error.code ?? "")) return void 0;
		throw error;
	}
}
function psTable() {
	return execFileSync("ps", ["-axo", "pid=,ppid=,pgid=,state=,lstart="], {
		encoding: "utf8",
		maxBuffer: 64 << 20
	}).split("\n").flatMap((line) => {
		const [, pid, parent, group, state, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
		if (startTime === void 0 || state?.startsWith("Z") === true) return [];
		return [{
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			startTime
		}];
	});
}
// src/adapters/process/find.ts
/** Living processes, this one excepted, whose environment at their start held `name=value`. */
function findMarked(name, value) {
	return findMarkedAll({ [name]: value });
}
/** Living processes, this one excepted, that carry all of the markers. A step's name is unique only within its run. */
function findMarkedAll(markers) {
	return pidsWithEnv(markers).filter((pid) => pid !== process.pid).flatMap((pid) => identify(pid) ?? []);
}
/** Living members of the group that this process led at its start, the leader included. */
function groupMembers(leader) {
	if (leader.bootId !== currentBootId()) return [];
	const table = processTable();
	if (table.some((entry) => entry.pid === leader.pid && entry.startTime !== leader.startTime)) return [];
	return table.filter((entry) => entry.group === leader.pid).map(identity);
}
/** Living children, their children, and so on. Those whose parent died belong to init and are not among them. */
function descendants(ancestor) {
	const table = processTable();
	if (!table.some((entry) => entry.pid === ancestor.pid && entry.startTime === ancestor.startTime)) return [];
	const found = [];
	const parents = /* @__PURE__ */ new Set([ancestor.pid]);
	for (let before = -1; before !== found.length;) {
		before = found.length;
		for (const entry of table) {
			if (!parents.has(entry.parent) || parents.has(entry.pid)) continue;
			parents.add(entry.pid);
			found.push(entry);
		}
	}
	return found.map(identity);
}
function identity({ pid, startTime }) {
	return {
		pid,
		startTime,
		bootId: currentBootId()
	};
}
// src/adapters/process/end.ts
/** Between TERM and KILL. Source: architecture §3. */
const GRACE_MS = 1e4;
const POLL_MS$1 = 50;
/** After KILL a process is gone within milliseconds, unless it hangs in the kernel, which nobody can end. */
const KILL_ROUNDS = 100;
/**
* Ends a process group, also where its leader has died.
*
* @returns how many processes were ended
* @throws EPERM where one belongs to another user; an error that names the pids where one survives KILL
*/
function endGroup(leader, options = {}) {
	return endFound(() => groupMembers(leader), options);
}
/** Ends exactly these processes. Returns and throws as `endGroup`. */
function endAll(identities, options = {}) {
	return endFound(() => identities.filter(isAlive), options);
}
/** Ends every process with the marker but this one and those of `except`. Returns and throws as `endGroup`. */
function endMarked(name, value, options = {}) {
	return endMarkedAll({ [name]: value }, options);
}
/** Ends every process that carries all of the markers, as `endMarked`. */
function endMarkedAll(markers, options = {}) {
	const spared = new Set(options.except?.map(key));
	return endFound(() => findMarkedAll(markers).filter((found) => !spared.has(key(found))), options);
}
async function endFound(find, { graceMs = GRACE_MS }) {
	const asked = /* @__PURE__ */ new Map();
	const waited = stopwatch();
	for (;;) {
		const living = findTwice(find);
		if (living.length === 0) return asked.size;
		for (const one of living) {
			if (asked.has(key(one))) continue;
			asked.set(key(one), one);
			signal(one, "SIGTERM");
			signal(one, "SIGCONT");
		}
		if (waited() >= graceMs) break;
		await setTimeout$1(Math.min(POLL_MS$1, Math.max(1, graceMs - waited())));
	}
	let living = [];
	for (let round = 0; round < KILL_ROUNDS; round++) {
		living = findTwice(find);
		if (living.length === 0) return asked.size;
		for (const one of living) signal(one, "SIGSTOP");
		for (const one of living) {
			asked.set(key(one), one);
			signal(one, "SIGKILL");
		}
		await setTimeout$1(Math.min(POLL_MS$1, round));
	}
	throw new Error(`processes survive SIGKILL: ${living.map((one) => one.pid).join(", ")}`);
}
function findTwice(find) {
	const found = find();
	return found.length > 0 ? found : find();
}
function signal(one, name) {
	if (!isAlive(one)) return;
	try {
		process.kill(one.pid, name);
	} catch (error) {
		if (error.code !== "ESRCH") throw error;
	}
}
function key(one) {
	return `${one.pid} ${one.startTime} ${one.bootId}`;
}
// src/adapters/process/bounded-output.ts
/** Bytes kept where nothing else is said: half of it beginning, half of it end. */
const OUTPUT_BYTES = 8 << 20;
/** Opens `file` anew for at most about `maxBytes`; readable by the user only. */
function boundedOutput(file, maxBytes = OUTPUT_BYTES) {
	const fd = openSync(file, "w", 384);
	const headMax = Math.floor(maxBytes / 2);
	const tail = ring(maxBytes - headMax);
	let [bytes, lines, head] = [
		0,
		0,
		0
	];
	let open = true;
	let failure;
	const save = (chunk) => {
		try {
			for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at);
		} catch (error) {
			failure ??= error;
		}
	};
	return {
		file,
		get bytes() {
			return bytes;
		},
		get lines() {
			return lines;
		},
		write(chunk) {
			if (!open) return;
			bytes += chunk.length;
			for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
			const fits = Math.min(headMax - head, chunk.length);
			if (fits > 0) save(chunk.subarray(0, fits));
			head += fits;
			if (fits < chunk.length) tail.push(chunk.subarray(fits));
		},
		finish() {
			if (!open) return;
			open = false;
			const end = tail.content();
			const cut = bytes - head - end.length;
			if (cut > 0) save(Buffer.from(`\n[... ${cut} bytes cut ...]\n`));
			save(cut > 0 ? fromCharacter(end) : end);
			closeSync(fd);
			if (failure !== void 0) throw failure;
		}
	};
}
function ring(size) {
	let buffer;
	let [at, full] = [0, false];
	return {
		push(chunk) {
			buffer ??= Buffer.alloc(size);
			let rest = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
			if (chunk.length > size) full = true;
			while (rest.length > 0) {
				const copied = rest.copy(buffer, at);
				at += copied;
				if (at >= size) [at, full] = [0, true];
				rest = rest.subarray(copied);
			}
		},
		content() {
			if (buffer === void 0) return Buffer.alloc(0);
			return full ? Buffer.concat([buffer.subarray(at), buffer.subarray(0, at)]) : buffer.subarray(0, at);
		}
	};
}
function fromCharacter(text) {
	let at = 0;
	while (at < 3 && ((text[at] ?? 0) & 192) === 128) at++;
	return text.subarray(at);
}
// src/adapters/process/spawn-group.ts
/** The program cannot be started: it is not there (ENOENT) or not executable (EACCES). */
var CommandNotFound = class extends Error {
	command;
	code;
	cwd;
	name = "CommandNotFound";
	constructor(command, code, cwd) {
		super(code === "ENOENT" ? `command not found: ${command}` : `not executable: ${command}`);
		this.command = command;
		this.code = code;
		this.cwd = cwd;
	}
};
/**
* Starts a program in a process group of its own.
*
* @throws CommandNotFound; a plain error where `cwd` does not exist
*/
async function spawnGroup(options) {
	const { argv: [command, ...args], cwd, stdout, stderr = stdout } = options;
	if (!existsSync(cwd)) throw new Error(`directory does not exist: ${cwd}`);
	const output = stdout === "pipe" ? void 0 : boundedOutput(stdout.file, stdout.maxBytes);
	const errors = stderr === stdout || stderr === "pipe" ? void 0 : boundedOutput(stderr.file, stderr.maxBytes);
	const closeFiles = () => {
		output?.finish();
		errors?.finish();
	};
	const stdio = [
		options.stdin,
		"pipe",
		"pipe"
	];
	const env = {
		...options.env,
		[MARKERS.run]: options.markers.run,
		[MARKERS.step]: options.markers.step
	};
	const child = spawn(command, args, {
		cwd,
		env,
		stdio,
		detached: true
	});
	const identity = child.pid === void 0 ? void 0 : identifyStarted(child.pid);
	const exited = once(child, "exit").then(([code, signal]) => ({
		code,
		signal
	}));
	try {
		if (identity === void 0) await exited;
	} catch (error) {
		closeFiles();
		const { code } = error;
		throw code === "ENOENT" || code === "EACCES" ? new CommandNotFound(command, code, cwd) : error;
	}
	if (identity === void 0) throw new Error(`cannot read the start time of ${command}`);
	const streams = [];
	const drain = (stream, into, from) => {
		if (stream === null || into === void 0) return;
		stream.on("data", (chunk) => {
			into.write(chunk);
			options.onOutput?.(chunk, from);
		});
		streams.push(stream);
	};
	drain(child.stdout, output, "stdout");
	drain(child.stderr, stderr === stdout ? output : errors, "stderr");
	if (options.nice !== void 0) beNice(identity.pid, options.nice);
	const ended = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once("close", resolve))));
	return {
		identity,
		child,
		exited,
		...output && { output },
		...errors && { errors },
		async closeOutput(withinMs = 2e3) {
			let timer;
			await Promise.race([ended, new Promise((resolve) => timer = setTimeout(resolve, withinMs))]);
			clearTimeout(timer);
			for (const stream of streams) stream.destroy();
			closeFiles();
		}
	};
}
function beNice(pid, nice) {
	try {
		os.setPriority(pid, nice);
	} catch (error) {
		if (error.info?.code !== "ESRCH") throw error;
	}
}
// src/adapters/state-dir.ts
/** Layout below the state directory. */
const layout = {
	hostId: (d) => path.join(d.state, "host-id"),
	project: (d, key) => path.join(d.state, "projects", `${key}.json`),
	/** Touched by a workflow worker when a run needs a project's agent worker; the supervisor starts it. */
	wanted: (d, key) => path.join(d.state, "wanted", key),
	supervisor: (d) => path.join(d.state, "supervisor.json"),
	server: (d) => path.join(d.state, "server"),
	/** Address and identity of the local server. */
	serverRecord: (d) => path.join(d.state, "server", "server.json"),
	logs: (d) => path.join(d.state, "logs"),
	/** Clone, test results and records of one run's workspace; `name` is the record name. */
	workspace: (d, key, name) => path.join(d.state, "workspaces", key, name),
	turn: (d, turnKey) => path.join(d.state, "turns", digest(turnKey).slice(0, 24)),
	/** What the turns of a run have cost, a file each. */
	ledger: (d, run) => path.join(d.state, "ledger", digest(run).slice(0, 24)),
	/** Until when an agent is limited by its provider; `id` is of its definition. */
	limit: (d, id) => path.join(d.state, "limits", `${id}.json`),
	/** Which events of a run its hooks have been told of, a file each. */
	hooks: (d, run) => path.join(d.state, "hooks", digest(run).slice(0, 24)),
	slots: (d) => path.join(d.state, "slots"),
	locks: (d) => path.join(d.state, "locks")
};
/** SHA-256 in hex. */
function digest(text) {
	return createHash("sha256").update(text).digest("hex");
}
// src/adapters/agents/agent-pool.ts
var AgentPool = class {
	kept = /* @__PURE__ */ new Map();
	closing = /* @__PURE__ */ new Map();
	/** Keeps an agent for `keepMs`, under its session's id. */
	put(kept, keepMs) {
		const id = kept.agent.sessionId;
		const timer = new AbortController();
		this.kept.set(id, {
			...kept,
			timer
		});
		const over = setTimeout$1(keepMs, void 0, {
			signal: timer.signal,
			ref: false
		});
		Promise.race([over, kept.agent.exited]).then(() => this.close(id), () => void 0);
	}
	/** The living agent of a session, which is the caller's from now on. */
	take(sessionId, name) {
		const kept = this.kept.get(sessionId);
		if (kept?.name !== name || !isAlive(kept.agent.identity)) return void 0;
		this.kept.delete(sessionId);
		kept.timer.abort();
		kept.onLeft();
		return kept;
	}
	/** Closes all, or those that are meant; returns when they have let go of their sessions. */
	async closeAll(which = () => true) {
		const ids = [...this.kept].filter(([, kept]) => which(kept)).map(([id]) => id);
		await Promise.all(ids.map((id) => this.close(id)));
	}
	/** Closes the agent of a session, or waits for its end where it is being closed: its history is one process's. */
	async free(sessionId) {
		await this.close(sessionId);
		await this.closing.get(sessionId);
	}
	async close(id) {
		const kept = this.kept.get(id);
		if (kept === void 0) return;
		this.kept.delete(id);
		kept.timer.abort();
		const closed = this.end(kept);
		this.closing.set(id, closed);
		await closed.finally(() => this.closing.delete(id));
	}
	async end(kept) {
		await kept.agent.close();
		await kept.release();
		kept.onLeft();
	}
};
// ../../main/node_modules/isexe/dist/commonjs/index.min.js
var require_index_min = /* @__PURE__ */ __commonJSMin(((exports) => {
	var a = (t, e) => () => (e || t((e = { exports: {} }).exports, e), e.exports);
	var _ = a((i) => {
		"use strict";
		Object.defineProperty(i, "__esModule", { value: !0 });
		i.sync = i.isexe = void 0;
		var M = __require$1("node:fs"), x = __require$1("node:fs/promises"), q = async (t, e = {}) => {
			let { ignoreErrors: r = !1 } = e;
			try {
				return d(await (0, x.stat)(t), e);
			} catch (s) {
				let n = s;
				if (r || n.code === "EACCES") return !1;
				throw n;
			}
		};
		i.isexe = q;
		var m = (t, e = {}) => {
			let { ignoreErrors: r = !1 } = e;
			try {
				return d((0, M.statSync)(t), e);
			} catch (s) {
				let n = s;
				if (r || n.code === "EACCES") return !1;
				throw n;
			}
		};
		i.sync = m;
		var d = (t, e) => t.isFile() && A(t, e), A = (t, e) => {
			let r = e.uid ?? process.getuid?.(), s = e.groups ?? process.getgroups?.() ?? [], n = e.gid ?? process.getgid?.() ?? s[0];
			if (r === void 0 || n === void 0) throw new Error("cannot get uid or gid");
			let u = /* @__PURE__ */ new Set([n, ...s]), c = t.mode, S = t.uid, P = t.gid, f = parseInt("100", 8), l = parseInt("010", 8);
			return !!(c & parseInt("001", 8) || c & l && u.has(P) || c & f && S === r || c & 72 && r === 0);
		};
	});
	var g = a((o) => {
		"use strict";
		Object.defineProperty(o, "__esModule", { value: !0 });
		o.sync = o.isexe = void 0;
		var T = __require$1("node:fs"), I = __require$1("node:fs/promises"), D = __require$1("node:path"), F = async (t, e = {}) => {
			let { ignoreErrors: r = !1 } = e;
			try {
				return y(await (0, I.stat)(t), t, e);
			} catch (s) {
				let n = s;
				if (r || n.code === "EACCES") return !1;
				throw n;
			}
		};
		o.isexe = F;
		var L = (t, e = {}) => {
			let { ignoreErrors: r = !1 } = e;
			try {
				return y((0, T.statSync)(t), t, e);
			} catch (s) {
				let n = s;
				if (r || n.code === "EACCES") return !1;
				throw n;
			}
		};
		o.sync = L;
		var B = (t, e) => {
			let { pathExt: r = process.env.PATHEXT || "" } = e, s = r.split(D.delimiter);
			if (s.indexOf("") !== -1) return !0;
			for (let n of s) {
				let u = n.toLowerCase(), c = t.substring(t.length - u.length).toLowerCase();
				if (u && c === u) return !0;
			}
			return !1;
		}, y = (t, e, r) => t.isFile() && B(e, r);
	});
	var p = a((h) => {
		"use strict";
		Object.defineProperty(h, "__esModule", { value: !0 });
	});
	var v = exports && exports.__createBinding || (Object.create ? (function(t, e, r, s) {
		s === void 0 && (s = r);
		var n = Object.getOwnPropertyDescriptor(e, r);
		(!n || ("get" in n ? !e.__esModule : n.writable || n.configurable)) && (n = {
			enumerable: !0,
			get: function() {
				return e[r];
			}
		}), Object.defineProperty(t, s, n);
	}) : (function(t, e, r, s) {
		s === void 0 && (s = r), t[s] = e[r];
	}));
	var G = exports && exports.__setModuleDefault || (Object.create ? (function(t, e) {
		Object.defineProperty(t, "default", {
			enumerable: !0,
			value: e
		});
	}) : function(t, e) {
		t.default = e;
	});
	var w = exports && exports.__importStar || (function() {
		var t = function(e) {
			return t = Object.getOwnPropertyNames || function(r) {
				var s = [];
				for (var n in r) Object.prototype.hasOwnProperty.call(r, n) && (s[s.length] = n);
				return s;
			}, t(e);
		};
		return function(e) {
			if (e && e.__esModule) return e;
			var r = {};
			if (e != null) for (var s = t(e), n = 0; n < s.length; n++) s[n] !== "default" && v(r, e, s[n]);
			return G(r, e), r;
		};
	})();
	var X = exports && exports.__exportStar || function(t, e) {
		for (var r in t) r !== "default" && !Object.prototype.hasOwnProperty.call(e, r) && v(e, t, r);
	};
	Object.defineProperty(exports, "__esModule", { value: !0 });
	exports.sync = exports.isexe = exports.posix = exports.win32 = void 0;
	var E = w(_());
	exports.posix = E;
	var O = w(g());
	exports.win32 = O;
	X(p(), exports);
	var b = (process.env._ISEXE_TEST_PLATFORM_ || process.platform) === "win32" ? O : E;
	exports.isexe = b.isexe;
	exports.sync = b.sync;
}));
// src/contract/failures.ts
var import_lib = /* @__PURE__ */ __toESM((/* @__PURE__ */ __commonJSMin(((exports, module) => {
	const { isexe, sync: isexeSync } = require_index_min();
	const { join, delimiter, sep, posix } = __require$1("path");
	const isWindows = process.platform === "win32";
	/* istanbul ignore next */
	const rSlash = new RegExp(`[${posix.sep}${sep === posix.sep ? "" : sep}]`.replace(/(\\)/g, "\\$1"));
	const rRel = new RegExp(`^\\.${rSlash.source}`);
	const getNotFoundError = (cmd) => Object.assign(/* @__PURE__ */ new Error(`not found: ${cmd}`), { code: "ENOENT" });
	const getPathInfo = (cmd, { path: optPath = process.env.PATH, pathExt: optPathExt = process.env.PATHEXT, delimiter: optDelimiter = delimiter }) => {
		const pathEnv = cmd.match(rSlash) ? [""] : [...isWindows ? [process.cwd()] : [], ...(optPath || /* istanbul ignore next: very unusual */ "").split(optDelimiter)];
		if (isWindows) {
			const pathExtExe = optPathExt || [
				".EXE",
				".CMD",
				".BAT",
				".COM"
			].join(optDelimiter);
			const pathExt = pathExtExe.split(optDelimiter).flatMap((item) => [item, item.toLowerCase()]);
			if (cmd.includes(".") && pathExt[0] !== "") pathExt.unshift("");
			return {
				pathEnv,
				pathExt,
				pathExtExe
			};
		}
		return {
			pathEnv,
			pathExt: [""]
		};
	};
	const getPathPart = (raw, cmd) => {
		const pathPart = /^".*"$/.test(raw) ? raw.slice(1, -1) : raw;
		return (!pathPart && rRel.test(cmd) ? cmd.slice(0, 2) : "") + join(pathPart, cmd);
	};
	const which = async (cmd, opt = {}) => {
		const { pathEnv, pathExt, pathExtExe } = getPathInfo(cmd, opt);
		const found = [];
		for (const envPart of pathEnv) {
			const p = getPathPart(envPart, cmd);
			for (const ext of pathExt) {
				const withExt = p + ext;
				if (await isexe(withExt, {
					pathExt: pathExtExe,
					ignoreErrors: true
				})) {
					if (!opt.all) return withExt;
					found.push(withExt);
				}
			}
		}
		if (opt.all && found.length) return found;
		if (opt.nothrow) return null;
		throw getNotFoundError(cmd);
	};
	const whichSync = (cmd, opt = {}) => {
		const { pathEnv, pathExt, pathExtExe } = getPathInfo(cmd, opt);
		const found = [];
		for (const pathEnvPart of pathEnv) {
			const p = getPathPart(pathEnvPart, cmd);
			for (const ext of pathExt) {
				const withExt = p + ext;
				if (isexeSync(withExt, {
					pathExt: pathExtExe,
					ignoreErrors: true
				})) {
					if (!opt.all) return withExt;
					found.push(withExt);
				}
			}
		}
		if (opt.all && found.length) return found;
		if (opt.nothrow) return null;
		throw getNotFoundError(cmd);
	};
	module.exports = which;
	which.sync = whichSync;
})))(), 1);
/**
* An expected refusal, raised by adapters. Activities turn it into a non-retryable ApplicationFailure
* of the same type, the CLI into three lines.
*/
var RefusalError = class extends Error {
	type;
	where;
	next;
	name = "RefusalError";
	/**
	* @param type what kind of refusal
	* @param message what happened, in one line
	* @param where file, directory or setting it is about
	* @param next what to do next, a command where there is one
	*/
	constructor(type, message, where, next) {
		super(message);
		this.type = type;
		this.where = where;
		this.next = next;
	}
};
// src/adapters/package.ts
/** The directory of our package.json. */
const ROOT = above(path.dirname(fileURLToPath(import.meta.url)));
/** Absolute path of a file that is shipped, given from the package's root: `roles/fix.md`, `dist/worker/main.js`. */
function packaged(file) {
	return path.join(ROOT, file);
}
JSON.parse(readFileSync(packaged("package.json"), "utf8")).version;
function above(directory) {
	if (existsSync(path.join(directory, "package.json"))) return directory;
	if (path.dirname(directory) === directory) throw new Error("the package.json of ratchet-cycles is missing: install it again");
	return above(path.dirname(directory));
}
// src/adapters/agents/agent-command.ts
/**
* The definition of an agent, with what the config's policy for permissions means for it.
*
* @throws RefusalError where the config has none of this name
*/
function definitionOf(config, name) {
	const definition = agentDefinition(config, name);
	if (definition === void 0) throw new RefusalError("BadConfig", `no agent is called ${JSON.stringify(name)}`, "agents in ratchet.config.json", `define agents.${name}, or name another agent under roles`);
	return withPolicy(definition, config.permissions);
}
function withPolicy(definition, policy) {
	if (definition.protocol !== "acp" || definition.known === void 0) return definition;
	const { modes, policyEnv, modelEnv } = KNOWN_AGENTS[definition.known];
	const { model, ...rest } = definition;
	const mode = definition.mode ?? modes[policy];
	const byEnv = modelEnv !== void 0 && model !== void 0 ? { [modelEnv]: model } : void 0;
	return {
		...rest,
		...mode !== void 0 && { mode },
		...model !== void 0 && byEnv === void 0 && { model },
		env: {
			...policyEnv?.[policy],
			...byEnv,
			...definition.env
		}
	};
}
/** Path of a known agent's program in the project's own node_modules, which goes before the one on PATH; `undefined` where it is not there. */
function localProgram(command, project) {
	const file = path.join(project, "node_modules", ".bin", command);
	return command.includes("/") || !existsSync(file) ? void 0 : file;
}
/**
* The command of an agent, its sandbox in front. A playbook's file is found from the project's directory.
*
* An agent that would outlive its driver is started so that the kernel ends it with the thread that
* started it, on Linux where `setpriv` is there; elsewhere the sweep by marker finds it. Source: agents.md G3.
*
* @param env of the agent; without it nothing is put in front
*/
function definitionToArgv(definition, project, env) {
	const [command, ...args] = definition.protocol === "playbook" ? playbook(path.resolve(project, definition.file)) : [programOf(definition, project), ...definition.args];
	const [wrapper, ...rest] = [
		...definition.sandbox,
		command,
		...args
	];
	return [
		...diesWithDriver(definition, wrapper, env),
		wrapper,
		...rest
	];
}
function diesWithDriver({ known }, first, env) {
	if (known === void 0 || KNOWN_AGENTS[known].outlives !== true || process.platform !== "linux" || env === void 0) return [];
	const find = (program) => import_lib.default.sync(program, {
		nothrow: true,
		path: env["PATH"] ?? ""
	});
	const setpriv = find("setpriv");
	return setpriv === null || find(first) === null ? [] : [
		setpriv,
		"--pdeathsig",
		"KILL",
		"--"
	];
}
function programOf({ known, command }, project) {
	return (known === void 0 ? void 0 : localProgram(command, project)) ?? command;
}
function playbook(file) {
	return [
		process.execPath,
		playbookProgram(),
		file
	];
}
/** The built-in playbook agent, always the built one: node cannot run its source. */
function playbookProgram() {
	return packaged("dist/adapters/agents/playbook/main.js");
}
// src/adapters/agents/agent-settings.ts
/** Variable that names the file, the key that the settings speak of, and where the machine's administrator keeps such a file. */
const LAYERS = {
	gemini: {
		variable: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
		key: "GEMINI_API_KEY",
		system: "gemini-cli"
	},
	qwen: {
		variable: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
		key: "OPENAI_API_KEY",
		system: "qwen-code"
	}
};
/**
* Writes an agent's settings into a folder of its own, as some rewrite the file they are given, and returns the
* variable that names it; none where the agent needs no file, or the machine has one already.
*
* @param env of the agent
*/
function writeSettings(known, env, folder) {
	const layer = known === void 0 ? void 0 : LAYERS[known];
	if (layer === void 0 || env[layer.variable] !== void 0 || systemFiles(layer.system).some((file) => existsSync(file))) return {};
	const file = path.join(folder, "agent-settings.json");
	copyFileSync(packaged(`agent-settings/${known}${env[layer.key] === void 0 ? "" : "-key"}.json`), file);
	return { [layer.variable]: file };
}
/** Files of opencode that may name a provider, below the home directory and below a project. */
const PROVIDER_FILES = {
	home: [
		".local/share/opencode/auth.json",
		".config/opencode/opencode.json",
		".config/opencode/opencode.jsonc",
		".config/opencode/config.json"
	],
	project: [
		"opencode.json",
		"opencode.jsonc",
		".opencode/opencode.json",
		".opencode/opencode.jsonc"
	]
};
/**
* What opencode cannot begin without, in words, or `undefined`: without any provider it picks a model
* that somebody hosts for all, and hangs where it cannot reach it.
*
* Whoever names a model, or passes a variable of his own, knows what he does.
*/
function needsProvider({ known, passEnv, ...definition }, env, cwd) {
	if (known !== "opencode" || passEnv.length > 0 || "model" in definition && definition.model !== void 0) return void 0;
	const { keyEnv, login } = KNOWN_AGENTS.opencode;
	if ([
		...keyEnv,
		"OPENCODE_CONFIG",
		"OPENCODE_CONFIG_CONTENT"
	].some((variable) => env[variable] !== void 0)) return void 0;
	return [...PROVIDER_FILES.home.map((file) => path.join(env["HOME"] ?? "", file)), ...PROVIDER_FILES.project.map((file) => path.join(cwd, file))].some((file) => existsSync(file)) ? void 0 : `a provider's key (${keyEnv.join(", ")}) or a login (${login})`;
}
function systemFiles(name) {
	const mac = name === "gemini-cli" ? "GeminiCli" : "QwenCode";
	return [`/etc/${name}/system-defaults.json`, `/Library/Application Support/${mac}/system-defaults.json`];
}
// src/adapters/agents/agent-env.ts
const ALWAYS = [
	"PATH",
	"HOME",
	"LANG",
	"TMPDIR",
	"TERM",
	"USER",
	"SHELL"
];
/** What a known agent gets unasked is a secret by its name, */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS|CONFIG_CONTENT|^CODEX_CONFIG$/;
/** or as an address with a login or a query in it. A model's name or a folder is none: it would black out ordinary words. */
const SECRET_URL = /^\w+:\/\/\S*[@?]/;
/** Names of the variables of an agent whose values are cut from what it says: all that the config passes on, and of its own those that may be secret. */
function secretNames({ passEnv, mayPassEnv = [] }, env) {
	return [.../* @__PURE__ */ new Set([...passEnv, ...secretLike(env, mayPassEnv)])];
}
/** Those of some variables, or of all, that are secret by their name or value. */
function secretLike(env, names = Object.keys(env)) {
	return names.filter((name) => SECRET_NAME.test(name) || SECRET_URL.test(env[name] ?? ""));
}
/**
* The environment for an agent. What its definition sets itself wins over what a known agent may get.
*
* @param cwd where it will work; with it, an agent that would hang without a login is refused
* @throws MissingVariable where a name under `passEnv`, or what it cannot begin without, is not set
*/
function agentEnv(name, definition, env, cwd) {
	const missing = definition.passEnv.filter((variable) => env[variable] === void 0);
	if (missing.length > 0) throw new MissingVariable(name, missing);
	const own = {
		...pick(env, [...ALWAYS, ...Object.keys(env).filter((variable) => variable.startsWith("LC_"))]),
		...pick(env, definition.mayPassEnv ?? []),
		...definition.env,
		...pick(env, definition.passEnv)
	};
	const needed = cwd === void 0 ? void 0 : needsProvider(definition, own, cwd);
	if (needed !== void 0) throw new MissingVariable(name, [needed]);
	return own;
}
function pick(env, names) {
	return Object.fromEntries(names.flatMap((name) => env[name] === void 0 ? [] : [[name, env[name]]]));
}
// src/core/agent-events.ts
/** More tokens, or US dollars, than any session has: a number beyond it is none. Beyond it a sum could become one that JSON has no word for. */
const MOST = 0xe8d4a51000;
/** A number that can be an amount of tokens or of money, or `undefined`. */
function amountOf(raw) {
	return typeof raw === "number" && raw >= 0 && raw <= MOST ? raw : void 0;
}
/** Reads the `update` of a `session/update` notification. */
function readUpdate(update) {
	const name = text$1(at(update, "sessionUpdate")) ?? "unknown";
	if (name === "agent_message_chunk" || name === "agent_thought_chunk") {
		const said = text$1(at(update, "content", "text")) ?? "";
		if (name === "agent_thought_chunk") return {
			kind: "thought",
			text: said
		};
		const tokens = readTokens(at(update, "_meta", "usage"));
		return {
			kind: "text",
			text: said,
			...tokens && { tokens }
		};
	}
	if (name === "tool_call" || name === "tool_call_update") {
		const status = text$1(at(update, "status"));
		const id = text$1(at(update, "toolCallId")) ?? "";
		if (name === "tool_call_update" && status === void 0) return {
			kind: "other",
			name
		};
		return {
			kind: "tool",
			id,
			title: text$1(at(update, "title")) ?? id,
			running: status !== "completed" && status !== "failed"
		};
	}
	const amount = amountOf(at(update, "cost", "amount"));
	if (name === "usage_update" && amount !== void 0 && text$1(at(update, "cost", "currency")) === "USD") return {
		kind: "cost",
		usd: amount
	};
	return {
		kind: "other",
		name
	};
}
/** One short label for a heartbeat: `tool write src/a.ts`, `text`, `plan`. */
function eventLabel(event) {
	if (event.kind === "tool") return `tool ${event.title}`.slice(0, 80);
	return event.kind === "other" ? event.name.slice(0, 80) : event.kind;
}
/** Reads token counts as the agents write them, or `undefined` where there are none. */
function readTokens(raw) {
	const input = first(raw, [
		"inputTokens",
		"input_tokens",
		"promptTokens",
		"prompt_tokens"
	]);
	const output = first(raw, [
		"outputTokens",
		"output_tokens",
		"completionTokens",
		"completion_tokens"
	]);
	if (input === void 0 && output === void 0) return void 0;
	const cached = (first(raw, ["cachedReadTokens"]) ?? 0) + (first(raw, ["cachedWriteTokens"]) ?? 0);
	const thought = first(raw, ["thoughtTokens"]) ?? 0;
	const room = (first(raw, ["totalTokens", "total_tokens"]) ?? Infinity) - (input ?? 0) - (output ?? 0);
	const apart = (tokens, left) => tokens <= left ? tokens : 0;
	const addCached = apart(cached, room);
	return {
		input: (input ?? 0) + addCached,
		output: (output ?? 0) + apart(thought, room - addCached)
	};
}
function first(raw, names) {
	return names.map((name) => amountOf(at(raw, name))).find((v) => v !== void 0);
}
/** The value at a path of keys, or `undefined`. */
function at(raw, ...keys) {
	return keys.reduce((value, key) => typeof value === "object" && value !== null ? value[key] : void 0, raw);
}
function text$1(raw) {
	return typeof raw === "string" ? raw : void 0;
}
// src/core/agent-outcome.ts
/**
* Judges a `stopReason` that came without our asking for it.
*
* An agent that ran into its own token or step limit has done some work: that is judged like any other.
*/
function endingOf(stopReason) {
	if (stopReason === "end_turn" || stopReason === "max_tokens" || stopReason === "max_turn_requests") return { outcome: "completed" };
	if (stopReason === "refusal") return {
		outcome: "failed",
		reason: "the agent refused the task"
	};
	if (stopReason === "cancelled") return {
		outcome: "failed",
		reason: "the agent cancelled the turn itself, as some do after a refused permission"
	};
	return {
		outcome: "failed",
		reason: `the agent ended the turn with ${shown$1(stopReason)}`
	};
}
/**
* The failure that an answer carries although its `stopReason` speaks of success, or `undefined`.
*
* Codex tells it in a field of the extension that the client asks for; its categories: `limit` (of the
* rate or the quota; of the context where only a new session helps), `access`, `request`, `service`, `connection`.
*/
function failureIn(answer) {
	const failure = at(answer, "_meta", "jetbrains", "air", "sessionFailure");
	if (at(failure, "severity") !== "error") return void 0;
	const { category, actions, title } = failure;
	const newSession = Array.isArray(actions) && actions.includes("new_session");
	const message = typeof title === "string" ? title : "the agent gave no reason";
	if (category === "access") return {
		code: AUTH_REQUIRED$2,
		message
	};
	return {
		code: INTERNAL,
		message,
		data: {
			category,
			...category === "limit" && !newSession && { errorKind: "rate_limit" }
		}
	};
}
const INTERNAL = -32603;
const AUTH_REQUIRED$2 = -32e3;
/** Gemini puts the HTTP status where the protocol has its own codes. */
const UNAUTHORIZED = 401;
/** Judges an error answer. A rate limit is one only where a field says so. */
function endingOfError(error) {
	const message = `${plain(error.message).slice(0, 300)}${detail(error)}`;
	if (error.code === AUTH_REQUIRED$2 || error.code === UNAUTHORIZED) return {
		outcome: "failed",
		reason: `the agent is not logged in or has no key: ${message}`
	};
	if (isRateLimit(error)) return {
		outcome: "rate_limited",
		reason: `the agent's model provider limits the rate: ${message}`
	};
	return {
		outcome: "failed",
		reason: `the agent answered with error ${error.code}: ${message}`
	};
}
/** HTTP's word for it; some write it as a text. */
const TOO_MANY = 429;
const RATE_LIMIT_TYPES = /* @__PURE__ */ new Set([
	"rate_limit",
	"rate_limit_error",
	"rate_limit_exceeded",
	"rate_limited",
	"too_many_requests",
	"RESOURCE_EXHAUSTED"
]);
function isRateLimit(error) {
	const { data } = error;
	const statuses = [error.code, ...[
		"status",
		"statusCode",
		"httpStatus",
		"code"
	].flatMap((k) => [at(data, k), at(data, "error", k)])];
	const types = [
		"type",
		"code",
		"status",
		"errorKind"
	].flatMap((k) => [at(data, k), at(data, "error", k)]);
	return statuses.some((one) => one === TOO_MANY || one === String(TOO_MANY)) || types.some((t) => typeof t === "string" && RATE_LIMIT_TYPES.has(t));
}
function plain(message) {
	if (!message.startsWith("{")) return message;
	try {
		const said = at(JSON.parse(message), "error", "message");
		return typeof said === "string" ? said : message;
	} catch {
		return message;
	}
}
function detail(error) {
	const more = at(error.data, "details") ?? at(error.data, "message") ?? at(error.data, "error", "message");
	return typeof more === "string" && !error.message.includes(more) ? ` (${more.slice(0, 300)})` : "";
}
function shown$1(raw) {
	return raw === void 0 ? "no stop reason" : JSON.stringify(raw).slice(0, 80);
}
/** Usage of one prompt: the agent's own numbers, else an estimate that is marked as one. */
function promptUsage(p) {
	const reported = [
		readTokens(at(p.response, "usage")),
		readTokens(at(p.response, "_meta", "quota", "token_count")),
		p.chunkTokens
	].find((one) => one !== void 0 && one.input + one.output > 0);
	const tokens = reported ?? {
		input: Math.ceil(p.promptChars / 4),
		output: Math.ceil(p.answerChars / 4)
	};
	return {
		inputTokens: tokens.input,
		outputTokens: tokens.output,
		...p.costUsd !== void 0 && { costUsd: p.costUsd },
		estimated: reported === void 0
	};
}
const NO_USAGE = {
	inputTokens: 0,
	outputTokens: 0,
	estimated: false
};
/** The sum of two; estimated where one of them is. */
function addUsage(a, b) {
	const cost = a.costUsd === void 0 && b.costUsd === void 0 ? void 0 : (a.costUsd ?? 0) + (b.costUsd ?? 0);
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		...cost !== void 0 && { costUsd: cost },
		estimated: a.estimated || b.estimated
	};
}
/**
* Money spent since `before`, both cumulative.
*
* Some agents count per process and begin at 0 after a resume: a lower number is a new count.
*/
function costSince(before, now) {
	return now >= before ? now - before : now;
}
// src/core/prompt-resume.ts
/**
* Text for a turn that goes on after it was interrupted, by a pause, a restart or a crash.
*
* @param sameSession false where the agent could not resume: it knows nothing of the earlier work
*/
function resumePrompt({ prompt, sameSession }) {
	return [
		...sameSession ? [
			"## RESUMED",
			"",
			"This turn was interrupted before you finished, and this session is being resumed. Work you have already done is still in the",
			"working directory. Look at its state first, do not do finished work again, and complete the task, which is repeated here."
		] : [
			"## STARTED AGAIN",
			"",
			"An earlier session worked on this task, and could not be resumed. Some of its work may already be in the working directory, finished",
			"or half done. Look at the state of the files first, keep what is right, and complete the task."
		],
		"",
		"---",
		"",
		prompt
	].join("\n");
}
/** Text for a follow-up whose session could not be resumed: the agent starts without its memory. */
function lostSessionPrompt(prompt) {
	return [
		"## NEW SESSION",
		"",
		"This continues work of an earlier session that could not be resumed. Its work may be in the working directory: look there first.",
		"",
		"---",
		"",
		prompt
	].join("\n");
}
// src/adapters/process/claims.ts
/** Between two looks, in milliseconds. */
const POLL_MS = 100;
/** Whoever stands far behind looks less often: a hundred that wait would keep a core busy with looking. */
const FAR_POLL_MS = 1e3;
/** Waits until fewer than `count` living claims are before the own one. At most `count` hold at once. */
async function acquireClaim(dir, count, { signal, onWait } = {}) {
	const since = Date.now();
	let mine = takeNumber(dir);
	try {
		for (;;) {
			signal?.throwIfAborted();
			const lives = aliveOnce();
			const choosing = livingClaims(dir, lives).some((claim) => claim.number === void 0);
			const claims = livingClaims(dir, lives);
			const ahead = claims.filter((claim) => claim.number !== void 0 && claim.name < mine);
			if (!claims.some((claim) => claim.name === mine)) mine = takeNumber(dir);
			else if (!choosing && ahead.length < count) break;
			else onWait?.({
				ahead: ahead.map((claim) => claim.owner),
				waitedMs: Date.now() - since
			});
			const further = Math.max(1, ahead.length - count + 1);
			await setTimeout$1(choosing ? 5 : Math.min(POLL_MS * further, FAR_POLL_MS), void 0, signal && { signal });
		}
	} catch (error) {
		remove(dir, mine);
		throw signal?.aborted === true ? signal.reason : error;
	}
	return () => {
		remove(dir, mine);
		return Promise.resolve();
	};
}
function takeNumber(dir) {
	mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	const owner = nameOf(self());
	const choosing = `choosing,${owner}`;
	writeFileSync(path.join(dir, choosing), "", {
		flag: "wx",
		mode: 384
	});
	const highest = Math.max(0, ...readdirSync(dir).map((name) => readName(name)?.number ?? 0));
	const mine = `${String(highest + 1).padStart(12, "0")},${owner}`;
	writeFileSync(path.join(dir, mine), "", {
		flag: "wx",
		mode: 384
	});
	remove(dir, choosing);
	return mine;
}
function aliveOnce() {
	const known = /* @__PURE__ */ new Map();
	return (owner) => {
		const key = `${owner.pid} ${owner.startTime} ${owner.bootId}`;
		const alive = known.get(key) ?? isAlive(owner);
		known.set(key, alive);
		return alive;
	};
}
function livingClaims(dir, lives) {
	let names;
	try {
		names = readdirSync(dir);
	} catch (error) {
		if (error.code === "ENOENT") return [];
		throw error;
	}
	return names.flatMap((name) => readName(name) ?? []).filter(({ name, owner }) => lives(owner) || remove(dir, name)).sort((a, b) => a.name < b.name ? -1 : 1);
}
function nameOf({ pid, startTime, bootId }) {
	return [
		pid,
		encodeURIComponent(startTime),
		bootId,
		randomBytes(6).toString("hex")
	].join(",");
}
function readName(name) {
	const [number, pid, startTime, bootId, nonce] = name.split(",");
	if (number === void 0 || pid === void 0 || startTime === void 0 || bootId === void 0 || nonce === void 0) return void 0;
	return {
		name,
		number: number === "choosing" ? void 0 : Number(number),
		owner: {
			pid: Number(pid),
			startTime: decodeURIComponent(startTime),
			bootId
		}
	};
}
function remove(dir, name) {
	try {
		unlinkSync(path.join(dir, name));
	} catch (error) {
		if (error.code !== "ENOENT") throw error;
	}
	return false;
}
// src/adapters/process/slots.ts
/**
* Waits for one of `count` slots and takes it, first come first served; a dead owner's slot is free.
* Where callers name different counts, each keeps to its own.
*/
function acquireSlot(dir, count, options = {}) {
	return acquireClaim(dir, count, options);
}
// src/core/session-offers.ts
/** Modes, or models, that are named at most. */
const SHOWN = 10;
/** Longest name, in characters. */
const SHOWN_CHARS$1 = 200;
/** Id of the option by which a mode or a model is chosen, or `undefined`. */
function optionOf(session, category) {
	const id = at(optionFor(session, category), "id");
	return typeof id === "string" ? id : void 0;
}
/** Modes or models by the names under which they are chosen, the first few. */
function offered(session, category) {
	const own = category === "mode" ? at(session, "modes", "availableModes") : at(session, "models", "availableModels");
	return ([at(optionFor(session, category), "options"), own].find((list) => Array.isArray(list)) ?? []).map((one) => at(one, "value") ?? at(one, "modelId") ?? at(one, "id")).filter((id) => typeof id === "string").slice(0, SHOWN).map((id) => id.slice(0, SHOWN_CHARS$1));
}
function optionFor(session, category) {
	const options = at(session, "configOptions");
	return Array.isArray(options) ? options.find((one) => at(one, "category") === category || at(one, "id") === category) : void 0;
}
// ../../main/node_modules/fdir/dist/index.mjs
var __require = /* @__PURE__ */ createRequire(import.meta.url);
function cleanPath(path) {
	let normalized = normalize(path);
	if (normalized.length > 1 && normalized[normalized.length - 1] === sep) normalized = normalized.substring(0, normalized.length - 1);
	return normalized;
}
const SLASHES_REGEX = /[\\/]/g;
function convertSlashes(path, separator) {
	return path.replace(SLASHES_REGEX, separator);
}
const WINDOWS_ROOT_DIR_REGEX = /^[a-z]:[\\/]$/i;
function isRootDirectory(path) {
	return path === "/" || WINDOWS_ROOT_DIR_REGEX.test(path);
}
function normalizePath(path, options) {
	const { resolvePaths, normalizePath: normalizePath$1, pathSeparator } = options;
	const pathNeedsCleaning = process.platform === "win32" && path.includes("/") || path.startsWith(".");
	if (resolvePaths) path = resolve(path);
	if (normalizePath$1 || pathNeedsCleaning) path = cleanPath(path);
	if (path === ".") return "";
	return convertSlashes(path[path.length - 1] !== pathSeparator ? path + pathSeparator : path, pathSeparator);
}
function joinPathWithBasePath(filename, directoryPath) {
	return directoryPath + filename;
}
function joinPathWithRelativePath(root, options) {
	return function(filename, directoryPath) {
		if (directoryPath.startsWith(root)) return directoryPath.slice(root.length) + filename;
		else return convertSlashes(relative(root, directoryPath), options.pathSeparator) + options.pathSeparator + filename;
	};
}
function joinPath(filename) {
	return filename;
}
function joinDirectoryPath(filename, directoryPath, separator) {
	return directoryPath + filename + separator;
}
function build$7(root, options) {
	const { relativePaths, includeBasePath } = options;
	return relativePaths && root ? joinPathWithRelativePath(root, options) : includeBasePath ? joinPathWithBasePath : joinPath;
}
function pushDirectoryWithRelativePath(root) {
	return function(directoryPath, paths) {
		paths.push(directoryPath.substring(root.length) || ".");
	};
}
function pushDirectoryFilterWithRelativePath(root) {
	return function(directoryPath, paths, filters) {
		const relativePath = directoryPath.substring(root.length) || ".";
		if (filters.every((filter) => filter(relativePath, true))) paths.push(relativePath);
	};
}
const pushDirectory = (directoryPath, paths) => {
	paths.push(directoryPath || ".");
};
const pushDirectoryFilter = (directoryPath, paths, filters) => {
	const path = directoryPath || ".";
	if (filters.every((filter) => filter(path, true))) paths.push(path);
};
const empty$2 = () => {};
function build$6(root, options) {
	const { includeDirs, filters, relativePaths } = options;
	if (!includeDirs) return empty$2;
	if (relativePaths) return filters && filters.length ? pushDirectoryFilterWithRelativePath(root) : pushDirectoryWithRelativePath(root);
	return filters && filters.length ? pushDirectoryFilter : pushDirectory;
}
const pushFileFilterAndCount = (filename, _paths, counts, filters) => {
	if (filters.every((filter) => filter(filename, false))) counts.files++;
};
const pushFileFilter = (filename, paths, _counts, filters) => {
	if (filters.every((filter) => filter(filename, false))) paths.push(filename);
};
const pushFileCount = (_filename, _paths, counts, _filters) => {
	counts.files++;
};
const pushFile = (filename, paths) => {
	paths.push(filename);
};
const empty$1 = () => {};
function build$5(options) {
	const { excludeFiles, filters, onlyCounts } = options;
	if (excludeFiles) return empty$1;
	if (filters && filters.length) return onlyCounts ? pushFileFilterAndCount : pushFileFilter;
	else if (onlyCounts) return pushFileCount;
	else return pushFile;
}
const getArray = (paths) => {
	return paths;
};
const getArrayGroup = () => {
	return [""].slice(0, 0);
};
function build$4(options) {
	return options.group ? getArrayGroup : getArray;
}
const groupFiles = (groups, directory, files) => {
	groups.push({
		directory,
		files,
		dir: directory
	});
};
const empty = () => {};
function build$3(options) {
	return options.group ? groupFiles : empty;
}
const resolveSymlinksAsync = function(path, state, callback$1) {
	const { queue, fs, options: { suppressErrors } } = state;
	queue.enqueue();
	fs.realpath(path, (error, resolvedPath) => {
		if (error) return queue.dequeue(suppressErrors ? null : error, state);
		fs.stat(resolvedPath, (error$1, stat) => {
			if (error$1) return queue.dequeue(suppressErrors ? null : error$1, state);
			if (stat.isDirectory() && isRecursive(path, resolvedPath, state)) return queue.dequeue(null, state);
			callback$1(stat, resolvedPath);
			queue.dequeue(null, state);
		});
	});
};
const resolveSymlinks = function(path, state, callback$1) {
	const { queue, fs, options: { suppressErrors } } = state;
	queue.enqueue();
	try {
		const resolvedPath = fs.realpathSync(path);
		const stat = fs.statSync(resolvedPath);
		if (stat.isDirectory() && isRecursive(path, resolvedPath, state)) return;
		callback$1(stat, resolvedPath);
	} catch (e) {
		if (!suppressErrors) throw e;
	}
};
function build$2(options, isSynchronous) {
	if (!options.resolveSymlinks || options.excludeSymlinks) return null;
	return isSynchronous ? resolveSymlinks : resolveSymlinksAsync;
}
function isRecursive(path, resolved, state) {
	if (state.options.useRealPaths) return isRecursiveUsingRealPaths(resolved, state);
	let parent = dirname(path);
	let depth = 1;
	while (parent !== state.root && depth < 2) {
		const resolvedPath = state.symlinks.get(parent);
		if (!!resolvedPath && (resolvedPath === resolved || resolvedPath.startsWith(resolved) || resolved.startsWith(resolvedPath))) depth++;
		else parent = dirname(parent);
	}
	state.symlinks.set(path, resolved);
	return depth > 1;
}
function isRecursiveUsingRealPaths(resolved, state) {
	return state.visited.includes(resolved + state.options.pathSeparator);
}
const onlyCountsSync = (state) => {
	return state.counts;
};
const groupsSync = (state) => {
	return state.groups;
};
const defaultSync = (state) => {
	return state.paths;
};
const limitFilesSync = (state) => {
	return state.paths.slice(0, state.options.maxFiles);
};
const onlyCountsAsync = (state, error, callback$1) => {
	report(error, callback$1, state.counts, state.options.suppressErrors);
	return null;
};
const defaultAsync = (state, error, callback$1) => {
	report(error, callback$1, state.paths, state.options.suppressErrors);
	return null;
};
const limitFilesAsync = (state, error, callback$1) => {
	report(error, callback$1, state.paths.slice(0, state.options.maxFiles), state.options.suppressErrors);
	return null;
};
const groupsAsync = (state, error, callback$1) => {
	report(error, callback$1, state.groups, state.options.suppressErrors);
	return null;
};
function report(error, callback$1, output, suppressErrors) {
	if (error && !suppressErrors) callback$1(error, output);
	else callback$1(null, output);
}
function build$1(options, isSynchronous) {
	const { onlyCounts, group, maxFiles } = options;
	if (onlyCounts) return isSynchronous ? onlyCountsSync : onlyCountsAsync;
	else if (group) return isSynchronous ? groupsSync : groupsAsync;
	else if (maxFiles) return isSynchronous ? limitFilesSync : limitFilesAsync;
	else return isSynchronous ? defaultSync : defaultAsync;
}
const readdirOpts = { withFileTypes: true };
const walkAsync = (state, crawlPath, directoryPath, currentDepth, callback$1) => {
	state.queue.enqueue();
	if (currentDepth < 0) return state.queue.dequeue(null, state);
	const { fs } = state;
	state.visited.push(crawlPath);
	state.counts.directories++;
	fs.readdir(crawlPath || ".", readdirOpts, (error, entries = []) => {
		callback$1(entries, directoryPath, currentDepth);
		state.queue.dequeue(state.options.suppressErrors ? null : error, state);
	});
};
const walkSync = (state, crawlPath, directoryPath, currentDepth, callback$1) => {
	const { fs } = state;
	if (currentDepth < 0) return;
	state.visited.push(crawlPath);
	state.counts.directories++;
	let entries = [];
	try {
		entries = fs.readdirSync(crawlPath || ".", readdirOpts);
	} catch (e) {
		if (!state.options.suppressErrors) throw e;
	}
	callback$1(entries, directoryPath, currentDepth);
};
function build(isSynchronous) {
	return isSynchronous ? walkSync : walkAsync;
}
/**
* This is a custom stateless queue to track concurrent async fs calls.
* It increments a counter whenever a call is queued and decrements it
* as soon as it completes. When the counter hits 0, it calls onQueueEmpty.
*/
var Queue = class {
	count = 0;
	constructor(onQueueEmpty) {
		this.onQueueEmpty = onQueueEmpty;
	}
	enqueue() {
		this.count++;
		return this.count;
	}
	dequeue(error, output) {
		if (this.onQueueEmpty && (--this.count <= 0 || error)) {
			this.onQueueEmpty(error, output);
			if (error) {
				output.controller.abort();
				this.onQueueEmpty = void 0;
			}
		}
	}
};
var Counter = class {
	_files = 0;
	_directories = 0;
	set files(num) {
		this._files = num;
	}
	get files() {
		return this._files;
	}
	set directories(num) {
		this._directories = num;
	}
	get directories() {
		return this._directories;
	}
	/**
	* @deprecated use `directories` instead
	*/
	/* c8 ignore next 3 */
	get dirs() {
		return this._directories;
	}
};
/**
* AbortController is not supported on Node 14 so we use this until we can drop
* support for Node 14.
*/
var Aborter = class {
	aborted = false;
	abort() {
		this.aborted = true;
	}
};
var Walker = class {
	root;
	isSynchronous;
	state;
	joinPath;
	pushDirectory;
	pushFile;
	getArray;
	groupFiles;
	resolveSymlink;
	walkDirectory;
	callbackInvoker;
	constructor(root, options, callback$1) {
		this.isSynchronous = !callback$1;
		this.callbackInvoker = build$1(options, this.isSynchronous);
		this.root = normalizePath(root, options);
		this.state = {
			root: isRootDirectory(this.root) ? this.root : this.root.slice(0, -1),
			paths: [""].slice(0, 0),
			groups: [],
			counts: new Counter(),
			options,
			queue: new Queue((error, state) => this.callbackInvoker(state, error, callback$1)),
			symlinks: /* @__PURE__ */ new Map(),
			visited: [""].slice(0, 0),
			controller: new Aborter(),
			fs: options.fs || nativeFs
		};
		this.joinPath = build$7(this.root, options);
		this.pushDirectory = build$6(this.root, options);
		this.pushFile = build$5(options);
		this.getArray = build$4(options);
		this.groupFiles = build$3(options);
		this.resolveSymlink = build$2(options, this.isSynchronous);
		this.walkDirectory = build(this.isSynchronous);
	}
	start() {
		this.pushDirectory(this.root, this.state.paths, this.state.options.filters);
		this.walkDirectory(this.state, this.root, this.root, this.state.options.maxDepth, this.walk);
		return this.isSynchronous ? this.callbackInvoker(this.state, null) : null;
	}
	walk = (entries, directoryPath, depth) => {
		const { paths, options: { filters, resolveSymlinks: resolveSymlinks$1, excludeSymlinks, exclude, maxFiles, signal, useRealPaths, pathSeparator }, controller } = this.state;
		if (controller.aborted || signal && signal.aborted || maxFiles && paths.length > maxFiles) return;
		const files = this.getArray(this.state.paths);
		for (let i = 0; i < entries.length; ++i) {
			const entry = entries[i];
			if (entry.isFile() || entry.isSymbolicLink() && !resolveSymlinks$1 && !excludeSymlinks) {
				const filename = this.joinPath(entry.name, directoryPath);
				this.pushFile(filename, files, this.state.counts, filters);
			} else if (entry.isDirectory()) {
				let path = joinDirectoryPath(entry.name, directoryPath, this.state.options.pathSeparator);
				if (exclude && exclude(entry.name, path)) continue;
				this.pushDirectory(path, paths, filters);
				this.walkDirectory(this.state, path, path, depth - 1, this.walk);
			} else if (this.resolveSymlink && entry.isSymbolicLink()) {
				let path = joinPathWithBasePath(entry.name, directoryPath);
				this.resolveSymlink(path, this.state, (stat, resolvedPath) => {
					if (stat.isDirectory()) {
						resolvedPath = normalizePath(resolvedPath, this.state.options);
						if (exclude && exclude(entry.name, useRealPaths ? resolvedPath : path + pathSeparator)) return;
						this.walkDirectory(this.state, resolvedPath, useRealPaths ? resolvedPath : path + pathSeparator, depth - 1, this.walk);
					} else {
						resolvedPath = useRealPaths ? resolvedPath : path;
						const filename = basename(resolvedPath);
						const directoryPath$1 = normalizePath(dirname(resolvedPath), this.state.options);
						resolvedPath = this.joinPath(filename, directoryPath$1);
						this.pushFile(resolvedPath, files, this.state.counts, filters);
					}
				});
			}
		}
		this.groupFiles(this.state.groups, directoryPath, files);
	};
};
function promise(root, options) {
	return new Promise((resolve$1, reject) => {
		callback(root, options, (err, output) => {
			if (err) return reject(err);
			resolve$1(output);
		});
	});
}
function callback(root, options, callback$1) {
	new Walker(root, options, callback$1).start();
}
function sync(root, options) {
	return new Walker(root, options).start();
}
var APIBuilder = class {
	constructor(root, options) {
		this.root = root;
		this.options = options;
	}
	withPromise() {
		return promise(this.root, this.options);
	}
	withCallback(cb) {
		callback(this.root, this.options, cb);
	}
	sync() {
		return sync(this.root, this.options);
	}
};
let pm = null;
/* c8 ignore next 6 */
try {
	__require.resolve("picomatch");
	pm = __require("picomatch");
} catch {}
var Builder = class {
	globCache = {};
	options = {
		maxDepth: Infinity,
		suppressErrors: true,
		pathSeparator: sep,
		filters: []
	};
	globFunction;
	constructor(options) {
		this.options = {
			...this.options,
			...options
		};
		this.globFunction = this.options.globFunction;
	}
	group() {
		this.options.group = true;
		return this;
	}
	withPathSeparator(separator) {
		this.options.pathSeparator = separator;
		return this;
	}
	withBasePath() {
		this.options.includeBasePath = true;
		return this;
	}
	withRelativePaths() {
		this.options.relativePaths = true;
		return this;
	}
	withDirs() {
		this.options.includeDirs = true;
		return this;
	}
	withMaxDepth(depth) {
		this.options.maxDepth = depth;
		return this;
	}
	withMaxFiles(limit) {
		this.options.maxFiles = limit;
		return this;
	}
	withFullPaths() {
		this.options.resolvePaths = true;
		this.options.includeBasePath = true;
		return this;
	}
	withErrors() {
		this.options.suppressErrors = false;
		return this;
	}
	withSymlinks({ resolvePaths = true } = {}) {
		this.options.resolveSymlinks = true;
		this.options.useRealPaths = resolvePaths;
		return this.withFullPaths();
	}
	withAbortSignal(signal) {
		this.options.signal = signal;
		return this;
	}
	normalize() {
		this.options.normalizePath = true;
		return this;
	}
	filter(predicate) {
		this.options.filters.push(predicate);
		return this;
	}
	onlyDirs() {
		this.options.excludeFiles = true;
		this.options.includeDirs = true;
		return this;
	}
	exclude(predicate) {
		this.options.exclude = predicate;
		return this;
	}
	onlyCounts() {
		this.options.onlyCounts = true;
		return this;
	}
	crawl(root) {
		return new APIBuilder(root || ".", this.options);
	}
	withGlobFunction(fn) {
		this.globFunction = fn;
		return this;
	}
	/**
	* @deprecated Pass options using the constructor instead:
	* ```ts
	* new fdir(options).crawl("/path/to/root");
	* ```
	* This method will be removed in v7.0
	*/
	/* c8 ignore next 4 */
	crawlWithOptions(root, options) {
		this.options = {
			...this.options,
			...options
		};
		return new APIBuilder(root || ".", this.options);
	}
	glob(...patterns) {
		if (this.globFunction) return this.globWithOptions(patterns);
		return this.globWithOptions(patterns, ...[{ dot: true }]);
	}
	globWithOptions(patterns, ...options) {
		const globFn = this.globFunction || pm;
		/* c8 ignore next 5 */
		if (!globFn) throw new Error("Please specify a glob function to use glob matching.");
		var isMatch = this.globCache[patterns.join("\0")];
		if (!isMatch) {
			isMatch = globFn(patterns, ...options);
			this.globCache[patterns.join("\0")] = isMatch;
		}
		this.options.filters.push((path) => isMatch(path));
		return this;
	}
};
// ../../main/node_modules/picomatch/lib/constants.js
var require_constants = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const WIN_SLASH = "\\\\/";
	const WIN_NO_SLASH = `[^${WIN_SLASH}]`;
	const DEFAULT_MAX_EXTGLOB_RECURSION = 0;
	/**
	* Posix glob regex
	*/
	const DOT_LITERAL = "\\.";
	const PLUS_LITERAL = "\\+";
	const QMARK_LITERAL = "\\?";
	const SLASH_LITERAL = "\\/";
	const ONE_CHAR = "(?=.)";
	const QMARK = "[^/]";
	const END_ANCHOR = `(?:${SLASH_LITERAL}|$)`;
	const START_ANCHOR = `(?:^|${SLASH_LITERAL})`;
	const DOTS_SLASH = `${DOT_LITERAL}{1,2}${END_ANCHOR}`;
	const POSIX_CHARS = {
		DOT_LITERAL,
		PLUS_LITERAL,
		QMARK_LITERAL,
		SLASH_LITERAL,
		ONE_CHAR,
		QMARK,
		END_ANCHOR,
		DOTS_SLASH,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!${START_ANCHOR}${DOTS_SLASH})`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`,
		NO_DOTS_SLASH: `(?!${DOTS_SLASH})`,
		QMARK_NO_DOT: `[^.${SLASH_LITERAL}]`,
		STAR: `${QMARK}*?`,
		START_ANCHOR,
		SEP: "/"
	};
	/**
	* Windows glob regex
	*/
	const WINDOWS_CHARS = {
		...POSIX_CHARS,
		SLASH_LITERAL: `[${WIN_SLASH}]`,
		QMARK: WIN_NO_SLASH,
		STAR: `${WIN_NO_SLASH}*?`,
		DOTS_SLASH: `${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,
		NO_DOTS_SLASH: `(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		QMARK_NO_DOT: `[^.${WIN_SLASH}]`,
		START_ANCHOR: `(?:^|[${WIN_SLASH}])`,
		END_ANCHOR: `(?:[${WIN_SLASH}]|$)`,
		SEP: "\\"
	};
	module.exports = {
		DEFAULT_MAX_EXTGLOB_RECURSION,
		MAX_LENGTH: 65536,
		POSIX_REGEX_SOURCE: {
			__proto__: null,
			alnum: "a-zA-Z0-9",
			alpha: "a-zA-Z",
			ascii: "\\x00-\\x7F",
			blank: " \\t",
			cntrl: "\\x00-\\x1F\\x7F",
			digit: "0-9",
			graph: "\\x21-\\x7E",
			lower: "a-z",
			print: "\\x20-\\x7E ",
			punct: "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
			space: " \\t\\r\\n\\v\\f",
			upper: "A-Z",
			word: "A-Za-z0-9_",
			xdigit: "A-Fa-f0-9"
		},
		REGEX_BACKSLASH: /\\(?![*+?^${}(|)[\]])/g,
		REGEX_NON_SPECIAL_CHARS: /^[^@![\].,$*+?^{}()|\\/]+/,
		REGEX_SPECIAL_CHARS: /[-*+?.^${}(|)[\]]/,
		REGEX_SPECIAL_CHARS_BACKREF: /(\\?)((\W)(\3*))/g,
		REGEX_SPECIAL_CHARS_GLOBAL: /([-*+?.^${}(|)[\]])/g,
		REGEX_REMOVE_BACKSLASH: /(?:\[.*?[^\\]\]|\\(?=.))/g,
		REPLACEMENTS: {
			__proto__: null,
			"***": "*",
			"**/**": "**",
			"**/**/**": "**"
		},
		CHAR_0: 48,
		CHAR_9: 57,
		CHAR_UPPERCASE_A: 65,
		CHAR_LOWERCASE_A: 97,
		CHAR_UPPERCASE_Z: 90,
		CHAR_LOWERCASE_Z: 122,
		CHAR_LEFT_PARENTHESES: 40,
		CHAR_RIGHT_PARENTHESES: 41,
		CHAR_ASTERISK: 42,
		CHAR_AMPERSAND: 38,
		CHAR_AT: 64,
		CHAR_BACKWARD_SLASH: 92,
		CHAR_CARRIAGE_RETURN: 13,
		CHAR_CIRCUMFLEX_ACCENT: 94,
		CHAR_COLON: 58,
		CHAR_COMMA: 44,
		CHAR_DOT: 46,
		CHAR_DOUBLE_QUOTE: 34,
		CHAR_EQUAL: 61,
		CHAR_EXCLAMATION_MARK: 33,
		CHAR_FORM_FEED: 12,
		CHAR_FORWARD_SLASH: 47,
		CHAR_GRAVE_ACCENT: 96,
		CHAR_HASH: 35,
		CHAR_HYPHEN_MINUS: 45,
		CHAR_LEFT_ANGLE_BRACKET: 60,
		CHAR_LEFT_CURLY_BRACE: 123,
		CHAR_LEFT_SQUARE_BRACKET: 91,
		CHAR_LINE_FEED: 10,
		CHAR_NO_BREAK_SPACE: 160,
		CHAR_PERCENT: 37,
		CHAR_PLUS: 43,
		CHAR_QUESTION_MARK: 63,
		CHAR_RIGHT_ANGLE_BRACKET: 62,
		CHAR_RIGHT_CURLY_BRACE: 125,
		CHAR_RIGHT_SQUARE_BRACKET: 93,
		CHAR_SEMICOLON: 59,
		CHAR_SINGLE_QUOTE: 39,
		CHAR_SPACE: 32,
		CHAR_TAB: 9,
		CHAR_UNDERSCORE: 95,
		CHAR_VERTICAL_LINE: 124,
		CHAR_ZERO_WIDTH_NOBREAK_SPACE: 65279,
		/**
		* Create EXTGLOB_CHARS
		*/
		extglobChars(chars) {
			return {
				"!": {
					type: "negate",
					open: "(?:(?!(?:",
					close: `))${chars.STAR})`
				},
				"?": {
					type: "qmark",
					open: "(?:",
					close: ")?"
				},
				"+": {
					type: "plus",
					open: "(?:",
					close: ")+"
				},
				"*": {
					type: "star",
					open: "(?:",
					close: ")*"
				},
				"@": {
					type: "at",
					open: "(?:",
					close: ")"
				}
			};
		},
		/**
		* Create GLOB_CHARS
		*/
		globChars(win32) {
			return win32 === true ? WINDOWS_CHARS : POSIX_CHARS;
		}
	};
}));
// ../../main/node_modules/picomatch/lib/utils.js
var require_utils = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { REGEX_BACKSLASH, REGEX_REMOVE_BACKSLASH, REGEX_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_GLOBAL } = require_constants();
	exports.isObject = (val) => val !== null && typeof val === "object" && !Array.isArray(val);
	exports.hasRegexChars = (str) => REGEX_SPECIAL_CHARS.test(str);
	exports.isRegexChar = (str) => str.length === 1 && exports.hasRegexChars(str);
	exports.escapeRegex = (str) => str.replace(REGEX_SPECIAL_CHARS_GLOBAL, "\\$1");
	exports.toPosixSlashes = (str) => str.replace(REGEX_BACKSLASH, "/");
	exports.isWindows = () => {
		if (typeof navigator !== "undefined" && navigator.platform) {
			const platform = navigator.platform.toLowerCase();
			return platform === "win32" || platform === "windows";
		}
		if (typeof process !== "undefined" && process.platform) return process.platform === "win32";
		return false;
	};
	exports.removeBackslashes = (str) => {
		return str.replace(REGEX_REMOVE_BACKSLASH, (match) => {
			return match === "\\" ? "" : match;
		});
	};
	exports.escapeLast = (input, char, lastIdx) => {
		const idx = input.lastIndexOf(char, lastIdx);
		if (idx === -1) return input;
		if (input[idx - 1] === "\\") return exports.escapeLast(input, char, idx - 1);
		return `${input.slice(0, idx)}\\${input.slice(idx)}`;
	};
	exports.removePrefix = (input, state = {}) => {
		let output = input;
		if (output.startsWith("./")) {
			output = output.slice(2);
			state.prefix = "./";
		}
		return output;
	};
	exports.wrapOutput = (input, state = {}, options = {}) => {
		let output = `${options.contains ? "" : "^"}(?:${input})${options.contains ? "" : "$"}`;
		if (state.negated === true) output = `(?:^(?!${output}).*$)`;
		return output;
	};
	exports.basename = (path, { windows } = {}) => {
		const segs = path.split(windows ? /[\\/]/ : "/");
		const last = segs[segs.length - 1];
		if (last === "") return segs[segs.length - 2];
		return last;
	};
}));
// ../../main/node_modules/picomatch/lib/scan.js
var require_scan = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const utils = require_utils();
	const { CHAR_ASTERISK, CHAR_AT, CHAR_BACKWARD_SLASH, CHAR_COMMA, CHAR_DOT, CHAR_EXCLAMATION_MARK, CHAR_FORWARD_SLASH, CHAR_LEFT_CURLY_BRACE, CHAR_LEFT_PARENTHESES, CHAR_LEFT_SQUARE_BRACKET, CHAR_PLUS, CHAR_QUESTION_MARK, CHAR_RIGHT_CURLY_BRACE, CHAR_RIGHT_PARENTHESES, CHAR_RIGHT_SQUARE_BRACKET } = require_constants();
	const isPathSeparator = (code) => {
		return code === CHAR_FORWARD_SLASH || code === CHAR_BACKWARD_SLASH;
	};
	const depth = (token) => {
		if (token.isPrefix !== true) token.depth = token.isGlobstar ? Infinity : 1;
	};
	/**
	* Quickly scans a glob pattern and returns an object with a handful of
	* useful properties, like `isGlob`, `path` (the leading non-glob, if it exists),
	* `glob` (the actual pattern), `negated` (true if the path starts with `!` but not
	* with `!(`) and `negatedExtglob` (true if the path starts with `!(`).
	*
	* ```js
	* const pm = require('picomatch');
	* console.log(pm.scan('foo/bar/*.js'));
	* { isGlob: true, input: 'foo/bar/*.js', base: 'foo/bar', glob: '*.js' }
	* ```
	* @param {String} `str`
	* @param {Object} `options`
	* @return {Object} Returns an object with tokens and regex source string.
	* @api public
	*/
	const scan = (input, options) => {
		const opts = options || {};
		const length = input.length - 1;
		const scanToEnd = opts.parts === true || opts.tokens === true || opts.scanToEnd === true;
		const slashes = [];
		const tokens = [];
		const parts = [];
		let str = input;
		let index = -1;
		let start = 0;
		let lastIndex = 0;
		let isBrace = false;
		let isBracket = false;
		let isGlob = false;
		let isExtglob = false;
		let isGlobstar = false;
		let braceEscaped = false;
		let backslashes = false;
		let negated = false;
		let negatedExtglob = false;
		let finished = false;
		let braces = 0;
		let prev;
		let code;
		let token = {
			value: "",
			depth: 0,
			isGlob: false
		};
		const eos = () => index >= length;
		const peek = () => str.charCodeAt(index + 1);
		const advance = () => {
			prev = code;
			return str.charCodeAt(++index);
		};
		while (index < length) {
			code = advance();
			let next;
			if (code === CHAR_BACKWARD_SLASH) {
				backslashes = token.backslashes = true;
				code = advance();
				if (code === CHAR_LEFT_CURLY_BRACE) braceEscaped = true;
				continue;
			}
			if (braceEscaped === true || code === CHAR_LEFT_CURLY_BRACE) {
				braces++;
				while (eos() !== true && (code = advance())) {
					if (code === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (code === CHAR_LEFT_CURLY_BRACE) {
						braces++;
						continue;
					}
					if (braceEscaped !== true && code === CHAR_DOT && (code = advance()) === CHAR_DOT) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (braceEscaped !== true && code === CHAR_COMMA) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (code === CHAR_RIGHT_CURLY_BRACE) {
						braces--;
						if (braces === 0) {
							braceEscaped = false;
							isBrace = token.isBrace = true;
							finished = true;
							break;
						}
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_FORWARD_SLASH) {
				slashes.push(index);
				tokens.push(token);
				token = {
					value: "",
					depth: 0,
					isGlob: false
				};
				if (finished === true) continue;
				if (prev === CHAR_DOT && index === start + 1) {
					start += 2;
					continue;
				}
				lastIndex = index + 1;
				continue;
			}
			if (opts.noext !== true) {
				if ((code === CHAR_PLUS || code === CHAR_AT || code === CHAR_ASTERISK || code === CHAR_QUESTION_MARK || code === CHAR_EXCLAMATION_MARK) === true && peek() === CHAR_LEFT_PARENTHESES) {
					isGlob = token.isGlob = true;
					isExtglob = token.isExtglob = true;
					finished = true;
					if (code === CHAR_EXCLAMATION_MARK && index === start) negatedExtglob = true;
					if (scanToEnd === true) {
						let parens = 0;
						while (eos() !== true && (code = advance())) {
							if (code === CHAR_BACKWARD_SLASH) {
								backslashes = token.backslashes = true;
								advance();
								continue;
							}
							if (code === CHAR_LEFT_PARENTHESES) {
								parens++;
								continue;
							}
							if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
								finished = true;
								break;
							}
						}
						continue;
					}
					break;
				}
			}
			if (code === CHAR_ASTERISK) {
				if (prev === CHAR_ASTERISK) isGlobstar = token.isGlobstar = true;
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_QUESTION_MARK) {
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_LEFT_SQUARE_BRACKET) {
				while (eos() !== true && (next = advance())) {
					if (next === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (next === CHAR_RIGHT_SQUARE_BRACKET) {
						isBracket = token.isBracket = true;
						isGlob = token.isGlob = true;
						finished = true;
						break;
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (opts.nonegate !== true && code === CHAR_EXCLAMATION_MARK && index === start) {
				negated = token.negated = true;
				start++;
				continue;
			}
			if (opts.noparen !== true && code === CHAR_LEFT_PARENTHESES) {
				isGlob = token.isGlob = true;
				if (scanToEnd === true) {
					let parens = 1;
					while (eos() !== true && (code = advance())) {
						if (code === CHAR_BACKWARD_SLASH) {
							backslashes = token.backslashes = true;
							advance();
							continue;
						}
						if (code === CHAR_LEFT_PARENTHESES) {
							parens++;
							continue;
						}
						if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
							finished = true;
							break;
						}
					}
					continue;
				}
				break;
			}
			if (isGlob === true) {
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
		}
		if (opts.noext === true) {
			isExtglob = false;
			isGlob = false;
		}
		let base = str;
		let prefix = "";
		let glob = "";
		if (start > 0) {
			prefix = str.slice(0, start);
			str = str.slice(start);
			lastIndex -= start;
		}
		if (base && isGlob === true && lastIndex > 0) {
			base = str.slice(0, lastIndex);
			glob = str.slice(lastIndex);
		} else if (isGlob === true) {
			base = "";
			glob = str;
		} else base = str;
		if (base && base !== "" && base !== "/" && base !== str) {
			if (isPathSeparator(base.charCodeAt(base.length - 1))) base = base.slice(0, -1);
		}
		if (opts.unescape === true) {
			if (glob) glob = utils.removeBackslashes(glob);
			if (base && backslashes === true) base = utils.removeBackslashes(base);
		}
		const state = {
			prefix,
			input,
			start,
			base,
			glob,
			isBrace,
			isBracket,
			isGlob,
			isExtglob,
			isGlobstar,
			negated,
			negatedExtglob
		};
		if (opts.tokens === true) {
			state.maxDepth = 0;
			if (!isPathSeparator(code)) tokens.push(token);
			state.tokens = tokens;
		}
		if (opts.parts === true || opts.tokens === true) {
			let prevIndex;
			for (let idx = 0; idx < slashes.length; idx++) {
				const n = prevIndex !== void 0 ? prevIndex + 1 : start;
				const i = slashes[idx];
				const value = input.slice(n, i);
				if (opts.tokens) {
					if (idx === 0 && start !== 0) {
						tokens[idx].isPrefix = true;
						tokens[idx].value = prefix;
					} else tokens[idx].value = value;
					depth(tokens[idx]);
					state.maxDepth += tokens[idx].depth;
				}
				if (i >= start) {
					parts.push(value);
					prevIndex = i;
				}
			}
			const n = prevIndex !== void 0 ? prevIndex + 1 : start;
			const value = input.slice(n);
			parts.push(value);
			if (opts.tokens && prevIndex && prevIndex + 1 < input.length) {
				tokens[tokens.length - 1].value = value;
				depth(tokens[tokens.length - 1]);
				state.maxDepth += tokens[tokens.length - 1].depth;
			}
			state.slashes = slashes;
			state.parts = parts;
		}
		return state;
	};
	module.exports = scan;
}));
// ../../main/node_modules/picomatch/lib/parse.js
var require_parse = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const constants = require_constants();
	const utils = require_utils();
	/**
	* Constants
	*/
	const { MAX_LENGTH, POSIX_REGEX_SOURCE, REGEX_NON_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_BACKREF, REPLACEMENTS } = constants;
	/**
	* Helpers
	*/
	const expandRange = (args, options) => {
		if (typeof options.expandRange === "function") return options.expandRange(...args, options);
		args.sort();
		const value = `[${args.join("-")}]`;
		try {
			new RegExp(value);
		} catch (ex) {
			return args.map((v) => utils.escapeRegex(v)).join("..");
		}
		return value;
	};
	/**
	* Create the message for a syntax error
	*/
	const syntaxError = (type, char) => {
		return `Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`;
	};
	const splitTopLevel = (input) => {
		const parts = [];
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let value = "";
		let escaped = false;
		for (const ch of input) {
			if (escaped === true) {
				value += ch;
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				value += ch;
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				value += ch;
				continue;
			}
			if (quote === 0) {
				if (ch === "[") bracket++;
				else if (ch === "]" && bracket > 0) bracket--;
				else if (bracket === 0) {
					if (ch === "(") paren++;
					else if (ch === ")" && paren > 0) paren--;
					else if (ch === "|" && paren === 0) {
						parts.push(value);
						value = "";
						continue;
					}
				}
			}
			value += ch;
		}
		parts.push(value);
		return parts;
	};
	const isPlainBranch = (branch) => {
		let escaped = false;
		for (const ch of branch) {
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (/[?*+@!()[\]{}]/.test(ch)) return false;
		}
		return true;
	};
	const normalizeSimpleBranch = (branch) => {
		let value = branch.trim();
		let changed = true;
		while (changed === true) {
			changed = false;
			if (/^@\([^\\()[\]{}|]+\)$/.test(value)) {
				value = value.slice(2, -1);
				changed = true;
			}
		}
		if (!isPlainBranch(value)) return;
		return value.replace(/\\(.)/g, "$1");
	};
	const hasRepeatedCharPrefixOverlap = (branches) => {
		const values = branches.map(normalizeSimpleBranch).filter(Boolean);
		for (let i = 0; i < values.length; i++) for (let j = i + 1; j < values.length; j++) {
			const a = values[i];
			const b = values[j];
			const char = a[0];
			if (!char || a !== char.repeat(a.length) || b !== char.repeat(b.length)) continue;
			if (a === b || a.startsWith(b) || b.startsWith(a)) return true;
		}
		return false;
	};
	const parseRepeatedExtglob = (pattern, requireEnd = true) => {
		if (pattern[0] !== "+" && pattern[0] !== "*" || pattern[1] !== "(") return;
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let escaped = false;
		for (let i = 1; i < pattern.length; i++) {
			const ch = pattern[i];
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				continue;
			}
			if (quote === 1) continue;
			if (ch === "[") {
				bracket++;
				continue;
			}
			if (ch === "]" && bracket > 0) {
				bracket--;
				continue;
			}
			if (bracket > 0) continue;
			if (ch === "(") {
				paren++;
				continue;
			}
			if (ch === ")") {
				paren--;
				if (paren === 0) {
					if (requireEnd === true && i !== pattern.length - 1) return;
					return {
						type: pattern[0],
						body: pattern.slice(2, i),
						end: i
					};
				}
			}
		}
	};
	const buildCharClassStar = (chars) => {
		return `${chars.length === 1 ? utils.escapeRegex(chars[0]) : `[${chars.map((ch) => utils.escapeRegex(ch)).join("")}]`}*`;
	};
	const getStarExtglobSequenceChars = (pattern) => {
		let index = 0;
		const chars = [];
		while (index < pattern.length) {
			const match = parseRepeatedExtglob(pattern.slice(index), false);
			if (!match || match.type !== "*") return;
			const branches = splitTopLevel(match.body).map((branch) => branch.trim());
			if (branches.length !== 1) return;
			const branch = normalizeSimpleBranch(branches[0]);
			if (!branch || branch.length !== 1) return;
			chars.push(branch);
			index += match.end + 1;
		}
		if (chars.length < 1) return;
		return chars;
	};
	const repeatedExtglobRecursion = (pattern) => {
		let depth = 0;
		let value = pattern.trim();
		let match = parseRepeatedExtglob(value);
		while (match) {
			depth++;
			value = match.body.trim();
			match = parseRepeatedExtglob(value);
		}
		return depth;
	};
	const analyzeRepeatedExtglob = (body, options) => {
		if (options.maxExtglobRecursion === false) return { risky: false };
		const max = typeof options.maxExtglobRecursion === "number" ? options.maxExtglobRecursion : constants.DEFAULT_MAX_EXTGLOB_RECURSION;
		const branches = splitTopLevel(body).map((branch) => branch.trim());
		if (branches.length > 1) {
			if (branches.some((branch) => branch === "") || branches.some((branch) => /^[*?]+$/.test(branch)) || hasRepeatedCharPrefixOverlap(branches)) return { risky: true };
		}
		const safeChars = [];
		let sawStarSequence = false;
		let combinable = true;
		for (const branch of branches) {
			const chars = getStarExtglobSequenceChars(branch);
			if (chars) {
				sawStarSequence = true;
				safeChars.push(...chars);
				continue;
			}
			const literal = normalizeSimpleBranch(branch);
			if (literal && literal.length === 1) {
				safeChars.push(literal);
				continue;
			}
			combinable = false;
			if (repeatedExtglobRecursion(branch) > max) return { risky: true };
		}
		if (sawStarSequence) return combinable ? {
			risky: true,
			safeOutput: buildCharClassStar([...new Set(safeChars)])
		} : { risky: true };
		return { risky: false };
	};
	/**
	* Parse the given input string.
	* @param {String} input
	* @param {Object} options
	* @return {Object}
	*/
	const parse = (input, options) => {
		if (typeof input !== "string") throw new TypeError("Expected a string");
		input = REPLACEMENTS[input] || input;
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		let len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		const bos = {
			type: "bos",
			value: "",
			output: opts.prepend || ""
		};
		const tokens = [bos];
		const capture = opts.capture ? "" : "?:";
		const PLATFORM_CHARS = constants.globChars(opts.windows);
		const EXTGLOB_CHARS = constants.extglobChars(PLATFORM_CHARS);
		const { DOT_LITERAL, PLUS_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOT_SLASH, NO_DOTS_SLASH, QMARK, QMARK_NO_DOT, STAR, START_ANCHOR } = PLATFORM_CHARS;
		const globstar = (opts) => {
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const nodot = opts.dot ? "" : NO_DOT;
		const qmarkNoDot = opts.dot ? QMARK : QMARK_NO_DOT;
		let star = opts.bash === true ? globstar(opts) : STAR;
		if (opts.capture) star = `(${star})`;
		if (typeof opts.noext === "boolean") opts.noextglob = opts.noext;
		const state = {
			input,
			index: -1,
			start: 0,
			dot: opts.dot === true,
			consumed: "",
			output: "",
			prefix: "",
			backtrack: false,
			negated: false,
			brackets: 0,
			braces: 0,
			parens: 0,
			quotes: 0,
			globstar: false,
			tokens
		};
		input = utils.removePrefix(input, state);
		len = input.length;
		const extglobs = [];
		const braces = [];
		const stack = [];
		let prev = bos;
		let value;
		/**
		* Tokenizing helpers
		*/
		const eos = () => state.index === len - 1;
		const peek = state.peek = (n = 1) => input[state.index + n];
		const advance = state.advance = () => input[++state.index] || "";
		const remaining = () => input.slice(state.index + 1);
		const consume = (value = "", num = 0) => {
			state.consumed += value;
			state.index += num;
		};
		const append = (token) => {
			state.output += token.output != null ? token.output : token.value;
			consume(token.value);
		};
		const negate = () => {
			let count = 1;
			while (peek() === "!" && (peek(2) !== "(" || peek(3) === "?")) {
				advance();
				state.start++;
				count++;
			}
			if (count % 2 === 0) return false;
			state.negated = true;
			state.start++;
			return true;
		};
		const increment = (type) => {
			state[type]++;
			stack.push(type);
		};
		const decrement = (type) => {
			state[type]--;
			stack.pop();
		};
		/**
		* Push tokens onto the tokens array. This helper speeds up
		* tokenizing by 1) helping us avoid backtracking as much as possible,
		* and 2) helping us avoid creating extra tokens when consecutive
		* characters are plain text. This improves performance and simplifies
		* lookbehinds.
		*/
		const push = (tok) => {
			if (prev.type === "globstar") {
				const isBrace = state.braces > 0 && (tok.type === "comma" || tok.type === "brace");
				const isExtglob = tok.extglob === true || extglobs.length && (tok.type === "pipe" || tok.type === "paren");
				if (tok.type !== "slash" && tok.type !== "paren" && !isBrace && !isExtglob) {
					state.output = state.output.slice(0, -prev.output.length);
					prev.type = "star";
					prev.value = "*";
					prev.output = star;
					state.output += prev.output;
				}
			}
			if (extglobs.length && tok.type !== "paren") extglobs[extglobs.length - 1].inner += tok.value;
			if (tok.value || tok.output) append(tok);
			if (prev && prev.type === "text" && tok.type === "text") {
				prev.output = (prev.output || prev.value) + tok.value;
				prev.value += tok.value;
				return;
			}
			tok.prev = prev;
			tokens.push(tok);
			prev = tok;
		};
		const extglobOpen = (type, value) => {
			const token = {
				...EXTGLOB_CHARS[value],
				conditions: 1,
				inner: ""
			};
			token.prev = prev;
			token.parens = state.parens;
			token.output = state.output;
			token.startIndex = state.index;
			token.tokensIndex = tokens.length;
			const output = (opts.capture ? "(" : "") + token.open;
			increment("parens");
			push({
				type,
				value,
				output: state.output ? "" : ONE_CHAR
			});
			push({
				type: "paren",
				extglob: true,
				value: advance(),
				output
			});
			extglobs.push(token);
		};
		const extglobClose = (token) => {
			const literal = input.slice(token.startIndex, state.index + 1);
			const body = input.slice(token.startIndex + 2, state.index);
			const analysis = analyzeRepeatedExtglob(body, opts);
			if ((token.type === "plus" || token.type === "star") && analysis.risky) {
				const safeOutput = analysis.safeOutput ? (token.output ? "" : ONE_CHAR) + (opts.capture ? `(${analysis.safeOutput})` : analysis.safeOutput) : void 0;
				const open = tokens[token.tokensIndex];
				open.type = "text";
				open.value = literal;
				open.output = safeOutput || utils.escapeRegex(literal);
				for (let i = token.tokensIndex + 1; i < tokens.length; i++) {
					tokens[i].value = "";
					tokens[i].output = "";
					delete tokens[i].suffix;
				}
				state.output = token.output + open.output;
				state.backtrack = true;
				push({
					type: "paren",
					extglob: true,
					value,
					output: ""
				});
				decrement("parens");
				return;
			}
			let output = token.close + (opts.capture ? ")" : "");
			let rest;
			if (token.type === "negate") {
				let extglobStar = star;
				if (token.inner && token.inner.length > 1 && token.inner.includes("/")) extglobStar = globstar(opts);
				if (extglobStar !== star || eos() || /^\)+$/.test(remaining())) output = token.close = `)$))${extglobStar}`;
				if (token.inner.includes("*") && (rest = remaining()) && /^\.[^\\/.]+$/.test(rest)) output = token.close = `)${parse(rest, {
					...options,
					fastpaths: false
				}).output})${extglobStar})`;
				if (token.prev.type === "bos") state.negatedExtglob = true;
			}
			push({
				type: "paren",
				extglob: true,
				value,
				output
			});
			decrement("parens");
		};
		/**
		* Fast paths
		*/
		if (opts.fastpaths !== false && !/(^[*!]|[/()[\]{}"])/.test(input)) {
			let backslashes = false;
			let output = input.replace(REGEX_SPECIAL_CHARS_BACKREF, (m, esc, chars, first, rest, index) => {
				if (first === "\\") {
					backslashes = true;
					return m;
				}
				if (first === "?") {
					if (esc) return esc + first + (rest ? QMARK.repeat(rest.length) : "");
					if (index === 0) return qmarkNoDot + (rest ? QMARK.repeat(rest.length) : "");
					return QMARK.repeat(chars.length);
				}
				if (first === ".") return DOT_LITERAL.repeat(chars.length);
				if (first === "*") {
					if (esc) return esc + first + (rest ? star : "");
					return star;
				}
				return esc ? m : `\\${m}`;
			});
			if (backslashes === true) {
				if (opts.unescape === true) output = output.replace(/\\/g, "");
				else output = output.replace(/\\+/g, (m) => {
					return m.length % 2 === 0 ? "\\\\" : m ? "\\" : "";
				});
			}
			if (output === input && opts.contains === true) {
				state.output = input;
				return state;
			}
			state.output = utils.wrapOutput(output, state, options);
			return state;
		}
		/**
		* Tokenize input until we reach end-of-string
		*/
		while (!eos()) {
			value = advance();
			if (value === "\0") continue;
			/**
			* Escaped characters
			*/
			if (value === "\\") {
				const next = peek();
				if (next === "/" && opts.bash !== true) continue;
				if (next === "." || next === ";") continue;
				if (!next) {
					value += "\\";
					push({
						type: "text",
						value
					});
					continue;
				}
				const match = /^\\+/.exec(remaining());
				let slashes = 0;
				if (match && match[0].length > 2) {
					slashes = match[0].length;
					state.index += slashes;
					if (slashes % 2 !== 0) value += "\\";
				}
				if (opts.unescape === true) value = advance();
				else value += advance();
				if (state.brackets === 0) {
					push({
						type: "text",
						value
					});
					continue;
				}
			}
			/**
			* If we're inside a regex character class, continue
			* until we reach the closing bracket.
			*/
			if (state.brackets > 0 && (value !== "]" || prev.value === "[" || prev.value === "[^")) {
				if (opts.posix !== false && value === ":") {
					const inner = prev.value.slice(1);
					if (inner.includes("[")) {
						prev.posix = true;
						if (inner.includes(":")) {
							const idx = prev.value.lastIndexOf("[");
							const pre = prev.value.slice(0, idx);
							const rest = prev.value.slice(idx + 2);
							const posix = POSIX_REGEX_SOURCE[rest];
							if (posix) {
								prev.value = pre + posix;
								state.backtrack = true;
								advance();
								if (!bos.output && tokens.indexOf(prev) === 1) bos.output = ONE_CHAR;
								continue;
							}
						}
					}
				}
				if (value === "[" && peek() !== ":" || value === "-" && peek() === "]") value = `\\${value}`;
				if (value === "]" && (prev.value === "[" || prev.value === "[^")) value = `\\${value}`;
				if (opts.posix === true && value === "!" && prev.value === "[") value = "^";
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* If we're inside a quoted string, continue
			* until we reach the closing double quote.
			*/
			if (state.quotes === 1 && value !== "\"") {
				value = utils.escapeRegex(value);
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* Double quotes
			*/
			if (value === "\"") {
				state.quotes = state.quotes === 1 ? 0 : 1;
				if (opts.keepQuotes === true) push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Parentheses
			*/
			if (value === "(") {
				increment("parens");
				push({
					type: "paren",
					value
				});
				continue;
			}
			if (value === ")") {
				if (state.parens === 0 && opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "("));
				const extglob = extglobs[extglobs.length - 1];
				if (extglob && state.parens === extglob.parens + 1) {
					extglobClose(extglobs.pop());
					continue;
				}
				push({
					type: "paren",
					value,
					output: state.parens ? ")" : "\\)"
				});
				decrement("parens");
				continue;
			}
			/**
			* Square brackets
			*/
			if (value === "[") {
				if (opts.nobracket === true || !remaining().includes("]")) {
					if (opts.nobracket !== true && opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
					value = `\\${value}`;
				} else increment("brackets");
				push({
					type: "bracket",
					value
				});
				continue;
			}
			if (value === "]") {
				if (opts.nobracket === true || prev && prev.type === "bracket" && prev.value.length === 1) {
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				if (state.brackets === 0) {
					if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "["));
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				decrement("brackets");
				const prevValue = prev.value.slice(1);
				if (prev.posix !== true && prevValue[0] === "^" && !prevValue.includes("/")) value = `/${value}`;
				prev.value += value;
				append({ value });
				if (opts.literalBrackets === false || utils.hasRegexChars(prevValue)) continue;
				const escaped = utils.escapeRegex(prev.value);
				state.output = state.output.slice(0, -prev.value.length);
				if (opts.literalBrackets === true) {
					state.output += escaped;
					prev.value = escaped;
					continue;
				}
				prev.value = `(${capture}${escaped}|${prev.value})`;
				state.output += prev.value;
				continue;
			}
			/**
			* Braces
			*/
			if (value === "{" && opts.nobrace !== true) {
				increment("braces");
				const open = {
					type: "brace",
					value,
					output: "(",
					outputIndex: state.output.length,
					tokensIndex: state.tokens.length
				};
				braces.push(open);
				push(open);
				continue;
			}
			if (value === "}") {
				const brace = braces[braces.length - 1];
				if (opts.nobrace === true || !brace) {
					push({
						type: "text",
						value,
						output: value
					});
					continue;
				}
				let output = ")";
				if (brace.dots === true) {
					const arr = tokens.slice();
					const range = [];
					for (let i = arr.length - 1; i >= 0; i--) {
						tokens.pop();
						if (arr[i].type === "brace") break;
						if (arr[i].type !== "dots") range.unshift(arr[i].value);
					}
					output = expandRange(range, opts);
					state.backtrack = true;
				}
				if (brace.comma !== true && brace.dots !== true) {
					const out = state.output.slice(0, brace.outputIndex);
					const toks = state.tokens.slice(brace.tokensIndex);
					brace.value = brace.output = "\\{";
					value = output = "\\}";
					state.output = out;
					for (const t of toks) state.output += t.output || t.value;
				}
				push({
					type: "brace",
					value,
					output
				});
				decrement("braces");
				braces.pop();
				continue;
			}
			/**
			* Pipes
			*/
			if (value === "|") {
				if (extglobs.length > 0) extglobs[extglobs.length - 1].conditions++;
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Commas
			*/
			if (value === ",") {
				let output = value;
				const brace = braces[braces.length - 1];
				if (brace && stack[stack.length - 1] === "braces") {
					brace.comma = true;
					output = "|";
				}
				push({
					type: "comma",
					value,
					output
				});
				continue;
			}
			/**
			* Slashes
			*/
			if (value === "/") {
				if (prev.type === "dot" && state.index === state.start + 1) {
					state.start = state.index + 1;
					state.consumed = "";
					state.output = "";
					tokens.pop();
					prev = bos;
					continue;
				}
				push({
					type: "slash",
					value,
					output: SLASH_LITERAL
				});
				continue;
			}
			/**
			* Dots
			*/
			if (value === ".") {
				if (state.braces > 0 && prev.type === "dot") {
					if (prev.value === ".") prev.output = DOT_LITERAL;
					const brace = braces[braces.length - 1];
					prev.type = "dots";
					prev.output += value;
					prev.value += value;
					brace.dots = true;
					continue;
				}
				if (state.braces + state.parens === 0 && prev.type !== "bos" && prev.type !== "slash") {
					push({
						type: "text",
						value,
						output: DOT_LITERAL
					});
					continue;
				}
				push({
					type: "dot",
					value,
					output: DOT_LITERAL
				});
				continue;
			}
			/**
			* Question marks
			*/
			if (value === "?") {
				if (!(prev && prev.value === "(") && opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("qmark", value);
					continue;
				}
				if (prev && prev.type === "paren") {
					const next = peek();
					let output = value;
					if (prev.value === "(" && !/[!=<:]/.test(next) || next === "<" && !/<([!=]|\w+>)/.test(remaining())) output = `\\${value}`;
					push({
						type: "text",
						value,
						output
					});
					continue;
				}
				if (opts.dot !== true && (prev.type === "slash" || prev.type === "bos")) {
					push({
						type: "qmark",
						value,
						output: QMARK_NO_DOT
					});
					continue;
				}
				push({
					type: "qmark",
					value,
					output: QMARK
				});
				continue;
			}
			/**
			* Exclamation
			*/
			if (value === "!") {
				if (opts.noextglob !== true && peek() === "(") {
					if (peek(2) !== "?" || !/[!=<:]/.test(peek(3))) {
						extglobOpen("negate", value);
						continue;
					}
				}
				if (opts.nonegate !== true && state.index === 0) {
					negate();
					continue;
				}
			}
			/**
			* Plus
			*/
			if (value === "+") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("plus", value);
					continue;
				}
				if (prev && prev.value === "(" || opts.regex === false) {
					push({
						type: "plus",
						value,
						output: PLUS_LITERAL
					});
					continue;
				}
				if (prev && (prev.type === "bracket" || prev.type === "paren" || prev.type === "brace") || state.parens > 0) {
					push({
						type: "plus",
						value
					});
					continue;
				}
				push({
					type: "plus",
					value: PLUS_LITERAL
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value === "@") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					push({
						type: "at",
						extglob: true,
						value,
						output: ""
					});
					continue;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value !== "*") {
				if (value === "$" || value === "^") value = `\\${value}`;
				const match = REGEX_NON_SPECIAL_CHARS.exec(remaining());
				if (match) {
					value += match[0];
					state.index += match[0].length;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Stars
			*/
			if (prev && (prev.type === "globstar" || prev.star === true)) {
				prev.type = "star";
				prev.star = true;
				prev.value += value;
				prev.output = star;
				state.backtrack = true;
				state.globstar = true;
				consume(value);
				continue;
			}
			let rest = remaining();
			if (opts.noextglob !== true && /^\([^?]/.test(rest)) {
				extglobOpen("star", value);
				continue;
			}
			if (prev.type === "star") {
				if (opts.noglobstar === true) {
					consume(value);
					continue;
				}
				const prior = prev.prev;
				const before = prior.prev;
				const isStart = prior.type === "slash" || prior.type === "bos";
				const afterStar = before && (before.type === "star" || before.type === "globstar");
				if (opts.bash === true && (!isStart || rest[0] && rest[0] !== "/")) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				const isBrace = state.braces > 0 && (prior.type === "comma" || prior.type === "brace");
				const isExtglob = extglobs.length && (prior.type === "pipe" || prior.type === "paren");
				if (!isStart && prior.type !== "paren" && !isBrace && !isExtglob) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				while (rest.slice(0, 3) === "/**") {
					const after = input[state.index + 4];
					if (after && after !== "/") break;
					rest = rest.slice(3);
					consume("/**", 3);
				}
				const isEnd = eos() || state.parens > 0 && rest === ")".repeat(state.parens) && !extglobs.some((extglob) => extglob.type === "negate");
				if (prior.type === "bos" && eos()) {
					prev.type = "globstar";
					prev.value += value;
					prev.output = globstar(opts);
					state.output = prev.output;
					state.globstar = true;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && !afterStar && isEnd) {
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = globstar(opts) + (opts.strictSlashes ? ")" : "|$)");
					prev.value += value;
					state.globstar = true;
					state.output += prior.output + prev.output;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && rest[0] === "/") {
					const end = rest[1] !== void 0 ? "|$" : "";
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = `${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end})`;
					prev.value += value;
					state.output += prior.output + prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				if (prior.type === "bos" && rest[0] === "/") {
					prev.type = "globstar";
					prev.value += value;
					prev.output = `(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;
					state.output = prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				state.output = state.output.slice(0, -prev.output.length);
				prev.type = "globstar";
				prev.output = globstar(opts);
				prev.value += value;
				state.output += prev.output;
				state.globstar = true;
				consume(value);
				continue;
			}
			const token = {
				type: "star",
				value,
				output: star
			};
			if (opts.bash === true) {
				token.output = ".*?";
				if (prev.type === "bos" || prev.type === "slash") token.output = nodot + token.output;
				push(token);
				continue;
			}
			if (prev && (prev.type === "bracket" || prev.type === "paren") && opts.regex === true) {
				token.output = value;
				push(token);
				continue;
			}
			if (state.index === state.start || prev.type === "slash" || prev.type === "dot") {
				if (prev.type === "dot") {
					state.output += NO_DOT_SLASH;
					prev.output += NO_DOT_SLASH;
				} else if (opts.dot === true) {
					state.output += NO_DOTS_SLASH;
					prev.output += NO_DOTS_SLASH;
				} else {
					state.output += nodot;
					prev.output += nodot;
				}
				if (peek() !== "*") {
					state.output += ONE_CHAR;
					prev.output += ONE_CHAR;
				}
			}
			push(token);
		}
		while (state.brackets > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
			state.output = utils.escapeLast(state.output, "[");
			decrement("brackets");
		}
		while (state.parens > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", ")"));
			state.output = utils.escapeLast(state.output, "(");
			decrement("parens");
		}
		while (state.braces > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "}"));
			state.output = utils.escapeLast(state.output, "{");
			decrement("braces");
		}
		if (opts.strictSlashes !== true && (prev.type === "star" || prev.type === "bracket")) push({
			type: "maybe_slash",
			value: "",
			output: `${SLASH_LITERAL}?`
		});
		if (state.backtrack === true) {
			state.output = "";
			for (const token of state.tokens) {
				state.output += token.output != null ? token.output : token.value;
				if (token.suffix) state.output += token.suffix;
			}
		}
		return state;
	};
	/**
	* Fast paths for creating regular expressions for common glob patterns.
	* This can significantly speed up processing and has very little downside
	* impact when none of the fast paths match.
	*/
	parse.fastpaths = (input, options) => {
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		const len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		input = REPLACEMENTS[input] || input;
		const { DOT_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOTS, NO_DOTS_SLASH, STAR, START_ANCHOR } = constants.globChars(opts.windows);
		const nodot = opts.dot ? NO_DOTS : NO_DOT;
		const slashDot = opts.dot ? NO_DOTS_SLASH : NO_DOT;
		const capture = opts.capture ? "" : "?:";
		const state = {
			negated: false,
			prefix: ""
		};
		let star = opts.bash === true ? ".*?" : STAR;
		if (opts.capture) star = `(${star})`;
		const globstar = (opts) => {
			if (opts.noglobstar === true) return star;
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const create = (str) => {
			switch (str) {
				case "*": return `${nodot}${ONE_CHAR}${star}`;
				case ".*": return `${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*.*": return `${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*/*": return `${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;
				case "**": return nodot + globstar(opts);
				case "**/*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;
				case "**/*.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "**/.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;
				default: {
					const match = /^(.*?)\.(\w+)$/.exec(str);
					if (!match) return;
					const source = create(match[1]);
					if (!source) return;
					return source + DOT_LITERAL + match[2];
				}
			}
		};
		let source = create(utils.removePrefix(input, state));
		if (source && opts.strictSlashes !== true) source += `${SLASH_LITERAL}?`;
		return source;
	};
	module.exports = parse;
}));
// ../../main/node_modules/picomatch/lib/picomatch.js
var require_picomatch$1 = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const scan = require_scan();
	const parse = require_parse();
	const utils = require_utils();
	const constants = require_constants();
	const isObject = (val) => val && typeof val === "object" && !Array.isArray(val);
	/**
	* Creates a matcher function from one or more glob patterns. The
	* returned function takes a string to match as its first argument,
	* and returns true if the string is a match. The returned matcher
	* function also takes a boolean as the second argument that, when true,
	* returns an object with additional information.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch(glob[, options]);
	*
	* const isMatch = picomatch('*.!(*a)');
	* console.log(isMatch('a.a')); //=> false
	* console.log(isMatch('a.b')); //=> true
	*
	* // For environments without `node.js`, `picomatch/posix` provides you a dependency-free matcher, without automatic OS detection.
	* const picomatch = require('picomatch/posix');
	* // the same API, defaulting to posix paths
	* const isMatch = picomatch('a/*');
	* console.log(isMatch('a\\b')); //=> false
	* console.log(isMatch('a/b')); //=> true
	*
	* // you can still configure the matcher function to accept windows paths
	* const isMatch = picomatch('a/*', { options: windows });
	* console.log(isMatch('a\\b')); //=> true
	* console.log(isMatch('a/b')); //=> true
	* ```
	* @name picomatch
	* @param {String|Array} `globs` One or more glob patterns.
	* @param {Object=} `options`
	* @return {Function=} Returns a matcher function.
	* @api public
	*/
	const picomatch = (glob, options, returnState = false) => {
		if (Array.isArray(glob)) {
			const fns = glob.map((input) => picomatch(input, options, returnState));
			const arrayMatcher = (str) => {
				for (const isMatch of fns) {
					const state = isMatch(str);
					if (state) return state;
				}
				return false;
			};
			return arrayMatcher;
		}
		const isState = isObject(glob) && glob.tokens && glob.input;
		if (glob === "" || typeof glob !== "string" && !isState) throw new TypeError("Expected pattern to be a non-empty string");
		const opts = options || {};
		const posix = opts.windows;
		const regex = isState ? picomatch.compileRe(glob, options) : picomatch.makeRe(glob, options, false, true);
		const state = regex.state;
		delete regex.state;
		let isIgnored = () => false;
		if (opts.ignore) {
			const ignoreOpts = {
				...options,
				ignore: null,
				onMatch: null,
				onResult: null
			};
			isIgnored = picomatch(opts.ignore, ignoreOpts, returnState);
		}
		const matcher = (input, returnObject = false) => {
			const { isMatch, match, output } = picomatch.test(input, regex, options, {
				glob,
				posix
			});
			const result = {
				glob,
				state,
				regex,
				posix,
				input,
				output,
				match,
				isMatch
			};
			if (typeof opts.onResult === "function") opts.onResult(result);
			if (isMatch === false) {
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (isIgnored(input)) {
				if (typeof opts.onIgnore === "function") opts.onIgnore(result);
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (typeof opts.onMatch === "function") opts.onMatch(result);
			return returnObject ? result : true;
		};
		if (returnState) matcher.state = state;
		return matcher;
	};
	/**
	* Test `input` with the given `regex`. This is used by the main
	* `picomatch()` function to test the input string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.test(input, regex[, options]);
	*
	* console.log(picomatch.test('foo/bar', /^(?:([^/]*?)\/([^/]*?))$/));
	* // { isMatch: true, match: [ 'foo/', 'foo', 'bar' ], output: 'foo/bar' }
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp} `regex`
	* @return {Object} Returns an object with matching info.
	* @api public
	*/
	picomatch.test = (input, regex, options, { glob, posix } = {}) => {
		if (typeof input !== "string") throw new TypeError("Expected input to be a string");
		if (input === "") return {
			isMatch: false,
			output: ""
		};
		const opts = options || {};
		const format = opts.format || (posix ? utils.toPosixSlashes : null);
		let match = input === glob;
		let output = match && format ? format(input) : input;
		if (match === false) {
			output = format ? format(input) : input;
			match = output === glob;
		}
		if (match === false || opts.capture === true) {
			if (opts.matchBase === true || opts.basename === true) match = picomatch.matchBase(input, regex, options, posix);
			else match = regex.exec(output);
		}
		return {
			isMatch: Boolean(match),
			match,
			output
		};
	};
	/**
	* Match the basename of a filepath.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.matchBase(input, glob[, options]);
	* console.log(picomatch.matchBase('foo/bar.js', '*.js'); // true
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp|String} `glob` Glob pattern or regex created by [.makeRe](#makeRe).
	* @return {Boolean}
	* @api public
	*/
	picomatch.matchBase = (input, glob, options, posix = options && options.windows) => {
		return (glob instanceof RegExp ? glob : picomatch.makeRe(glob, options)).test(utils.basename(input, { windows: posix }));
	};
	/**
	* Returns true if **any** of the given glob `patterns` match the specified `string`.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.isMatch(string, patterns[, options]);
	*
	* console.log(picomatch.isMatch('a.a', ['b.*', '*.a'])); //=> true
	* console.log(picomatch.isMatch('a.a', 'b.*')); //=> false
	* ```
	* @param {String|Array} str The string to test.
	* @param {String|Array} patterns One or more glob patterns to use for matching.
	* @param {Object} [options] See available [options](#options).
	* @return {Boolean} Returns true if any patterns match `str`
	* @api public
	*/
	picomatch.isMatch = (str, patterns, options) => picomatch(patterns, options)(str);
	/**
	* Parse a glob pattern to create the source string for a regular
	* expression.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const result = picomatch.parse(pattern[, options]);
	* ```
	* @param {String} `pattern`
	* @param {Object} `options`
	* @return {Object} Returns an object with useful properties and output to be used as a regex source string.
	* @api public
	*/
	picomatch.parse = (pattern, options) => {
		if (Array.isArray(pattern)) return pattern.map((p) => picomatch.parse(p, options));
		return parse(pattern, {
			...options,
			fastpaths: false
		});
	};
	/**
	* Scan a glob pattern to separate the pattern into segments.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.scan(input[, options]);
	*
	* const result = picomatch.scan('!./foo/*.js');
	* console.log(result);
	* { prefix: '!./',
	*   input: '!./foo/*.js',
	*   start: 3,
	*   base: 'foo',
	*   glob: '*.js',
	*   isBrace: false,
	*   isBracket: false,
	*   isGlob: true,
	*   isExtglob: false,
	*   isGlobstar: false,
	*   negated: true }
	* ```
	* @param {String} `input` Glob pattern to scan.
	* @param {Object} `options`
	* @return {Object} Returns an object with
	* @api public
	*/
	picomatch.scan = (input, options) => scan(input, options);
	/**
	* Compile a regular expression from the `state` object returned by the
	* [parse()](#parse) method.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const state = picomatch.parse('*.js');
	* // picomatch.compileRe(state[, options]);
	*
	* console.log(picomatch.compileRe(state));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {Object} `state`
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Intended for implementors, this argument allows you to return the raw output from the parser.
	* @param {Boolean} `returnState` Adds the state to a `state` property on the returned regex. Useful for implementors and debugging.
	* @return {RegExp}
	* @api public
	*/
	picomatch.compileRe = (state, options, returnOutput = false, returnState = false) => {
		if (returnOutput === true) return state.output;
		const opts = options || {};
		const prepend = opts.contains ? "" : "^";
		const append = opts.contains ? "" : "$";
		let source = `${prepend}(?:${state.output})${append}`;
		if (state && state.negated === true) source = `^(?!${source}).*$`;
		const regex = picomatch.toRegex(source, options);
		if (returnState === true) regex.state = state;
		return regex;
	};
	/**
	* Create a regular expression from a parsed glob pattern.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.makeRe(state[, options]);
	*
	* const result = picomatch.makeRe('*.js');
	* console.log(result);
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `state` The object returned from the `.parse` method.
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Implementors may use this argument to return the compiled output, instead of a regular expression. This is not exposed on the options to prevent end-users from mutating the result.
	* @param {Boolean} `returnState` Implementors may use this argument to return the state from the parsed glob with the returned regular expression.
	* @return {RegExp} Returns a regex created from the given pattern.
	* @api public
	*/
	picomatch.makeRe = (input, options = {}, returnOutput = false, returnState = false) => {
		if (!input || typeof input !== "string") throw new TypeError("Expected a non-empty string");
		let parsed = {
			negated: false,
			fastpaths: true
		};
		if (options.fastpaths !== false && (input[0] === "." || input[0] === "*")) parsed.output = parse.fastpaths(input, options);
		if (!parsed.output) parsed = parse(input, options);
		return picomatch.compileRe(parsed, options, returnOutput, returnState);
	};
	/**
	* Create a regular expression from the given regex source string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.toRegex(source[, options]);
	*
	* const { output } = picomatch.parse('*.js');
	* console.log(picomatch.toRegex(output));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `source` Regular expression source string.
	* @param {Object} `options`
	* @return {RegExp}
	* @api public
	*/
	picomatch.toRegex = (source, options) => {
		try {
			const opts = options || {};
			return new RegExp(source, opts.flags || (opts.nocase ? "i" : ""));
		} catch (err) {
			if (options && options.debug === true) throw err;
			return /$^/;
		}
	};
	/**
	* Picomatch constants.
	* @return {Object}
	*/
	picomatch.constants = constants;
	/**
	* Expose "picomatch"
	*/
	module.exports = picomatch;
}));
// ../../main/node_modules/tinyglobby/dist/index.mjs
var import_picomatch = /* @__PURE__ */ __toESM((/* @__PURE__ */ __commonJSMin(((exports, module) => {
	const pico = require_picomatch$1();
	const utils = require_utils();
	function picomatch(glob, options, returnState = false) {
		if (options && (options.windows === null || options.windows === void 0)) options = {
			...options,
			windows: utils.isWindows()
		};
		return pico(glob, options, returnState);
	}
	Object.assign(picomatch, pico);
	module.exports = picomatch;
})))(), 1);
const isReadonlyArray = Array.isArray;
const BACKSLASHES = /\\/g;
const DRIVE_RELATIVE_PATH = /^[A-Za-z]:$/;
const isWin = process.platform === "win32";
const ONLY_PARENT_DIRECTORIES = /^(\/?\.\.)+$/;
function getPartialMatcher(patterns, options = {}) {
	const patternsCount = patterns.length;
	const patternsParts = Array(patternsCount);
	const matchers = Array(patternsCount);
	let i, j;
	for (i = 0; i < patternsCount; i++) {
		const parts = splitPattern(patterns[i]);
		patternsParts[i] = parts;
		const partsCount = parts.length;
		const partMatchers = Array(partsCount);
		for (j = 0; j < partsCount; j++) partMatchers[j] = (0, import_picomatch.default)(parts[j], options);
		matchers[i] = partMatchers;
	}
	return (input) => {
		const inputParts = input.split("/");
		if (inputParts[0] === ".." && ONLY_PARENT_DIRECTORIES.test(input)) return true;
		for (i = 0; i < patternsCount; i++) {
			const patternParts = patternsParts[i];
			const matcher = matchers[i];
			const inputPatternCount = inputParts.length;
			const minParts = Math.min(inputPatternCount, patternParts.length);
			j = 0;
			while (j < minParts) {
				const part = patternParts[j];
				if (part.includes("/")) return true;
				if (!matcher[j](inputParts[j])) break;
				if (!options.noglobstar && part === "**") return true;
				j++;
			}
			if (j === inputPatternCount) return true;
		}
		return false;
	};
}
/* node:coverage ignore next 2 */
const WIN32_ROOT_DIR = /^[A-Z]:\/$/i;
const isRoot = isWin ? (p) => WIN32_ROOT_DIR.test(p) : (p) => p === "/";
function buildFormat(cwd, root, absolute) {
	if (cwd === root || root.startsWith(`${cwd}/`)) {
		if (absolute) {
			const start = cwd.length + +!isRoot(cwd);
			return (p, isDir) => p.slice(start, isDir ? -1 : void 0) || ".";
		}
		const prefix = root.slice(cwd.length + 1);
		if (prefix) return (p, isDir) => {
			if (p === ".") return prefix;
			const result = `${prefix}/${p}`;
			return isDir ? result.slice(0, -1) : result;
		};
		return (p, isDir) => isDir && p !== "." ? p.slice(0, -1) : p;
	}
	if (absolute) return (p) => posix.relative(cwd, p) || ".";
	return (p) => posix.relative(cwd, `${root}/${p}`) || ".";
}
function buildRelative(cwd, root) {
	if (root.startsWith(`${cwd}/`)) {
		const prefix = root.slice(cwd.length + 1);
		return (p) => `${prefix}/${p}`;
	}
	return (p) => {
		const result = posix.relative(cwd, `${root}/${p}`);
		return p[p.length - 1] === "/" && result !== "" ? `${result}/` : result || ".";
	};
}
function ensureNonDriveRelativePath(path) {
	return path.replace(DRIVE_RELATIVE_PATH, (match) => `${match}/`);
}
const splitPatternOptions = { parts: true };
function splitPattern(path) {
	var _result$parts;
	const result = import_picomatch.default.scan(path, splitPatternOptions);
	return ((_result$parts = result.parts) === null || _result$parts === void 0 ? void 0 : _result$parts.length) ? result.parts : [path];
}
const POSIX_UNESCAPED_GLOB_SYMBOLS = /(?<!\\)([()[\]{}*?|]|^!|[!+@](?=\()|\\(?![()[\]{}!*+?@|]))/g;
const WIN32_UNESCAPED_GLOB_SYMBOLS = /(?<!\\)([()[\]{}]|^!|[!+@](?=\())/g;
const escapePosixPath = (path) => path.replace(POSIX_UNESCAPED_GLOB_SYMBOLS, "\\$&");
const escapeWin32Path = (path) => path.replace(WIN32_UNESCAPED_GLOB_SYMBOLS, "\\$&");
/**
* Escapes a path's special characters depending on the platform.
* @see {@link https://superchupu.dev/tinyglobby/documentation#escapePath}
*/
/* node:coverage ignore next */
const escapePath = isWin ? escapeWin32Path : escapePosixPath;
/**
* Checks if a pattern has dynamic parts.
*
* Has a few minor differences with [`fast-glob`](https://github.com/mrmlnc/fast-glob) for better accuracy:
*
* - Doesn't necessarily return `false` on patterns that include `\`.
* - Returns `true` if the pattern includes parentheses, regardless of them representing one single pattern or not.
* - Returns `true` for unfinished glob extensions i.e. `(h`, `+(h`.
* - Returns `true` for unfinished brace expansions as long as they include `,` or `..`.
*
* @see {@link https://superchupu.dev/tinyglobby/documentation#isDynamicPattern}
*/
function isDynamicPattern(pattern, options) {
	if ((options === null || options === void 0 ? void 0 : options.caseSensitiveMatch) === false) return true;
	const scan = import_picomatch.default.scan(pattern);
	return scan.isGlob || scan.negated;
}
function log(...tasks) {
	console.log(`[tinyglobby ${(/* @__PURE__ */ new Date()).toLocaleTimeString("es")}]`, ...tasks);
}
function ensureStringArray(value) {
	return typeof value === "string" ? [value] : value !== null && value !== void 0 ? value : [];
}
const PARENT_DIRECTORY = /^(\/?\.\.)+/;
const ESCAPING_BACKSLASHES = /\\(?=[()[\]{}!*+?@|])/g;
function normalizePattern(pattern, opts, props, isIgnore) {
	var _PARENT_DIRECTORY$exe;
	const cwd = opts.cwd;
	let result = pattern;
	if (pattern[pattern.length - 1] === "/") result = pattern.slice(0, -1);
	if (result[result.length - 1] !== "*" && opts.expandDirectories) result += "/**";
	const escapedCwd = escapePath(cwd);
	result = isAbsolute(result.replace(ESCAPING_BACKSLASHES, "")) ? posix.relative(escapedCwd, result) : posix.normalize(result);
	const parentDir = (_PARENT_DIRECTORY$exe = PARENT_DIRECTORY.exec(result)) === null || _PARENT_DIRECTORY$exe === void 0 ? void 0 : _PARENT_DIRECTORY$exe[0];
	const parts = splitPattern(result);
	if (parentDir) {
		const n = (parentDir.length + 1) / 3;
		let i = 0;
		const cwdParts = escapedCwd.split("/");
		while (i < n && parts[i + n] === cwdParts[cwdParts.length + i - n]) {
			result = result.slice(0, (n - i - 1) * 3) + result.slice((n - i) * 3 + parts[i + n].length + 1) || ".";
			i++;
		}
		const potentialRoot = posix.join(cwd, parentDir.slice(i * 3));
		if (potentialRoot[0] !== "." && props.root.length > potentialRoot.length) {
			props.root = ensureNonDriveRelativePath(potentialRoot);
			props.depthOffset = -n + i;
		}
	}
	if (!isIgnore && props.depthOffset >= 0) {
		var _props$commonPath;
		(_props$commonPath = props.commonPath) !== null && _props$commonPath !== void 0 || (props.commonPath = parts);
		const newCommonPath = [];
		const length = Math.min(props.commonPath.length, parts.length);
		for (let i = 0; i < length; i++) {
			const part = parts[i];
			if (part === "**" && !parts[i + 1]) {
				newCommonPath.pop();
				break;
			}
			if (i === parts.length - 1 || part !== props.commonPath[i] || isDynamicPattern(part)) break;
			newCommonPath.push(part);
		}
		props.depthOffset = newCommonPath.length;
		props.commonPath = newCommonPath;
		props.root = ensureNonDriveRelativePath(newCommonPath.length > 0 ? posix.join(cwd, ...newCommonPath) : cwd);
	}
	return result;
}
function processPatterns(options, patterns, props) {
	const matchPatterns = [];
	const ignorePatterns = [];
	for (const pattern of options.ignore) {
		if (!pattern) continue;
		if (pattern[0] !== "!" || pattern[1] === "(") ignorePatterns.push(normalizePattern(pattern, options, props, true));
	}
	for (const pattern of patterns) {
		if (!pattern) continue;
		if (pattern[0] !== "!" || pattern[1] === "(") matchPatterns.push(normalizePattern(pattern, options, props, false));
		else if (pattern[1] !== "!" || pattern[2] === "(") ignorePatterns.push(normalizePattern(pattern.slice(1), options, props, true));
	}
	return {
		match: matchPatterns,
		ignore: ignorePatterns
	};
}
function buildCrawler(options, patterns) {
	const cwd = options.cwd;
	const props = {
		root: cwd,
		depthOffset: 0
	};
	const processed = processPatterns(options, patterns, props);
	if (options.debug) log("internal processing patterns:", processed);
	const { absolute, caseSensitiveMatch, debug, dot, followSymbolicLinks, onlyDirectories } = options;
	const root = props.root.replace(BACKSLASHES, "");
	const matchOptions = {
		dot,
		nobrace: options.braceExpansion === false,
		nocase: !caseSensitiveMatch,
		noextglob: options.extglob === false,
		noglobstar: options.globstar === false,
		posix: true
	};
	const matcher = (0, import_picomatch.default)(processed.match, matchOptions);
	const ignore = (0, import_picomatch.default)(processed.ignore, matchOptions);
	const partialMatcher = getPartialMatcher(processed.match, matchOptions);
	const format = buildFormat(cwd, root, absolute);
	const excludeFormatter = absolute ? format : buildFormat(cwd, root, true);
	const excludePredicate = (_, p) => {
		const relativePath = excludeFormatter(p, true);
		return relativePath !== "." && !partialMatcher(relativePath) || ignore(relativePath);
	};
	let maxDepth;
	if (options.deep !== void 0) maxDepth = Math.round(options.deep - props.depthOffset);
	const crawler = new Builder({
		filters: [debug ? (p, isDirectory) => {
			const path = format(p, isDirectory);
			const matches = matcher(path) && !ignore(path);
			if (matches) log(`matched ${path}`);
			return matches;
		} : (p, isDirectory) => {
			const path = format(p, isDirectory);
			return matcher(path) && !ignore(path);
		}],
		exclude: debug ? (_, p) => {
			const skipped = excludePredicate(_, p);
			log(`${skipped ? "skipped" : "crawling"} ${p}`);
			return skipped;
		} : excludePredicate,
		fs: options.fs,
		pathSeparator: "/",
		relativePaths: !absolute,
		resolvePaths: absolute,
		includeBasePath: absolute,
		resolveSymlinks: followSymbolicLinks,
		excludeSymlinks: !followSymbolicLinks,
		excludeFiles: onlyDirectories,
		includeDirs: onlyDirectories || !options.onlyFiles,
		maxDepth,
		signal: options.signal
	}).crawl(root);
	if (options.debug) log("internal properties:", {
		...props,
		root
	});
	return [crawler, cwd !== root && !absolute && buildRelative(cwd, root)];
}
function formatPaths(paths, mapper) {
	if (mapper) for (let i = paths.length - 1; i >= 0; i--) paths[i] = mapper(paths[i]);
	return paths;
}
const defaultOptions = {
	caseSensitiveMatch: true,
	debug: !!process.env.TINYGLOBBY_DEBUG,
	expandDirectories: true,
	followSymbolicLinks: true,
	onlyFiles: true
};
function getOptions(options) {
	const opts = Object.assign({}, options);
	for (const key in defaultOptions) if (opts[key] === void 0) Object.assign(opts, { [key]: defaultOptions[key] });
	opts.cwd = (opts.cwd instanceof URL ? fileURLToPath$1(opts.cwd) : resolve(opts.cwd || process.cwd())).replace(BACKSLASHES, "/");
	opts.ignore = ensureStringArray(opts.ignore);
	opts.fs && (opts.fs = {
		readdir: opts.fs.readdir || readdir,
		readdirSync: opts.fs.readdirSync || readdirSync$1,
		realpath: opts.fs.realpath || realpath,
		realpathSync: opts.fs.realpathSync || realpathSync$1,
		stat: opts.fs.stat || stat,
		statSync: opts.fs.statSync || statSync$1
	});
	if (opts.debug) log("globbing with options:", opts);
	return opts;
}
function getCrawler(globInput, inputOptions = {}) {
	var _ref;
	if (globInput && (inputOptions === null || inputOptions === void 0 ? void 0 : inputOptions.patterns)) throw new Error("Cannot pass patterns as both an argument and an option");
	const isModern = isReadonlyArray(globInput) || typeof globInput === "string";
	const patterns = ensureStringArray((_ref = isModern ? globInput : globInput.patterns) !== null && _ref !== void 0 ? _ref : "**/*");
	const options = getOptions(isModern ? inputOptions : globInput);
	return patterns.length > 0 ? buildCrawler(options, patterns) : [];
}
function globSync(globInput, options) {
	const [crawler, relative] = getCrawler(globInput, options);
	return crawler ? formatPaths(crawler.sync(), relative) : [];
}
// src/adapters/agents/gemini-minute.ts
const MINUTE_MS$2 = 6e4;
/** Milliseconds between two looks at the clock. */
const LOOK_MS = 500;
/**
* Waits until a session can be loaded: not at all, or for less than a minute.
*
* @param env of the agent; where its files are not found the session is taken to be fresh
* @throws the signal's reason
*/
async function untilLoadable(session, env, { ticker, signal }) {
	const began = minute();
	if (!openedIn(began, session, env)) return;
	while (minute() === began && !signal.aborted) await ticker.delay(LOOK_MS).over;
	signal.throwIfAborted();
}
function openedIn(began, session, env) {
	const home = path.join(env["GEMINI_CLI_HOME"] ?? env["HOME"] ?? "", ".gemini", "tmp");
	const find = (name) => globSync(`*/chats/${name}`, {
		cwd: home,
		followSymbolicLinks: false
	});
	const stamp = (/* @__PURE__ */ new Date(began * MINUTE_MS$2)).toISOString().slice(0, 16).replace(":", "-");
	const files = find(`session-*-${session.slice(0, 8)}.json*`);
	if (files.length > 0) return files.some((file) => path.basename(file).startsWith(`session-${stamp}-`));
	return find(`session-${stamp}-*.json*`).length === 0;
}
function minute() {
	return Math.floor(Date.now() / MINUTE_MS$2);
}
// src/adapters/agents/prompt-blocks.ts
/** The blocks of a prompt. @param agent name by which the program called itself */
function promptBlocks(text, agent) {
	const prompt = {
		type: "text",
		text
	};
	return typeof agent === "string" && /claude/i.test(agent) ? [prompt, {
		type: "text",
		text: "\n"
	}] : [prompt];
}
/** A connection's two halves, in the shape that the ACP SDK takes. */
function stdioStream(stdin, stdout, options) {
	const messages = readMessages(stdout, options);
	return {
		readable: new ReadableStream({
			async pull(controller) {
				try {
					const { value, done } = await messages.next();
					if (done) controller.close();
					else controller.enqueue(value);
				} catch (error) {
					options.onBroken(error);
					controller.error(error);
				}
			},
			cancel() {
				stdout.destroy();
			}
		}, { highWaterMark: 0 }),
		writable: new WritableStream({ write: (message) => new Promise((resolve, reject) => {
			stdin.write(`${JSON.stringify(message)}\n`, (error) => error ? reject(error) : resolve());
		}) })
	};
}
async function* readMessages(stdout, options) {
	for await (const line of readLines(stdout, options.maxMessageBytes ?? 16777216)) {
		if (line.trim() === "") continue;
		const { messages, rubbish } = read$1(line);
		if (rubbish) options.onRubbish(line);
		for (const message of messages) {
			const { method } = message;
			if (!(typeof method === "string" && !("id" in message) && options.onNotification(method, message["params"]))) yield message;
		}
	}
}
/**
* Complete lines of a stream, as text.
*
* @param rest what follows the last line break is a line too
* @throws MessageTooLong
*/
async function* readLines(stdout, maxBytes, { rest = false } = {}) {
	let parts = [];
	let length = 0;
	for await (const chunk of stdout) {
		let from = 0;
		for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
			parts.push(chunk.subarray(from, at));
			yield Buffer.concat(parts).toString("utf8");
			parts = [];
			length = 0;
			from = at + 1;
		}
		if (from === chunk.length) continue;
		parts.push(chunk.subarray(from));
		length += chunk.length - from;
		if (length > maxBytes) throw new MessageTooLong(maxBytes);
	}
	if (rest && length > 0) yield Buffer.concat(parts).toString("utf8");
}
/** The agent sent a line, or a document, that no message may be. */
var MessageTooLong = class extends Error {
	name = "MessageTooLong";
	constructor(maxBytes, what = "a line") {
		super(`the agent wrote ${what} of more than ${Math.round(maxBytes / (1 << 20))} MB to its standard output`);
	}
};
function read$1(line) {
	try {
		const parsed = JSON.parse(line);
		const all = Array.isArray(parsed) ? parsed : [parsed];
		const messages = all.filter(isMessage);
		return {
			messages,
			rubbish: messages.length === 0 || messages.length < all.length
		};
	} catch (error) {
		if (error instanceof SyntaxError) return {
			messages: [],
			rubbish: true
		};
		throw error;
	}
}
function isMessage(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value) && value["jsonrpc"] === "2.0";
}
// src/adapters/agents/acp-client.ts
const AUTH_REQUIRED$1 = -32e3;
/** Of what an agent says of itself, so much stands in an error: it goes into the history of its run. */
const SHOWN_CHARS = 200;
/** Longest id of a session; every record of a turn has it. */
const SESSION_CHARS = 1e3;
/** Codex then says in a field what went wrong; without it a failed model call looks like an answer. The name is the extension's. */
const TYPED_FAILURES = { jetbrains: { air: {
	version: 1,
	capabilities: ["sessionFailure"]
} } };
var AcpAgent = class AcpAgent {
	process;
	options;
	sessionId = "";
	/** Set for the duration of each turn: a kept process serves several. */
	listener;
	capabilities;
	name;
	prompting = false;
	cancelled = new AbortController();
	broken;
	connection;
	constructor(process, options) {
		this.process = process;
		this.options = options;
		this.listener = options.listener;
		const { child } = process;
		if (child.stdin === null || child.stdout === null || child.stderr === null) throw new Error("an agent needs all three streams");
		child.stdin.on("error", (error) => this.note(`stdin: ${error.message}\n`));
		child.stdout.on("error", (error) => this.broken ??= error);
		child.stderr.setEncoding("utf8").on("data", (text) => this.note(text));
		const stream = stdioStream(child.stdin, child.stdout, {
			...options.maxMessageBytes !== void 0 && { maxMessageBytes: options.maxMessageBytes },
			onRubbish: (line) => this.note(`[stdout, not a message] ${line.slice(0, 500)}\n`),
			onNotification: (method, params) => this.notified(method, params),
			onBroken: (error) => this.broken ??= error
		});
		this.connection = client({ name: "ratchet" }).onRequest(methods.client.session.requestPermission, ({ params }) => this.permission(params)).connect(stream);
		process.exited.then(() => this.closeAfterExit());
	}
	/**
	* Starts the program and initializes the connection.
	*
	* @throws CommandNotFound, NotAcp, AgentGone, AgentRefused; the signal's reason
	*/
	static async start(options) {
		options.signal.throwIfAborted();
		const { argv, cwd, env, markers, spawn } = options;
		const process = await spawn({
			argv,
			cwd,
			env,
			markers,
			stdin: "pipe",
			stdout: "pipe"
		});
		options.onProcess(process.identity);
		const agent = new AcpAgent(process, options);
		try {
			await agent.initialize();
		} catch (error) {
			await agent.kill();
			throw error;
		}
		return agent;
	}
	get identity() {
		return this.process.identity;
	}
	/** Settles when the process has exited. */
	get exited() {
		return this.process.exited;
	}
	/** The step marker its processes carry: that of the turn it was started for. */
	get step() {
		return this.options.markers.step;
	}
	/** Opens a new session in the agent's directory and chooses mode and model. */
	async newSession(choice) {
		const answer = await this.starting("session/new", this.call(methods.agent.session.new, {
			cwd: this.options.cwd,
			mcpServers: []
		}));
		const id = at(answer, "sessionId");
		if (typeof id !== "string" || id === "") throw new NotAcp("the agent answered session/new without a session id");
		if (id.length > SESSION_CHARS) throw new NotAcp(`the agent answered session/new with a session id of ${id.length} characters, ${SESSION_CHARS} at most can be kept`);
		this.sessionId = id;
		await this.choose(choice, answer);
		return id;
	}
	/**
	* Goes on with a session of an earlier process, by `session/resume`, else `session/load`.
	*
	* @returns false where the agent cannot, or does not know the session
	*/
	async resumeSession(id, choice) {
		const params = {
			sessionId: id,
			cwd: this.options.cwd,
			mcpServers: []
		};
		const ways = [...at(this.capabilities, "sessionCapabilities", "resume") ? [methods.agent.session.resume] : [], ...at(this.capabilities, "loadSession") === true ? [methods.agent.session.load] : []];
		if (this.name === "gemini-cli") await untilLoadable(id, this.options.env, this.options);
		for (const way of ways) try {
			const answer = await this.starting(way, this.call(way, params));
			await setTimeout$1(this.options.timing.replayQuietMs);
			this.sessionId = id;
			await this.choose(choice, answer, true);
			return true;
		} catch (error) {
			if (!(error instanceof AgentRefused) || error.error.code === AUTH_REQUIRED$1) throw error;
			this.note(`[ratchet] ${way}: ${error.message}\n`);
		}
		return false;
	}
	/** Sends a prompt and waits for its end. One at a time: agents differ on more. Throws AgentRefused, AgentGone. */
	async prompt(text) {
		if (this.prompting) throw new Error("a prompt is running in this session");
		this.prompting = true;
		this.cancelled = new AbortController();
		try {
			const answer = await this.call(methods.agent.session.prompt, {
				sessionId: this.sessionId,
				prompt: promptBlocks(text, this.name)
			});
			const failure = failureIn(answer);
			if (failure !== void 0) throw new AgentRefused(failure);
			return answer;
		} finally {
			this.prompting = false;
		}
	}
	/** Asks the agent to stop. Every permission it waits for, or asks for from now on, is answered `cancelled`, else some never stop. */
	cancel() {
		this.cancelled.abort();
		this.connection.agent.notify(methods.agent.session.cancel, { sessionId: this.sessionId }).catch(() => void 0);
	}
	/** Lets the agent end by itself, and ends it where it does not. */
	async close() {
		const { closeMs } = this.options.timing;
		this.listener = void 0;
		if (at(this.capabilities, "sessionCapabilities", "close") && this.sessionId !== "") {
			const closing = this.call(methods.agent.session.close, { sessionId: this.sessionId });
			await Promise.race([closing.catch(() => void 0), setTimeout$1(closeMs, void 0, { ref: false })]);
		}
		this.process.child.stdin?.end();
		await Promise.race([this.process.exited, setTimeout$1(closeMs, void 0, { ref: false })]);
		await this.kill();
	}
	/** Ends the agent's process group: TERM, grace, KILL. */
	async kill() {
		await endGroup(this.identity, { graceMs: this.options.timing.endGraceMs });
		this.process.child.stdout?.destroy();
		this.process.child.stderr?.destroy();
		this.connection.close();
	}
	async initialize() {
		const answer = await this.starting("initialize", this.call(methods.agent.initialize, {
			protocolVersion: 1,
			clientInfo: {
				name: "ratchet",
				version: "1"
			},
			clientCapabilities: {
				fs: {
					readTextFile: false,
					writeTextFile: false
				},
				terminal: false,
				_meta: TYPED_FAILURES
			}
		}));
		if (at(answer, "protocolVersion") !== 1) throw new NotAcp(`the agent speaks version ${String(JSON.stringify(at(answer, "protocolVersion"))).slice(0, SHOWN_CHARS)} of the Agent Client Protocol, needed is 1`);
		this.capabilities = at(answer, "agentCapabilities");
		this.name = at(answer, "agentInfo", "name");
	}
	async choose({ mode, model }, session, resumed = false) {
		if (mode !== void 0) {
			const configId = at(session, "modes") ? void 0 : optionOf(session, "mode");
			await this.chosen("mode", mode, session, configId === void 0 ? this.call(methods.agent.session.setMode, {
				sessionId: this.sessionId,
				modeId: mode
			}) : this.call(methods.agent.session.setConfigOption, {
				sessionId: this.sessionId,
				configId,
				value: mode
			}));
		}
		if (model !== void 0) await this.chooseModel(model, session, resumed);
	}
	async chooseModel(model, session, resumed) {
		const { sessionId } = this;
		const byOption = (configId) => this.call(methods.agent.session.setConfigOption, {
			sessionId,
			configId,
			value: model
		});
		const byMethod = () => this.call("session/set_model", {
			sessionId,
			modelId: model
		});
		const configId = optionOf(session, "model");
		const isListed = configId !== void 0 || at(session, "models");
		if (!isListed && resumed) return void await this.starting("the model", byOption("model").catch((error) => error instanceof AgentRefused ? byMethod() : Promise.reject(error)));
		if (!isListed) throw new NotAcp("the agent lets nobody choose its model over the protocol: remove \"model\" from its definition and name it in \"args\" or \"env\"");
		await this.chosen("model", model, session, configId === void 0 ? byMethod() : byOption(configId));
	}
	async chosen(what, name, session, answer) {
		try {
			await this.starting(`the ${what}`, answer);
		} catch (error) {
			if (!(error instanceof AgentRefused) || error.error.code === AUTH_REQUIRED$1) throw error;
			const offers = offered(session, what);
			throw new NotAcp(`the agent does not take the ${what} ${JSON.stringify(name)} (${error.message.slice(0, SHOWN_CHARS)})${offers.length === 0 ? "" : `; it offers ${offers.join(", ")}`}`);
		}
	}
	async starting(what, answer) {
		const { ticker, signal, timing } = this.options;
		const limit = ticker.delay(timing.startMs);
		const aborted = once(signal, "abort");
		aborted.catch(() => void 0);
		try {
			const late = limit.over.then(() => Promise.reject(new NotAcp(`the agent did not answer ${what} within ${timing.startMs / 1e3} s; does it speak the Agent Client Protocol on its standard input?`)));
			const ended = signal.aborted ? Promise.reject(signal.reason) : aborted.then(() => Promise.reject(signal.reason));
			return await Promise.race([
				answer,
				late,
				ended
			]);
		} finally {
			limit.cancel();
		}
	}
	async call(method, params) {
		try {
			return await this.connection.agent.request(method, params);
		} catch (error) {
			const { code, message, data } = error;
			if (typeof code === "number") throw new AgentRefused({
				code,
				message: message ?? "",
				data
			});
			throw this.broken ?? await this.gone();
		}
	}
	async gone() {
		const exit = await Promise.race([this.process.exited, setTimeout$1(2e3, void 0, { ref: false })]);
		await drained(this.process.child.stderr);
		return new AgentGone(exit);
	}
	async closeAfterExit() {
		await drained(this.process.child.stdout);
		this.connection.close();
	}
	notified(method, params) {
		if (method !== methods.client.session.update) return false;
		if (this.prompting && at(params, "sessionId") === this.sessionId) this.listener?.onUpdate(at(params, "update"));
		return true;
	}
	async permission(request) {
		const { signal } = this.cancelled;
		if (!this.prompting || signal.aborted || this.listener === void 0) return { outcome: { outcome: "cancelled" } };
		const { toolCallId, title, kind, rawInput } = request.toolCall;
		const cancelled = new Promise((resolve) => signal.addEventListener("abort", () => resolve(void 0), { once: true }));
		const verdict = await Promise.race([cancelled, this.listener.onPermission({
			id: toolCallId,
			title: title ?? toolCallId,
			kind: kind ?? "other",
			input: rawInput
		})]);
		if (verdict === void 0) return { outcome: { outcome: "cancelled" } };
		const want = verdict === "allow" ? "allow" : "reject";
		const option = request.options.find((o) => o.kind === `${want}_once`) ?? request.options.find((o) => o.kind === `${want}_always`);
		return option === void 0 ? { outcome: { outcome: "cancelled" } } : { outcome: {
			outcome: "selected",
			optionId: option.optionId
		} };
	}
	note(text) {
		this.listener?.onStderr(text);
	}
};
async function drained(pipe) {
	if (pipe !== null && !pipe.readableEnded && !pipe.destroyed) await Promise.race([once(pipe, "close").catch(() => void 0), setTimeout$1(500, void 0, { ref: false })]);
}
[
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.untrackedCache=false",
	"core.splitIndex=false",
	"core.safecrlf=false",
	"core.quotePath=false",
	"core.trustctime=true",
	"core.checkStat=default",
	"gc.auto=0",
	"maintenance.auto=false",
	"commit.gpgSign=false",
	"tag.gpgSign=false",
	"advice.detachedHead=false",
	"fetch.writeCommitGraph=false",
	"fetch.recurseSubmodules=false",
	"submodule.recurse=false",
	"i18n.commitEncoding=UTF-8"
].flatMap((setting) => ["-c", setting]);
/** Variables of the caller that say where git and its configuration are, not what it works on. */
const KEPT = /* @__PURE__ */ new Set([
	"GIT_EXEC_PATH",
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_NOSYSTEM"
]);
new AsyncLocalStorage();
/** An environment without what points git somewhere: GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE and the like. */
function cleanEnv(env) {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.has(name)));
}
// src/adapters/workspace/environment.ts
/** Set by npm for the scripts of one package; wrong for any other directory. */
const OF_ONE_PACKAGE = /^(npm_config_local_prefix|npm_lifecycle_.*|npm_package_.*|npm_command|INIT_CWD|PWD|OLDPWD)$/;
/** Variables that hold one directory. */
const DIRECTORIES = [
	"VIRTUAL_ENV",
	"CONDA_PREFIX",
	"NODE_PATH",
	"PYTHONPATH"
];
/**
* Returns `env` for commands in a workspace.
*
* Directories below `from` in PATH and the like become their counterparts below `to`; those without one
* are left out.
*
* @param from top of the user's repository
* @param to root of the workspace
*/
function workspaceEnv(env, { from, to }) {
	const result = Object.fromEntries(Object.entries(cleanEnv(env)).filter(([name]) => !OF_ONE_PACKAGE.test(name)));
	for (const name of ["PATH", ...DIRECTORIES]) {
		const value = result[name];
		if (value === void 0) continue;
		const dirs = value.split(path.delimiter).flatMap((dir) => moved(dir, from, to));
		if (dirs.length > 0) result[name] = dirs.join(path.delimiter);
		else delete result[name];
	}
	return result;
}
/** `workspaceEnv` for a prepared workspace; in place there is nothing to move. */
function envOf(workspace, env) {
	return workspaceEnv(env, {
		from: path.resolve(workspace.project, path.relative(workspace.cwd, workspace.root)),
		to: workspace.root
	});
}
function moved(dir, from, to) {
	if (!path.isAbsolute(dir)) return [dir];
	const inside = isInside(dir, from) ? path.relative(from, dir) : throughLink(dir, from);
	if (inside === void 0) return [dir];
	const counterpart = path.join(to, inside);
	return existsSync(counterpart) ? [counterpart] : [];
}
function throughLink(dir, from) {
	const top = existsSync(from) ? realpathSync(from) : from;
	for (let above = dir; above !== path.dirname(above); above = path.dirname(above)) if (existsSync(above) && realpathSync(above) === top) return path.relative(above, dir);
}
/** Whether a path is a directory or below it. Both absolute. */
function isInside(file, dir) {
	const relative = path.relative(dir, file);
	return relative === "" || !relative.startsWith(`..${path.sep}`) && relative !== ".." && !path.isAbsolute(relative);
}
// src/core/agent-limit.ts
/** Waits from now: seconds where the name has no unit. */
const WAITS = /* @__PURE__ */ new Set([
	"retryafter",
	"retryafterms",
	"retryaftermillis",
	"retryafterseconds",
	"retrydelay",
	"retrydelayms",
	"resetsin",
	"resetsinseconds",
	"resetinseconds",
	"resetafter",
	"resetafterseconds"
]);
/** Points in time; a small number is a wait. */
const RESETS = /^(?:resets?at|resets?|resettime|.*ratelimit.*reset.*|quotareset(?:at|time|timestamp|delay))$/;
/** How deep and how far into an answer is looked: the shapes that were seen are flat and small. */
const DEPTH = 6;
const VALUES = 400;
/** Below it a number is a wait in seconds, and from `EPOCH_MS` on milliseconds since 1970; between them seconds since then. */
const EPOCH_S = 1e9;
const EPOCH_MS = 1e11;
/**
* The reset time that an error or another answer names, in epoch milliseconds; `undefined` where it names none.
*
* A wait that is meant for this request (`retry-after`) counts before the reset of a window; of several
* windows the first to come counts, as nobody says which one is used up.
*/
function resetIn(raw, now) {
	const found = {
		waits: [],
		resets: [],
		left: VALUES
	};
	look(raw, now, DEPTH, found);
	return soonest(found.waits, now) ?? soonest(found.resets, now);
}
/**
* What an update says, or `undefined` where it is not about a limit. Claude tells it with each change:
* `rejected` is a refusal, unless it goes on at extra cost.
*/
function limitNotice(update, now) {
	const info = [
		at(update, "_meta", "_claude/rateLimit"),
		at(update, "rate_limit_info"),
		at(update, "_meta", "rate_limit_info"),
		at(update, "_meta", "rateLimit")
	].find((one) => typeof at(one, "status") === "string");
	if (info === void 0) return void 0;
	const goesOn = at(info, "isUsingOverage") === true || ["allowed", "allowed_warning"].includes(String(at(info, "overageStatus")));
	const limited = at(info, "status") === "rejected" && !goesOn;
	const resetsAt = limited ? resetIn(info, now) : void 0;
	return {
		limited,
		...resetsAt === void 0 ? {} : { resetsAt }
	};
}
function look(raw, now, depth, found) {
	if (depth === 0 || found.left <= 0) return;
	if (typeof raw === "string") return look(asJson(raw), now, depth - 1, found);
	if (typeof raw !== "object" || raw === null) return;
	const fields = Array.isArray(raw) ? raw.map((one) => isPair(one) ? one : ["", one]) : Object.entries(raw);
	for (const [name, value] of fields) {
		if (found.left-- <= 0) return;
		const key = name.toLowerCase().replaceAll(/[-_]/g, "");
		const isWait = WAITS.has(key);
		const when = isWait || RESETS.test(key) ? moment(value, now, isWait && /ms$|millis$/.test(key) ? 1 : 1e3) : void 0;
		if (when !== void 0) (isWait ? found.waits : found.resets).push(when);
		else look(value, now, depth - 1, found);
	}
}
function isPair(one) {
	return Array.isArray(one) && one.length === 2 && typeof one[0] === "string";
}
function asJson(text) {
	if (!/^\s*[{[]/.test(text) || text.length > 2e4) return void 0;
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function soonest(times, now) {
	const ahead = times.filter((time) => time > now);
	return ahead.length > 0 ? Math.min(...ahead) : times.length > 0 ? Math.max(...times) : void 0;
}
/** A point in time, however it is written; `unitMs` is that of a small number. */
function moment(value, now, unitMs) {
	if (typeof value === "number") return numbered(value, now, unitMs);
	if (Array.isArray(value) && value.length === 1) return moment(value[0], now, unitMs);
	if (typeof value === "object" && value !== null && at(value, "seconds") !== void 0) return moment(Number(at(value, "seconds")) + Number(at(value, "nanos") ?? 0) / 1e9, now, 1e3);
	if (typeof value !== "string") return void 0;
	const text = value.trim();
	if (/^\d+(?:\.\d+)?$/.test(text)) return numbered(Number(text), now, unitMs);
	const wait = duration(text);
	if (wait !== void 0) return now + wait;
	const time = /^\d{4}-\d\d-\d\dT|^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time) ? void 0 : time;
}
function numbered(value, now, unitMs) {
	if (!Number.isFinite(value) || value < 0) return void 0;
	if (value >= EPOCH_MS) return value;
	return value >= EPOCH_S ? value * 1e3 : now + value * unitMs;
}
const UNITS$1 = {
	ms: 1,
	s: 1e3,
	m: 6e4,
	h: 36e5,
	d: 864e5
};
/** "12s", "1.5s", "6m0s", "120ms" in milliseconds. */
function duration(text) {
	if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return void 0;
	return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS$1[unit ?? ""] ?? 0), 0);
}
// src/core/rate-limit.ts
/** Waited beyond a reset time, in milliseconds. */
const RESET_MARGIN_MS = 5e3;
const MINUTE_MS$1 = 6e4;
/** Waits where nobody names a reset time, by limits in a row, in minutes; the last one repeats. */
const BACKOFF_MINUTES = [
	1,
	2,
	5,
	10,
	20,
	30
];
/**
* When a limited agent may be tried again, in epoch milliseconds.
*
* @param resetsAt as the provider names it, epoch milliseconds
* @param nth of the limits in a row, from 1
*/
function limitedUntil({ resetsAt, now, nth }) {
	if (resetsAt !== void 0 && resetsAt > now && resetsAt - now <= 6912e5) return resetsAt + RESET_MARGIN_MS;
	if (resetsAt !== void 0 && resetsAt <= now && nth === 1) return now + RESET_MARGIN_MS;
	return now + (BACKOFF_MINUTES[Math.min(nth, BACKOFF_MINUTES.length) - 1] ?? 1) * MINUTE_MS$1;
}
// src/adapters/agents/side-writes.ts
var SideWrites = class {
	/** One sentence, while the last try failed. */
	trouble;
	/** Does it, and returns what it gave; `undefined` where the file system refused it. Any other error is thrown. */
	try(write) {
		try {
			const result = write();
			this.trouble = void 0;
			return result;
		} catch (error) {
			if (!isFromSystem(error)) throw error;
			this.trouble = `its record cannot be written (${error.code})`;
			return;
		}
	}
};
function isFromSystem(error) {
	return error instanceof Error && typeof error.code === "string" && ("syscall" in error || error.code?.startsWith("ERR_FS") === true);
}
// src/adapters/agents/agent-limits.ts
/** `nth`: of the limits in a row. Times are epoch milliseconds. */
const Row = object({
	agent: string(),
	until: number(),
	nth: number().int().min(1)
});
/** A limit that is over for so long says nothing of the next one. */
const FORGOTTEN_MS = 864e5;
/**
* Where the limit of an agent is kept: the same for every run of this host that has it by this definition
* with this account.
*
* @param definition as the config has it; what it may do in a session, and its sandbox, are no part of it
* @param env of the worker: a key or a folder of another account that the agent gets from there has a limit of its own
*/
function limitFile(dirs, definition, project, env) {
	const { protocol, passEnv, mayPassEnv = [] } = definition;
	const given = [...passEnv, ...mayPassEnv].map((name) => [name, env[name]]);
	const program = definition.protocol === "playbook" ? path.resolve(project, definition.file) : [definition.command, ...definition.args];
	const model = definition.protocol === "acp" ? definition.model : void 0;
	return layout.limit(dirs, digest(JSON.stringify({
		protocol,
		program,
		model,
		env: definition.env,
		given
	})).slice(0, 24));
}
/** The limit of an agent as one turn meets it. Times are epoch milliseconds. */
var TurnLimit = class {
	file;
	agent;
	now;
	side;
	/** What the agent last said of it in this prompt. */
	notice;
	constructor(file, agent, now, side = new SideWrites()) {
		this.file = file;
		this.agent = agent;
		this.now = now;
		this.side = side;
	}
	/** Until when it is in force, whichever turn has met it. */
	inForce() {
		const now = this.now();
		const row = read(this.file, now);
		return row !== void 0 && now < row.until ? row.until : void 0;
	}
	/** A prompt is sent. */
	begin() {
		this.notice = void 0;
	}
	/** Takes an update of the agent, which may be about its limit. */
	heard(update) {
		this.notice = limitNotice(update, this.now()) ?? this.notice;
	}
	/** Whether the agent has said that it is limited, and not that it is served again. */
	get standing() {
		return this.notice?.limited === true;
	}
	/**
	* Notes for everybody that the agent is limited, and returns until when. Turns side by side that hit the
	* same limit count as one.
	*
	* @param error the agent's answer, which may name a reset time
	*/
	hit(error) {
		const now = this.now();
		const resetsAt = resetIn(error, now) ?? this.notice?.resetsAt;
		const row = read(this.file, now);
		const same = row !== void 0 && now < row.until;
		const nth = row === void 0 ? 1 : same ? row.nth : row.nth + 1;
		const waited = limitedUntil({
			resetsAt,
			now,
			nth
		});
		const until = same && resetsAt === void 0 ? Math.max(row.until, waited) : waited;
		this.side.try(() => {
			mkdirSync(path.dirname(this.file), {
				recursive: true,
				mode: 448
			});
			replaceFileSync(this.file, JSON.stringify({
				agent: this.agent,
				until,
				nth
			}), { mode: 384 });
		});
		return until;
	}
	/** The agent has completed a turn: its next limit is the first of its row. One in force stays, as the turn had begun before it. */
	clear() {
		if (this.inForce() === void 0) this.side.try(() => rmSync(this.file, { force: true }));
	}
};
function read(file, now) {
	let raw;
	try {
		raw = JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		if (error instanceof SyntaxError || typeof error.code === "string") return void 0;
		throw error;
	}
	const { data } = Row.safeParse(raw);
	return data !== void 0 && data.until - now <= 691205e3 && now - data.until <= FORGOTTEN_MS ? data : void 0;
}
// src/adapters/agents/attendance.ts
var Attendance = class {
	adoptMs;
	/** Set once, with the first interruption. */
	why;
	hooks = /* @__PURE__ */ new Set();
	stopping = new AbortController();
	/** @param adoptMs how long a turn that nobody attends goes on, for the next attempt to come */
	constructor(adoptMs) {
		this.adoptMs = adoptMs;
	}
	/** Aborted when the turn is to be interrupted. */
	get signal() {
		return this.stopping.signal;
	}
	/** Interrupts the turn, whoever attends it. */
	stop(reason) {
		if (this.why !== void 0) return;
		this.why = reason;
		this.stopping.abort(new TurnInterrupted(reason));
	}
	/** Joins those who look after the turn, and waits for its end. */
	attend(hooks, done) {
		this.hooks.add(hooks);
		return new Promise((resolve, reject) => {
			const aborted = () => void this.left(hooks, done).then((adopted) => adopted && reject(new TurnInterrupted("abandoned")), reject);
			done.then(resolve, reject).finally(() => {
				hooks.signal.removeEventListener("abort", aborted);
				this.hooks.delete(hooks);
			});
			if (hooks.signal.aborted) aborted();
			else hooks.signal.addEventListener("abort", aborted, { once: true });
		});
	}
	show(progress) {
		for (const { onProgress } of this.hooks) onProgress?.(progress);
	}
	/** Asks through the newest call; nobody there to ask is a no. */
	async permission(request) {
		return await [...this.hooks].at(-1)?.onPermission?.(request) ?? "deny";
	}
	async left(hooks, done) {
		const reason = hooks.abortReason?.() ?? "stop";
		if (reason !== "abandoned") {
			this.stop(reason);
			return false;
		}
		this.hooks.delete(hooks);
		if (this.hooks.size === 0) await Promise.race([setTimeout$1(this.adoptMs, void 0, { ref: false }), done.catch(() => void 0)]);
		if (this.hooks.size > 0) return true;
		this.stop("abandoned");
		return false;
	}
};
// src/core/exec-output.ts
const newSummary = () => ({
	whole: false,
	active: false,
	readable: false,
	tail: ""
});
const AUTH_REQUIRED = -32e3;
const INTERNAL_ERROR = -32603;
/** An id goes into an argument list: nothing that could be an option, or break out of its place. */
const SESSION = /^[A-Za-z0-9][\w.:-]{0,199}$/;
/** The answer is what it prints; blanks alone are none. */
var TextReader = class {
	summary = newSummary();
	take(piece) {
		const { summary } = this;
		const said = summary.readable || piece.trim() !== "";
		const news = say(summary, piece);
		summary.readable = summary.active = said;
		return news;
	}
	end() {
		return [];
	}
};
/** One JSON document; lines before and after it are passed over. */
var DocumentReader = class {
	summary = newSummary();
	text = "";
	take(piece) {
		this.text += piece;
		return [];
	}
	end() {
		const { summary } = this;
		const document = parsed(this.text) ?? lastObject(this.text);
		if (document === void 0) return this.text.trim() === "" ? [] : [{ rubbish: this.text }];
		summary.readable = true;
		summary.whole = true;
		const session = sessionOf$1(document);
		const error = errorOf(document);
		if (error !== void 0) summary.error = error;
		const tokens = tokensOf(document);
		if (tokens !== void 0) summary.tokens = tokens;
		const cost = amountOf(at(document, "total_cost_usd")) ?? amountOf(at(document, "cost"));
		const answer = [
			"result",
			"response",
			"text",
			"message"
		].map((name) => at(document, name)).find((value) => typeof value === "string");
		return [
			...session === void 0 ? [] : [{ session }],
			...say(summary, answer ?? ""),
			...cost === void 0 ? [] : [{ costUsd: cost }]
		];
	}
};
/** The news of a piece of text; none of an empty one. */
function say(summary, text, kind = "agent_message_chunk") {
	if (text === "") return [];
	summary.active = true;
	if (kind === "agent_message_chunk") summary.tail = (summary.tail + text).slice(-300);
	return [{ update: {
		sessionUpdate: kind,
		content: {
			type: "text",
			text
		}
	} }];
}
/** The session's id, or `undefined` where there is none that may go into an argument list. */
function sessionOf$1(raw) {
	return [
		"session_id",
		"sessionId",
		"thread_id",
		"sessionID"
	].map((name) => at(raw, name)).find((id) => typeof id === "string" && SESSION.test(id));
}
/**
* The error of a document or a last event, or `undefined` where it says that all is well.
*
* `data` holds its fields as they came, beside and below `error`, so that a rate limit and its reset time are found.
*/
function errorOf(raw) {
	const given = at(raw, "error");
	if (!(at(raw, "is_error") === true || at(raw, "status") === "error") && (given === void 0 || given === null || given === false || given === "")) return void 0;
	const said = [
		"result",
		"response",
		"message",
		"text"
	].map((name) => at(raw, name)).find((value) => typeof value === "string");
	return agentError(given, {
		message: typeof said === "string" && said !== "" ? said : void 0,
		reset: raw
	});
}
/**
* An error from the fields that agents give it.
*
* @param given the error as it came: an object, a text, or a text that is an object
* @param reset where a reset time may stand beside it
*/
function agentError(given, { message, type, reset } = {}) {
	const inner = typeof given === "string" ? parsed(given) ?? { message: given } : given ?? {};
	const fields = record(at(inner, "error") ?? inner);
	const data = record(at(inner, "data"));
	const status = [
		fields,
		record(inner),
		data
	].flatMap((one) => [
		"status",
		"statusCode",
		"status_code",
		"code"
	].map((name) => at(one, name))).map(whole).find((n) => n !== void 0);
	const kind = type ?? text(fields["type"]) ?? text(fields["name"]);
	const words = text(fields["message"]) ?? text(data["message"]) ?? text(record(inner)["message"]) ?? message ?? kind ?? "the agent said no more than that it failed";
	const error = {
		...data,
		...fields,
		...kind !== void 0 && { type: kind },
		...status !== void 0 && { status }
	};
	return {
		code: isLogin(kind, status) ? AUTH_REQUIRED : status ?? INTERNAL_ERROR,
		message: words,
		data: {
			...resetFields(reset),
			...error,
			error
		}
	};
}
const LOGIN_TYPES = /* @__PURE__ */ new Set([
	"authentication_failed",
	"authentication_error",
	"FatalAuthenticationError",
	"ProviderAuthError"
]);
function isLogin(type, status) {
	return status === 401 || type !== void 0 && LOGIN_TYPES.has(type);
}
function resetFields(raw) {
	return Object.fromEntries([
		"rate_limit_info",
		"retry_after",
		"retryAfter",
		"resets_at",
		"resetsAt",
		"headers"
	].flatMap((name) => at(raw, name) === void 0 ? [] : [[name, at(raw, name)]]));
}
/** Tokens of a document or a last event, under every name in use; `undefined` where there are none. */
function tokensOf(raw) {
	return usageTokens(at(raw, "usage")) ?? usageTokens(at(raw, "stats")) ?? modelTokens(at(raw, "stats", "models"));
}
/** Input counts what was read from a cache: some report it within the input, some beside it. */
function usageTokens(usage) {
	const find = (...names) => names.map((name) => amountOf(at(usage, name))).find((n) => n !== void 0);
	const input = find("input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "input");
	const output = find("output_tokens", "outputTokens", "completion_tokens", "completionTokens", "output");
	if (input === void 0 && output === void 0) return void 0;
	const beside = (find("cache_read_input_tokens", "cachedReadTokens") ?? 0) + (find("cache_creation_input_tokens", "cachedWriteTokens") ?? 0);
	const within = find("total_tokens", "totalTokens") === (input ?? 0) + (output ?? 0);
	return {
		input: (input ?? 0) + (within ? 0 : beside),
		output: (output ?? 0) + (find("thoughtTokens") ?? 0)
	};
}
function modelTokens(models) {
	const each = Object.values(record(models)).map((model) => at(model, "tokens")).filter((tokens) => tokens !== void 0);
	if (each.length === 0) return void 0;
	const sum = (...names) => each.reduce((total, tokens) => total + names.reduce((n, name) => n + (amountOf(at(tokens, name)) ?? 0), 0), 0);
	return {
		input: sum("prompt"),
		output: sum("candidates", "thoughts")
	};
}
/** A JSON object, or `undefined` where the text is none. */
function parsed(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
	} catch (error) {
		if (error instanceof SyntaxError) return void 0;
		throw error;
	}
}
/** The fields of an object; none of anything else. */
function record(raw) {
	return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? raw : {};
}
function lastObject(text) {
	for (let from = text.indexOf("{"), tries = 0; from !== -1 && tries < 50; tries++) {
		const found = parsed(text.slice(from, text.lastIndexOf("}") + 1));
		if (found !== void 0) return found;
		const next = text.indexOf("\n{", from);
		from = next === -1 ? -1 : next + 1;
	}
}
/** A text that says something. */
function text(raw) {
	return typeof raw === "string" && raw !== "" ? raw : void 0;
}
function whole(raw) {
	const n = typeof raw === "string" && /^\d{3}$/.test(raw) ? Number(raw) : raw;
	return typeof n === "number" && Number.isInteger(n) ? n : void 0;
}
// src/core/exec-stream.ts
/** What a CLI says of its limits is an update of this name. */
const RATE_LIMIT = "rate_limit_event";
const MODEL_ERROR = /^\[API Error: [^]*\]$/;
var StreamReader = class {
	summary = newSummary();
	session;
	/** Of the model calls so far. */
	calls = {
		input: 0,
		output: 0
	};
	counted = /* @__PURE__ */ new Set();
	costUsd = 0;
	said = "";
	/** What an event said of a failure before the end says whether it was one. */
	failing = {};
	take(line) {
		if (line.trim() === "") return [];
		const event = parsed(line);
		if (event === void 0) return [{ rubbish: line }];
		this.summary.readable = true;
		const id = sessionOf$1(event);
		const named = id === void 0 || id === this.session ? [] : [{ session: id }];
		this.session = id ?? this.session;
		return [...named, ...this.read(event)];
	}
	end() {
		const { summary, failing } = this;
		if (!summary.whole && summary.error === void 0 && (failing.error !== void 0 || failing.limit !== void 0)) summary.error = this.error(failing.error, void 0);
		return [];
	}
	read(event) {
		if (typeof event["sessionUpdate"] === "string") return this.update(event);
		const type = text(event["type"]) ?? "unknown";
		const part = event["part"];
		switch (type) {
			case "assistant": return this.assistant(event);
			case "user": return blocks(event).flatMap((block) => at(block, "type") === "tool_result" ? this.tool(at(block, "tool_use_id"), void 0, at(block, "is_error") === true ? "failed" : "completed", block) : []);
			case "result": return this.result(event);
			case RATE_LIMIT: return this.limit(event);
			case "message": return event["role"] === "assistant" ? this.says(text(event["content"]) ?? "") : other(type, event);
			case "text": return this.says(`${text(at(part, "text")) ?? text(event["text"]) ?? ""}\n`);
			case "reasoning": return say(this.summary, `${text(at(part, "text")) ?? ""}\n`, "agent_thought_chunk");
			case "tool_use": return part === void 0 ? this.tool(event["tool_id"], text(event["tool_name"]), "in_progress", event) : this.tool(at(part, "callID"), text(at(part, "state", "title")) ?? text(at(part, "tool")), at(part, "state", "status") === "error" ? "failed" : "completed", part);
			case "tool_result": return this.tool(event["tool_id"], void 0, event["status"] === "error" ? "failed" : "completed", event);
			case "item.started":
			case "item.updated":
			case "item.completed": return this.item(type, event["item"]);
			case "step_finish": return this.step(part);
			case "turn.completed": return this.completed(event);
			case "turn.failed": return this.failed(event["error"]);
			case "error": return this.complaint(event);
			default: return other(type, event);
		}
	}
	update(event) {
		if (event["sessionUpdate"] === "agent_message_chunk") this.said = text(at(event, "content", "text")) ?? this.said;
		this.summary.active = true;
		return [{ update: event }];
	}
	assistant(event) {
		const own = event["parent_tool_use_id"] === void 0 || event["parent_tool_use_id"] === null;
		const type = text(event["error"]);
		if (type !== void 0) this.failing.type = type;
		const id = at(event, "message", "id");
		const used = this.counted.has(id) ? void 0 : usageTokens(at(event, "message", "usage"));
		this.counted.add(id);
		return [...blocks(event).flatMap((block) => this.block(block, own)), ...used === void 0 ? [] : this.call(used)];
	}
	block(block, own) {
		const type = at(block, "type");
		if (type === "text") return own ? this.says(`${text(at(block, "text")) ?? ""}\n`) : say(this.summary, `${text(at(block, "text")) ?? ""}\n`, "agent_thought_chunk");
		if (type === "thinking") return say(this.summary, text(at(block, "thinking")) ?? "", "agent_thought_chunk");
		return type === "tool_use" ? this.tool(at(block, "id"), text(at(block, "name")), "in_progress", block) : [];
	}
	result(event) {
		const { summary } = this;
		summary.whole = true;
		summary.last = true;
		const subtype = text(event["subtype"]) ?? "";
		const words = text(event["result"]);
		if (subtype === "error_max_turns") summary.stopReason = "max_turn_requests";
		else if (subtype.startsWith("error") || errorOf(event) !== void 0) summary.error = this.error(event["error"] ?? subtypeError(event, subtype), words, event);
		else if (words !== void 0 && MODEL_ERROR.test(words.trim()) && this.calls.output === 0) summary.error = agentError({ message: words });
		const tokens = tokensOf(event);
		if (tokens !== void 0) summary.tokens = tokens;
		if (amountOf(at(event, "usage", "total_tokens")) !== void 0) summary.sinceBegin = true;
		const cost = amountOf(event["total_cost_usd"]);
		return [...this.said === "" && words !== void 0 ? this.says(words) : [], ...cost === void 0 ? [] : [{ costUsd: cost }]];
	}
	limit(event) {
		const info = event["rate_limit_info"];
		if (at(info, "status") === "rejected") this.failing.limit = info;
		return [{ update: {
			sessionUpdate: RATE_LIMIT,
			rate_limit_info: info
		} }];
	}
	item(event, item) {
		const type = text(at(item, "type")) ?? text(at(item, "item_type")) ?? "item";
		const done = event === "item.completed";
		if (type === "agent_message" || type === "assistant_message") return done ? this.says(`${text(at(item, "text")) ?? ""}\n`) : [];
		if (type === "reasoning") return done ? say(this.summary, `${text(at(item, "text")) ?? ""}\n`, "agent_thought_chunk") : [];
		if (type === "error" || type === "todo_list") return other(type, record(item));
		const failed = at(item, "status") === "failed" || at(item, "status") === "declined";
		return this.tool(at(item, "id"), title(type, item), done ? failed ? "failed" : "completed" : "in_progress", item);
	}
	completed(event) {
		const { summary } = this;
		summary.whole = true;
		summary.last = true;
		const tokens = tokensOf(event);
		if (tokens === void 0) return [];
		summary.tokens = tokens;
		summary.sinceBegin = true;
		return [];
	}
	failed(error) {
		this.summary.whole = true;
		this.summary.last = true;
		this.summary.error = this.error(error, void 0);
		return other("turn.failed", { error });
	}
	step(part) {
		const raw = at(part, "tokens");
		const cached = (amountOf(at(raw, "cache", "read")) ?? 0) + (amountOf(at(raw, "cache", "write")) ?? 0);
		const tokens = usageTokens(raw);
		const cost = amountOf(at(part, "cost"));
		if (cost !== void 0) this.costUsd += cost;
		this.summary.whole = at(part, "reason") !== "tool-calls";
		const used = tokens === void 0 ? [] : this.call({
			input: tokens.input + cached,
			output: tokens.output + (amountOf(at(raw, "reasoning")) ?? 0)
		});
		if (tokens !== void 0) this.summary.tokens = { ...this.calls };
		return [...used, ...cost === void 0 ? [] : [{ costUsd: this.costUsd }]];
	}
	complaint(event) {
		const { error } = event;
		if (typeof error === "object" && error !== null) {
			this.summary.whole = true;
			this.summary.error = this.error(error, void 0);
		} else if (event["severity"] !== "warning") this.failing.error = event["message"] ?? error;
		return other("error", event);
	}
	error(given, message, reset) {
		const { type, limit } = this.failing;
		const about = limit === void 0 ? reset : {
			...record(reset),
			rate_limit_info: limit
		};
		return agentError(given, {
			message,
			type: limit === void 0 ? type : "rate_limit",
			reset: about
		});
	}
	says(words) {
		if (words.trim() !== "") this.said = words;
		return words === "\n" ? [] : say(this.summary, words);
	}
	call(used) {
		this.calls = {
			input: this.calls.input + used.input,
			output: this.calls.output + used.output
		};
		return [{ update: {
			sessionUpdate: "agent_message_chunk",
			content: {
				type: "text",
				text: ""
			},
			_meta: { usage: {
				inputTokens: used.input,
				outputTokens: used.output
			} }
		} }];
	}
	tool(id, name, status, raw) {
		this.summary.active = true;
		return [{ update: {
			sessionUpdate: status === "in_progress" ? "tool_call" : "tool_call_update",
			toolCallId: text(id) ?? "",
			...name !== void 0 && { title: name },
			status,
			raw
		} }];
	}
};
const other = (sessionUpdate, event) => [{ update: {
	sessionUpdate,
	event
} }];
function blocks(event) {
	const content = at(event, "message", "content");
	if (typeof content === "string") return [{
		type: "text",
		text: content
	}];
	return Array.isArray(content) ? content : [];
}
function subtypeError(event, subtype) {
	const errors = at(event, "errors");
	const status = at(event, "api_error_status");
	const said = Array.isArray(errors) ? errors.map((one) => typeof one === "string" ? one : text(at(one, "message"))).filter((one) => one !== void 0).join("; ") : "";
	return {
		...said !== "" && { message: said },
		...subtype.startsWith("error") && { type: subtype },
		...status !== void 0 && { status }
	};
}
function title(type, item) {
	const changed = at(item, "changes");
	const files = Array.isArray(changed) ? changed.map((change) => text(at(change, "path"))).filter((file) => file !== void 0) : [];
	return text(at(item, "command")) ?? (files.length > 0 ? `edit ${files.join(", ")}` : text(at(item, "tool")) ?? text(at(item, "query")) ?? type);
}
// src/core/exec-verdict.ts
/**
* Judges how a command ended.
*
* @param code null where a signal ended it
*/
function execVerdict({ output, summary, code, cancelled }) {
	if (cancelled) return {
		kind: "answered",
		stopReason: "cancelled"
	};
	if (summary.error !== void 0) return {
		kind: "refused",
		error: summary.error
	};
	if (summary.whole) return {
		kind: "answered",
		stopReason: summary.stopReason ?? "end_turn"
	};
	if (code === 0) return summary.readable ? {
		kind: "answered",
		stopReason: "end_turn"
	} : { kind: "unreadable" };
	if (code !== null && output === "text" && summary.active) return {
		kind: "refused",
		error: {
			code,
			message: `it ended with this code, after: ${summary.tail.trim()}`
		}
	};
	return { kind: "gone" };
}
/**
* Whether a call that was to go on with a session failed because there is none: it did nothing at all.
*
* A limit of the provider is none of it, and neither is a missing login.
*/
function isSessionLost(verdict, { summary, code }) {
	if (summary.active || code === null || code === 0) return false;
	if (verdict.kind === "gone") return true;
	return verdict.kind === "refused" && verdict.error.code === NOT_SAID;
}
/** Code of an error for which the agent gave neither a status nor a login as its cause. */
const NOT_SAID = -32603;
/**
* Tokens of this prompt, where the agent counts over the session.
*
* @param before `undefined` where nobody knows: then the prompt's share is not known either
*/
function tokensSince(before, now) {
	if (before === void 0) return void 0;
	if (now.input < before.input || now.output < before.output) return now;
	return {
		input: now.input - before.input,
		output: now.output - before.output
	};
}
// src/adapters/agents/agent-port.ts
/** Stands for the process of an agent that has none yet: no living one is equal to it. */
const NO_PROCESS = {
	pid: 0,
	startTime: "",
	bootId: ""
};
// src/adapters/agents/exec-silence.ts
/**
* Most commands print only at their end: until their first word, or to the end where one document is
* promised, silence is not idleness. To the clocks that is a tool call that runs.
*/
var Silence = class {
	onUpdate;
	running;
	call;
	constructor({ output, command }, onUpdate) {
		this.onUpdate = onUpdate;
		this.call = {
			toolCallId: "exec",
			title: `${path.basename(command)}, which has not answered yet`,
			kind: "execute"
		};
		this.running = output !== "stream-json";
		if (this.running) this.onUpdate({
			sessionUpdate: "tool_call",
			...this.call,
			status: "in_progress"
		});
	}
	over() {
		if (this.running) this.onUpdate({
			sessionUpdate: "tool_call_update",
			...this.call,
			status: "completed"
		});
		this.running = false;
	}
};
/**
* Some commands have said their last word and never end: the turn is done, and waits for nobody.
* `onOver` is called once, when there was time enough to end.
*/
var LastWord = class {
	ticker;
	lingerMs;
	onOver;
	wait;
	constructor(ticker, lingerMs, onOver) {
		this.ticker = ticker;
		this.lingerMs = lingerMs;
		this.onOver = onOver;
	}
	/** It was said; another time changes nothing. */
	said() {
		if (this.wait !== void 0) return;
		const wait = this.ticker.delay(this.lingerMs);
		this.wait = wait;
		wait.over.then(this.onOver);
	}
	/** The command has ended. */
	over() {
		this.wait?.cancel();
	}
};
// src/adapters/agents/exec-agent.ts
const PROMPT_FILE = "prompt.md";
/** A session that only we call so: the command has not named one. */
const OURS = "unnamed-";
/** Whoever still holds the pipes of a command that has ended, and is silent for so long, is not waited for. */
const QUIET_MS = 500;
/** One that goes on printing, as a server does that was left running, is not waited for either. */
const NOISY_MS = 5e3;
var ExecAgent = class ExecAgent {
	options;
	sessionId = "";
	listener;
	identity = NO_PROCESS;
	exited;
	closed = () => {};
	child;
	/** The session exists: a prompt goes on with it. */
	begun = false;
	cancelled = false;
	/** Of the session, when the prompt began. */
	before = {
		costUsd: 0,
		tokens: void 0
	};
	constructor(options) {
		this.options = options;
		this.listener = options.listener;
		this.exited = new Promise((resolve) => this.closed = resolve);
	}
	/** Starts nothing yet. Throws the signal's reason. */
	static start(options) {
		return options.signal.aborted ? Promise.reject(options.signal.reason) : Promise.resolve(new ExecAgent(options));
	}
	get step() {
		return this.options.markers.step;
	}
	/** The id is new where `args` name `{session}`, for the command to take. */
	newSession() {
		this.begun = false;
		this.sessionId = this.options.definition.args.some((arg) => arg.includes("{session}")) ? randomUUID() : `${OURS}${randomUUID()}`;
		return Promise.resolve(this.sessionId);
	}
	/** Whether the command knows the session shows only with the prompt. */
	resumeSession(id) {
		this.sessionId = id;
		this.begun = true;
		return Promise.resolve(this.resumable());
	}
	async prompt(text) {
		if (this.child !== void 0) throw new Error("a prompt is running in this session");
		this.cancelled = false;
		if (this.begun && !this.resumable()) await this.newSession();
		const { begun: resumed, options: { counts, markers, definition: { output } } } = this;
		await this.kill(false);
		const { costUsd = 0, tokens } = counts.of(markers.run, this.sessionId);
		this.before = {
			costUsd,
			tokens: resumed ? tokens : {
				input: 0,
				output: 0
			}
		};
		const reader = readerOf(output);
		const exit = await this.run(text, reader).finally(() => this.end());
		const { summary } = reader;
		const { code } = exit;
		const usage = this.usage(reader);
		this.begun = true;
		const verdict = execVerdict({
			output,
			summary,
			code,
			cancelled: this.cancelled
		});
		if (resumed && isSessionLost(verdict, {
			summary,
			code
		})) throw new SessionLost(`the agent could not go on with its session: it ended with code ${code} and had done nothing`);
		if (verdict.kind === "gone") throw new AgentGone(exit);
		if (verdict.kind === "refused") throw new AgentRefused(verdict.error);
		if (verdict.kind === "unreadable") throw new NoAnswer(output);
		return {
			stopReason: verdict.stopReason,
			...usage !== void 0 && { usage }
		};
	}
	/** As a person would, with an interrupt for the whole group: some are a wrapper around the program that works. */
	cancel() {
		this.cancelled = true;
		const { child } = this;
		if (child?.pid === void 0 || child.exitCode !== null || child.signalCode !== null) return;
		try {
			process.kill(-child.pid, "SIGINT");
		} catch (error) {
			if (error.code !== "ESRCH") throw error;
		}
	}
	close() {
		this.listener = void 0;
		return this.kill();
	}
	async kill(forGood = true) {
		await endGroup(this.identity, { graceMs: this.options.timing.endGraceMs });
		if (!forGood) return;
		this.child?.stdout?.destroy();
		this.child?.stderr?.destroy();
		this.closed();
	}
	resumable() {
		return this.options.definition.resumeArgs !== void 0 && !this.sessionId.startsWith(OURS);
	}
	get promptFile() {
		return path.join(this.options.folder, PROMPT_FILE);
	}
	async run(text, reader) {
		const { definition, project, cwd, env, markers, onProcess } = this.options;
		const { args, resumeArgs = args } = definition;
		const chosen = this.begun ? resumeArgs : args;
		const inFile = chosen.some((arg) => arg.includes("{promptFile}"));
		const filled = chosen.map((arg) => arg.replaceAll("{promptFile}", () => this.promptFile).replaceAll("{session}", () => this.sessionId));
		if (inFile) writeFileSync(this.promptFile, text, { mode: 384 });
		const process = await this.options.spawn({
			argv: definitionToArgv({
				...definition,
				args: filled
			}, project),
			cwd,
			env,
			markers,
			stdin: inFile ? "ignore" : "pipe",
			stdout: "pipe"
		});
		this.identity = process.identity;
		this.child = process.child;
		onProcess(process.identity);
		if (this.cancelled) this.cancel();
		const { stdin } = process.child;
		stdin?.on("error", (error) => {
			if (error.code !== "EPIPE") this.note(`stdin: ${error.message}\n`);
		});
		stdin?.end(text);
		return this.finish(process, reader);
	}
	async finish({ child, exited, identity }, reader) {
		if (child.stdout === null || child.stderr === null) throw new Error("an agent needs its output");
		const { definition, ticker, timing } = this.options;
		const silence = new Silence(definition, (update) => this.listener?.onUpdate(update));
		const lastWord = new LastWord(ticker, timing.lingerMs, () => {
			this.note("[ratchet] it went on after its last event, and is ended\n");
			endGroup(identity, { graceMs: timing.endGraceMs }).catch((error) => this.note(`[ratchet] it could not be ended: ${String(error)}\n`));
		});
		let heard = 0;
		const closed = once(child, "close");
		child.stdout.on("data", () => heard++);
		child.stderr.setEncoding("utf8").on("data", (text) => {
			heard++;
			this.note(text);
		});
		let cut = false;
		const reading = this.read(child.stdout, reader, {
			silence,
			lastWord
		}).catch(async (error) => {
			if (cut) return;
			await endGroup(identity, { graceMs: timing.endGraceMs });
			throw error;
		});
		reading.catch(() => void 0);
		const exit = await exited;
		lastWord.over();
		const noisy = performance.now() + NOISY_MS;
		for (let before = -1; before !== heard && performance.now() < noisy;) {
			before = heard;
			if (await Promise.race([closed.then(() => true), setTimeout$1(QUIET_MS, false, { ref: false })])) break;
		}
		cut = true;
		child.stdout.destroy();
		child.stderr.destroy();
		await reading;
		this.tell(reader.end());
		silence.over();
		return exit;
	}
	async read(stdout, reader, { silence, lastWord }) {
		const max = this.options.maxMessageBytes ?? 16777216;
		const { output } = this.options.definition;
		if (output === "stream-json") {
			for await (const line of readLines(stdout, max, { rest: true })) {
				this.tell(reader.take(line));
				if (reader.summary.last === true) lastWord.said();
			}
			return;
		}
		let length = 0;
		for await (const piece of stdout.setEncoding("utf8")) {
			length += piece.length;
			if (output === "json" && length > max) throw new MessageTooLong(max, "a document");
			if (output === "text") silence.over();
			this.tell(reader.take(piece));
		}
	}
	tell(news) {
		for (const one of news) if ("update" in one) this.listener?.onUpdate(one.update);
		else if ("rubbish" in one) this.note(`[stdout, not JSON] ${one.rubbish.slice(0, 500)}\n`);
		else if ("session" in one) this.name(one.session);
		else this.listener?.onUpdate({
			sessionUpdate: "usage_update",
			cost: {
				amount: this.before.costUsd + one.costUsd,
				currency: "USD"
			}
		});
	}
	name(id) {
		if (id === this.sessionId) return;
		this.sessionId = id;
		this.listener?.onSession?.(id);
	}
	usage({ summary: { tokens, sinceBegin = false } }) {
		if (tokens === void 0) return void 0;
		if (sinceBegin) this.options.counts.set(this.options.markers.run, this.sessionId, { tokens });
		const own = sinceBegin ? tokensSince(this.before.tokens, tokens) : tokens;
		return own && {
			inputTokens: own.input,
			outputTokens: own.output
		};
	}
	end() {
		this.child = void 0;
		rmSync(this.promptFile, { force: true });
	}
	note(text) {
		this.listener?.onStderr(text);
	}
};
function readerOf(output) {
	if (output === "text") return new TextReader();
	return output === "json" ? new DocumentReader() : new StreamReader();
}
// src/adapters/agents/leftovers.ts
/** What an agent started and what has left its process group. */
function outsiders(agent, step) {
	const group = new Set(groupMembers(agent).map((one) => one.pid));
	return [...new Map([...descendants(agent), ...findMarked(MARKERS.step, step)].map((one) => [one.pid, one])).values()].filter((one) => !group.has(one.pid));
}
/** Ends them, and where a step is given everything that carries its marker by now; returns how many there were. */
async function endOutsiders(found, graceMs, step) {
	return await endAll(found, { graceMs }) + (step === void 0 ? 0 : await endMarked(MARKERS.step, step, { graceMs }));
}
/** Ends everything that the record of a turn knows of; returns how many processes that were. */
async function endClaimed(claim, graceMs) {
	if (claim.process === void 0) return 0;
	return await endGroup(claim.process, { graceMs }) + await endMarked(MARKERS.step, claim.marker, { graceMs });
}
// src/adapters/agents/timed-prompt.ts
async function timedPrompt({ agent, text, clock, ticker, signal, graceMs, onInterrupt, isOverBudget = () => false }) {
	let offTick = () => {};
	const limit = new Promise((resolve) => {
		offTick = ticker.onTick((countedMs) => {
			const verdict = clock.tick(countedMs) ?? (isOverBudget() ? "over_budget" : void 0);
			if (verdict !== void 0) resolve(verdict);
		});
	});
	const asked = new Promise((resolve) => {
		if (signal.aborted) resolve("stopped");
		else signal.addEventListener("abort", () => resolve("stopped"), { once: true });
	});
	const answer = agent.prompt(text).then((response) => ({ response }), (error) => ({ error }));
	const first = await Promise.race([
		answer,
		limit,
		asked
	]);
	offTick();
	if (typeof first !== "string") return { answer: first };
	onInterrupt();
	agent.cancel();
	const grace = ticker.delay(graceMs);
	const late = await Promise.race([answer, grace.over.then(() => void 0)]);
	grace.cancel();
	return {
		interrupted: first,
		...late !== void 0 && { answer: late }
	};
}
/** Why a turn was cut, in one sentence. */
function limitReason(which, { limitMs, idleMs }, heeded) {
	return `${which === "timed_out" ? `the limit of ${shown(limitMs)} was reached` : `the agent did nothing for ${shown(idleMs)}`}; it ${heeded ? "stopped when it was asked to" : "did not stop when it was asked to and was ended"}`;
}
function shown(ms) {
	return ms % 6e4 === 0 ? `${ms / 6e4} min` : `${ms / 1e3} s`;
}
// src/adapters/agents/turn-clock.ts
const SYSTEM_CLOCK = {
	now: () => performance.now(),
	every(ms, fn) {
		const timer = setInterval(fn, ms);
		return () => clearInterval(timer);
	},
	tickMs: 1e3
};
/** Counts time in ticks. */
var Ticker = class {
	clock;
	/** Counted milliseconds since it was made. */
	elapsedMs = 0;
	last;
	listeners = /* @__PURE__ */ new Set();
	stopTicking;
	constructor(clock) {
		this.clock = clock;
		this.last = clock.now();
		this.stopTicking = clock.every(clock.tickMs, () => this.tick());
	}
	onTick(listener) {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
	/** Resolves after `ms` of counted time, never once the ticker was stopped. */
	delay(ms) {
		const end = this.elapsedMs + ms;
		let cancel = () => {};
		return {
			over: new Promise((resolve) => {
				cancel = this.onTick(() => {
					if (this.elapsedMs < end) return;
					cancel();
					resolve();
				});
			}),
			cancel: () => cancel()
		};
	}
	stop() {
		this.stopTicking();
		this.listeners.clear();
	}
	tick() {
		const now = this.clock.now();
		const counted = Math.min(Math.max(0, now - this.last), 2 * this.clock.tickMs);
		this.last = now;
		this.elapsedMs += counted;
		for (const listener of [...this.listeners]) listener(counted);
	}
};
/** Decides when a turn has taken too long. Fed by ticks and by what the agent does. */
var TurnClock = class {
	limits;
	spentMs;
	idleMs = 0;
	tools = /* @__PURE__ */ new Set();
	asking = 0;
	/** @param spentMs counted in earlier attempts of the same turn */
	constructor(limits, spentMs = 0) {
		this.limits = limits;
		this.spentMs = spentMs;
	}
	/** A prompt begins: what ran before it is over. */
	begin() {
		this.idleMs = 0;
		this.tools.clear();
	}
	/** The agent did something. */
	event() {
		this.idleMs = 0;
	}
	/** A tool call began or ended; while one runs, silence is not idle. */
	tool(id, running) {
		if (running) this.tools.add(id);
		else this.tools.delete(id);
	}
	/** A permission waits for a person: then neither clock counts. Returns the function that ends it. */
	ask() {
		this.asking++;
		return () => void this.asking--;
	}
	tick(countedMs) {
		if (this.asking > 0) return void 0;
		this.spentMs += countedMs;
		this.idleMs = this.tools.size > 0 ? 0 : this.idleMs + countedMs;
		if (this.spentMs >= this.limits.limitMs) return "timed_out";
		return this.idleMs >= this.limits.idleMs ? "stalled" : void 0;
	}
};
// src/adapters/agents/person-waits.ts
var PersonWaits = class {
	file;
	side;
	constructor(file, side) {
		this.file = file;
		this.side = side;
	}
	/** A person is asked. Returns the function that ends the wait. */
	begin() {
		const from = Date.now();
		this.line(`${from}`);
		return () => this.line(`${from} ${Date.now()}`);
	}
	line(text) {
		this.side.try(() => appendFileSync(this.file, `${text}\n`, { mode: 384 }));
	}
};
// src/adapters/agents/turn-listener.ts
/** Of the permissions that were denied, this much travels with a result. */
const DENIED_SHOWN = {
	titles: 5,
	chars: 100
};
var TurnListener = class {
	turn;
	/** A short label of what came last. */
	lastEvent;
	titles = /* @__PURE__ */ new Set();
	constructor(turn) {
		this.turn = turn;
	}
	/** Titles of what was denied, the first few. */
	get denied() {
		return [...this.titles].slice(0, DENIED_SHOWN.titles);
	}
	onUpdate(raw) {
		const { log, clock, limit } = this.turn;
		const event = log.update(raw);
		clock.event();
		if (event.kind === "tool") clock.tool(event.id, event.running);
		this.lastEvent = log.label(event);
		limit.heard(raw);
	}
	onStderr(text) {
		this.turn.log.stderr(text);
	}
	onSession(sessionId) {
		this.turn.onSession(sessionId);
	}
	async onPermission(asked) {
		const { log, clock, attendance, waits, policy } = this.turn;
		const request = log.redactAll(asked);
		const answered = clock.ask();
		const verdict = await (policy === "ask" ? attendance.permission(request).finally(waits.begin()) : Promise.resolve(policy)).finally(answered);
		log.mark("permission", {
			...request,
			verdict
		});
		if (verdict === "deny") this.titles.add(request.title.slice(0, DENIED_SHOWN.chars));
		clock.event();
		return verdict;
	}
};
// src/adapters/file-ref.ts
/** Reference to a file that holds this content. */
function refTo(path, content) {
	return {
		path,
		sha256: digest(content),
		bytes: Buffer.byteLength(content)
	};
}
// src/adapters/agents/bounded-text.ts
/** Characters kept at either end. */
const KEPT_CHARS = 262144;
/** Collects text; between beginning and end stands a line that says how much is missing. */
var BoundedText = class {
	kept;
	/** Characters seen, kept or not. */
	length = 0;
	head = "";
	tailParts = [];
	tailLength = 0;
	constructor(kept = KEPT_CHARS) {
		this.kept = kept;
	}
	push(text) {
		this.length += text.length;
		const fits = Math.max(0, this.kept - this.head.length);
		if (fits > 0) this.head += text.slice(0, fits);
		if (fits >= text.length) return;
		this.tailParts.push(text.slice(Math.max(fits, text.length - this.kept)));
		this.tailLength += this.tailParts.at(-1)?.length ?? 0;
		if (this.tailLength > 2 * this.kept) this.compact();
	}
	toString() {
		this.compact();
		const tail = this.tailParts[0] ?? "";
		const missing = this.length - this.head.length - tail.length;
		return missing > 0 ? `${this.head}\n[… ${missing} characters left out …]\n${tail}` : this.head + tail;
	}
	compact() {
		const tail = this.tailParts.join("").slice(-this.kept);
		this.tailParts = tail === "" ? [] : [tail];
		this.tailLength = tail.length;
	}
};
// src/adapters/agents/transcript.ts
/** After so many bytes a transcript says that it was cut, and keeps only marks of the turn's course. */
const TRANSCRIPT_BYTES = 8 << 20;
const JOINED_CHARS = 4096;
/** One event may be as long as a whole file that an agent writes. */
const EVENT_CHARS = 65536;
/** Of an event that is longer, texts up to this length stay: which tool, which file. */
const TEXT_CHARS = 1024;
var Transcript = class {
	file;
	redact;
	maxBytes;
	side;
	fd;
	bytes;
	cut = false;
	open = true;
	pending;
	/** Opens for appending: an earlier attempt of the same turn stays. */
	constructor(file, redact, maxBytes = TRANSCRIPT_BYTES, side = new SideWrites()) {
		this.file = file;
		this.redact = redact;
		this.maxBytes = maxBytes;
		this.side = side;
		this.fd = openSync(file, "a", 384);
		this.bytes = statSync(file).size;
	}
	/** Text that is already redacted. */
	said(kind, text) {
		if (text === "") return;
		if (this.pending?.said !== kind) this.flush();
		this.pending = {
			said: kind,
			text: (this.pending?.text ?? "") + text
		};
		if (this.pending.text.length >= JOINED_CHARS) this.flush();
	}
	/** An event of the agent, as it came. */
	event(name, raw) {
		this.flush();
		const event = {
			at: (/* @__PURE__ */ new Date()).toISOString(),
			[name]: this.redact.json(raw)
		};
		const line = JSON.stringify(event);
		if (line.length <= EVENT_CHARS) return this.line(line);
		const short = JSON.stringify(event, (_, value) => typeof value === "string" && value.length > TEXT_CHARS ? `[${value.length} characters left out]` : value);
		this.line(short.length <= EVENT_CHARS ? short : JSON.stringify({
			at: event.at,
			[name]: { leftOut: `${line.length} characters` }
		}));
	}
	/** A mark of the turn's course; kept also when the transcript is cut. */
	mark(name, fields) {
		this.flush();
		this.write(JSON.stringify({
			at: (/* @__PURE__ */ new Date()).toISOString(),
			[name]: this.redact.json(fields)
		}));
	}
	flush() {
		if (this.pending === void 0) return;
		const { said, text } = this.pending;
		this.pending = void 0;
		this.line(JSON.stringify({
			at: (/* @__PURE__ */ new Date()).toISOString(),
			[said]: text
		}));
	}
	close() {
		if (!this.open) return;
		this.flush();
		this.open = false;
		closeSync(this.fd);
	}
	line(line) {
		if (this.cut) return;
		if (this.bytes + line.length > this.maxBytes) {
			this.cut = true;
			this.write(JSON.stringify({
				at: (/* @__PURE__ */ new Date()).toISOString(),
				truncated: `more than ${this.maxBytes} bytes: further events are not kept here`
			}));
			return;
		}
		this.write(line);
	}
	write(line) {
		if (!this.open) return;
		this.bytes += this.side.try(() => writeSync(this.fd, `${line}\n`)) ?? 0;
	}
};
/** The text that earlier attempts of a turn had said, read from its transcript; a broken last line is left out. */
function saidBefore(file) {
	if (!existsSync(file)) return "";
	return readFileSync(file, "utf8").split("\n").map(textOf).join("");
}
function textOf(line) {
	if (!line.includes("\"text\":")) return "";
	try {
		const { text } = JSON.parse(line);
		return typeof text === "string" ? text : "";
	} catch (error) {
		if (error instanceof SyntaxError) return "";
		throw error;
	}
}
// src/adapters/agents/turn-log.ts
const STDERR_BYTES = 1 << 20;
var TurnLog = class {
	files;
	redactor;
	side;
	/** Sum of what the agent reported on its chunks since the last prompt. */
	chunkTokens;
	/** Characters said since the last prompt. */
	saidChars = 0;
	/** Last cumulative cost that was reported since the last prompt. */
	costUsd;
	answer = new BoundedText();
	transcript;
	streams;
	stderrBytes;
	lastStderr = "";
	/** Goes on where an earlier attempt of the same turn stopped. */
	constructor(files, redactor, side = new SideWrites()) {
		this.files = files;
		this.redactor = redactor;
		this.side = side;
		this.answer.push(saidBefore(files.transcript));
		this.transcript = new Transcript(files.transcript, redactor, void 0, side);
		this.streams = {
			text: redactor.stream(),
			thought: redactor.stream(),
			stderr: redactor.stream()
		};
		this.stderrBytes = existsSync(files.stderr) ? statSync(files.stderr).size : 0;
	}
	/** Keeps an update of the agent and says what it was. */
	update(raw) {
		const event = readUpdate(raw);
		if (event.kind === "text" || event.kind === "thought") {
			this.say(event.kind, this.streams[event.kind].push(event.text));
			if (event.kind === "text") this.saidChars += event.text.length;
			if (event.kind === "text" && event.tokens) this.chunkTokens = {
				input: (this.chunkTokens?.input ?? 0) + event.tokens.input,
				output: (this.chunkTokens?.output ?? 0) + event.tokens.output
			};
			return event;
		}
		if (event.kind === "cost") this.costUsd = event.usd;
		this.transcript.event("update", raw);
		return event;
	}
	stderr(text) {
		this.writeStderr(this.streams.stderr.push(text));
	}
	/** What the agent wrote to standard error last. */
	lastWords() {
		this.writeStderr(this.streams.stderr.flush());
		return this.lastStderr.trim();
	}
	/** A prompt begins: what is counted per prompt begins anew. */
	prompt(attempt, text) {
		this.transcript.mark("prompt", {
			attempt,
			prompt: text
		});
		this.chunkTokens = void 0;
		this.costUsd = void 0;
		this.saidChars = 0;
	}
	mark(name, fields) {
		this.transcript.mark(name, fields);
	}
	/** Writes what is joined so far, so that a killed worker loses a second of text at most. */
	tick() {
		this.transcript.flush();
	}
	redact(text) {
		return this.redactor.text(text);
	}
	/** A value of the agent with every string redacted. */
	redactAll(value) {
		return this.redactor.json(value);
	}
	/** A short label for a heartbeat. Redacted before it is cut, as half a secret is not found. */
	label(event) {
		return eventLabel(event.kind === "tool" || event.kind === "other" ? this.redactAll(event) : event);
	}
	/** Writes the answer; the turn's texts are complete. */
	finish() {
		this.close();
		const text = this.redactor.text(this.answer.toString());
		replaceFileSync(this.files.answer, text, { mode: 384 });
		return {
			answer: refTo(this.files.answer, text),
			tail: text.slice(-500)
		};
	}
	close() {
		this.flushText();
		this.writeStderr(this.streams.stderr.flush());
		this.transcript.close();
	}
	flushText() {
		for (const kind of ["text", "thought"]) this.say(kind, this.streams[kind].flush());
		this.transcript.flush();
	}
	say(kind, text) {
		if (kind === "text") this.answer.push(text);
		this.transcript.said(kind, text);
	}
	writeStderr(text) {
		this.lastStderr = (this.lastStderr + text).slice(-500);
		if (text === "" || this.stderrBytes > STDERR_BYTES) return;
		this.stderrBytes += Buffer.byteLength(text);
		const kept = this.stderrBytes > STDERR_BYTES ? `\n[more than ${STDERR_BYTES} bytes: the rest is not kept]\n` : text;
		this.side.try(() => appendFileSync(this.files.stderr, kept, { mode: 384 }));
	}
};
object({
	path: string(),
	key: string(),
	registeredAt: string()
});
/** A process, so that a reused pid is never mistaken for it. */
const ProcessIdentity = object({
	pid: number().int(),
	startTime: string(),
	bootId: string()
});
// src/adapters/agents/turn-store.ts
/** A prompt that was sent, or was about to be. Without `ended` its driver died. */
const Attempt = object({
	attempt: number().int(),
	at: string(),
	sessionId: string(),
	ended: _enum([
		"answered",
		"died",
		"interrupted"
	]).optional(),
	usage: Usage.optional()
});
/** How the prompts ended, known before the agent is closed and the files are looked at. */
const Ended = object({
	outcome: TurnOutcome,
	reason: string().optional()
});
const Claim = object({
	schema: literal(1),
	key: string(),
	run: string(),
	cwd: string(),
	agent: string(),
	startedAt: string(),
	/** Rises by one with each takeover. */
	generation: number().int(),
	driver: ProcessIdentity,
	/** Session of the last attempt. */
	sessionId: string().optional(),
	/** The agent's process, and the step marker that it and its children carry. */
	process: ProcessIdentity.optional(),
	marker: string(),
	attempts: array(Attempt),
	agentDeaths: number().int(),
	driverDeaths: number().int(),
	/** Counted against the limit so far, in milliseconds. */
	spentMs: number(),
	ended: Ended.optional(),
	/** Its driver lives, but has let go of the unfinished turn. */
	released: boolean().optional(),
	/** The turn has ended and its agent is kept alive for a follow-up. */
	kept: boolean().optional()
});
/** Files of a turn. */
function turnFiles(dir) {
	const file = (name) => path.join(dir, name);
	return {
		claim: file("claim.json"),
		result: file("result.json"),
		transcript: file("transcript.ndjson"),
		answer: file("answer.md"),
		stderr: file("stderr.log"),
		stop: file("stop-request"),
		waits: file("waits"),
		heard: file("answers-heard")
	};
}
/** Value of the step marker of a turn: safe in every environment, unlike its key. */
function stepMarker(dirs, key) {
	return path.basename(layout.turn(dirs, key));
}
/** What is known of a turn. The caller looks first whether it runs this turn itself. */
function find(dirs, key) {
	const dir = layout.turn(dirs, key);
	const result = readJson(turnFiles(dir).result);
	if (result !== void 0) return {
		state: "done",
		result: TurnResult.parse(result)
	};
	const claim = readClaim(dir);
	if (claim === void 0) return { state: "new" };
	if (claim.released !== true && claim.driver.pid !== process.pid && isAlive(claim.driver)) return {
		state: "theirs",
		driver: claim.driver
	};
	return {
		state: "interrupted",
		claim
	};
}
/** The claim with the driver that holds it now, or `undefined`. */
function readClaim(dir) {
	const raw = readJson(turnFiles(dir).claim);
	if (raw === void 0) return void 0;
	const claim = Claim.parse(raw);
	for (;;) {
		const next = readJson(takeoverFile(dir, claim.generation + 1));
		if (next === void 0) return claim;
		claim.generation++;
		claim.driver = ProcessIdentity.parse(next);
		claim.released = false;
	}
}
/** Claims a new turn for this process; `undefined` where somebody was faster. */
function createClaim(dirs, fields) {
	const dir = layout.turn(dirs, fields.key);
	mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	const claim = {
		schema: 1,
		...fields,
		startedAt: (/* @__PURE__ */ new Date()).toISOString(),
		generation: 1,
		driver: self(),
		marker: stepMarker(dirs, fields.key),
		attempts: [],
		agentDeaths: 0,
		driverDeaths: 0,
		spentMs: 0
	};
	return createFileSync(turnFiles(dir).claim, JSON.stringify(claim), 384) ? claim : void 0;
}
/** Takes over an interrupted turn, counting its driver's death where it died in the middle; `undefined` where somebody was faster. */
function takeOver(dirs, interrupted) {
	const dir = layout.turn(dirs, interrupted.key);
	const driver = self();
	const generation = interrupted.generation + 1;
	if (!createFileSync(takeoverFile(dir, generation), JSON.stringify(driver), 384)) return void 0;
	const last = interrupted.attempts.at(-1);
	const died = last !== void 0 && last.ended === void 0;
	const attempts = died ? [...interrupted.attempts.slice(0, -1), {
		...last,
		ended: "interrupted"
	}] : interrupted.attempts;
	const claim = {
		...interrupted,
		generation,
		driver,
		attempts,
		released: false,
		driverDeaths: interrupted.driverDeaths + (died ? 1 : 0)
	};
	saveClaim(dirs, claim);
	return claim;
}
/** Writes the claim of a turn that this process drives. */
function saveClaim(dirs, claim) {
	replaceFileSync(turnFiles(layout.turn(dirs, claim.key)).claim, JSON.stringify(claim), { mode: 384 });
}
function saveResult(dirs, key, result) {
	replaceFileSync(turnFiles(layout.turn(dirs, key)).result, JSON.stringify(result), { mode: 384 });
}
/** Asks the driver of a turn, in whichever process, to let go of it. It looks once a second. */
function requestStop(dirs, key, reason) {
	replaceFileSync(turnFiles(layout.turn(dirs, key)).stop, reason, { mode: 384 });
}
/** The request, taken away by reading it. */
function takeStopRequest(dirs, key) {
	const file = turnFiles(layout.turn(dirs, key)).stop;
	if (!existsSync(file)) return void 0;
	const reason = readFileSync(file, "utf8");
	unlinkSync(file);
	return reason === "pause" || reason === "fenced" ? reason : "stop";
}
/** Claims of turns whose agent may still live: unfinished ones, and those that keep their agent. */
function openClaims(dirs) {
	const turns = path.dirname(layout.turn(dirs, ""));
	if (!existsSync(turns)) return [];
	return readdirSync(turns).flatMap((name) => {
		const dir = path.join(turns, name);
		const claim = readClaim(dir);
		return claim !== void 0 && (claim.kept === true || !existsSync(turnFiles(dir).result)) ? [claim] : [];
	});
}
function takeoverFile(dir, generation) {
	return path.join(dir, `takeover.${generation}.json`);
}
function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		const { code } = error;
		if (code === "ENOENT" || code === "ENOTDIR") return void 0;
		throw error;
	}
}
// src/adapters/agents/turn-result.ts
/** Changed files that travel with a result. */
const FILES_SHOWN = 50;
/** @param claim of a turn that has ended */
function turnResult(dirs, claim, texts, rest) {
	const { outcome, reason } = claim.ended ?? {
		outcome: "failed",
		reason: "the turn has no end"
	};
	const usages = claim.attempts.map((a) => a.usage ?? promptUsage({
		promptChars: rest.promptChars,
		answerChars: 0
	}));
	return {
		outcome,
		agent: claim.agent,
		...claim.sessionId !== void 0 && { sessionId: claim.sessionId },
		usage: usages.reduce(addUsage, NO_USAGE),
		...texts,
		transcript: turnFiles(layout.turn(dirs, claim.key)).transcript,
		changedFiles: rest.changedFiles.slice(0, FILES_SHOWN),
		attempts: claim.attempts.length,
		crashes: claim.agentDeaths + claim.driverDeaths,
		leftovers: rest.leftovers,
		durationMs: Math.round(claim.spentMs),
		...rest.denied !== void 0 && rest.denied.length > 0 && { denied: [...rest.denied] },
		...reason !== void 0 && { reason },
		...rest.unfinished
	};
}
// src/core/dollars.ts
/** Most that the runtime can show behind the point. */
const MOST_DECIMALS = 20;
/** US dollars without their unit: "1,500.00", "0.50", "0.0043". */
function dollars(value) {
	const decimals = value > 0 && value < 1 ? Math.min(MOST_DECIMALS, 2 - Math.floor(Math.log10(value))) : 2;
	return value.toLocaleString("en-US", {
		minimumFractionDigits: 2,
		maximumFractionDigits: decimals
	});
}
// src/core/budget.ts
const MINUTE_MS = 6e4;
/** What a run has spent, from its usage. */
function spentOf(usage) {
	return {
		turns: usage.turns,
		tokens: usage.inputTokens + usage.outputTokens,
		costUsd: usage.costUsd ?? 0,
		minutes: (usage.agentMs ?? 0) / MINUTE_MS
	};
}
/** The first part that is spent, or `undefined`. */
function overBudget(limit, spent) {
	return BUDGET_PARTS.find((part) => spent[part] >= (limit[part] ?? Infinity));
}
/** "the budget is spent (12,345 of 10,000 tokens, partly estimated)". */
function budgetText(part, limit, spent, estimated) {
	const marked = estimated && (part === "tokens" || part === "costUsd") ? ", partly estimated" : "";
	return `the budget is spent (${amount(part, spent[part])} of ${amount(part, limit[part] ?? 0)} ${UNITS[part]}${marked})`;
}
const UNITS = {
	turns: "turns",
	tokens: "tokens",
	costUsd: "US dollars",
	minutes: "agent minutes"
};
function amount(part, value) {
	if (part === "costUsd") return dollars(value);
	return (part === "minutes" ? Math.round(value * 10) / 10 : value).toLocaleString("en-US");
}
// src/adapters/agents/ledger.ts
const Entry = object({
	key: string(),
	agent: string(),
	/** Prompts sent; `live` is what the last one has used so far. */
	attempts: number().int(),
	live: Usage,
	/** Of the whole turn. */
	usage: Usage,
	/** Counted by the turn's clock. */
	ms: number(),
	/** Whether the turn has no result yet. */
	open: boolean(),
	/** Its session, with what the agent has counted of it by now. */
	session: object({
		id: string(),
		costUsd: number().optional(),
		tokens: object({
			input: number(),
			output: number()
		}).optional()
	}).optional()
});
const NOTHING = {
	turns: 0,
	tokens: 0,
	costUsd: 0,
	minutes: 0
};
var Ledger = class {
	dirs;
	seen = /* @__PURE__ */ new Map();
	constructor(dirs) {
		this.dirs = dirs;
	}
	write(run, entry) {
		mkdirSync(layout.ledger(this.dirs, run), {
			recursive: true,
			mode: 448
		});
		replaceFileSync(this.file(run, entry.key), JSON.stringify(entry), {
			mode: 384,
			fsync: false
		});
	}
	read(run, key) {
		return this.entryOf(this.file(run, key))?.entry;
	}
	/** What an agent had counted of a session, as the turn of the run that wrote last says. */
	counted(run, sessionId) {
		const { session } = this.entries(run).filter(({ entry }) => entry.session?.id === sessionId).reduce((last, { entry, mtimeMs }) => mtimeMs >= last.mtimeMs ? {
			mtimeMs,
			session: entry.session
		} : last, { mtimeMs: 0 });
		return {
			costUsd: session?.costUsd,
			tokens: session?.tokens
		};
	}
	/**
	* What the run has spent by now, without the turn that asks, whose own is added to it.
	*
	* `before` is what the run knew when the turn was scheduled; the turns beside it that were open since
	* `since` (epoch milliseconds) are not in it. Only turns of the same execution are looked at: a run that
	* uses an id again begins at nothing.
	*/
	spentBeside(run, key, before, since) {
		const others = this.entries(run).filter(({ entry }) => entry.key !== key && scope(run, entry.key) === scope(run, key) && entry.attempts > 0);
		const sums = (entries) => entries.map(({ entry }) => spentIn(entry)).reduce(addSpent, NOTHING);
		const beside = addSpent(before, sums(others.filter(({ entry, mtimeMs }) => entry.open || mtimeMs >= since)));
		const all = sums(others);
		return mapParts((part) => Math.max(beside[part], all[part]));
	}
	entries(run) {
		const dir = layout.ledger(this.dirs, run);
		return list(dir).flatMap((name) => this.entryOf(path.join(dir, name)) ?? []);
	}
	entryOf(file) {
		const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
		if (mtimeMs === void 0) return void 0;
		if (this.seen.get(file)?.mtimeMs !== mtimeMs) this.seen.set(file, {
			mtimeMs,
			entry: readEntry(file)
		});
		const entry = this.seen.get(file)?.entry;
		return entry && {
			entry,
			mtimeMs
		};
	}
	file(run, key) {
		return path.join(layout.ledger(this.dirs, run), `${path.basename(layout.turn(this.dirs, key))}.json`);
	}
};
/** Tokens, cost and minutes of one turn; and the turn itself. */
function spentIn({ usage, ms }) {
	return spentOf({
		...usage,
		turns: 1,
		agentMs: ms
	});
}
function addSpent(a, b) {
	return mapParts((part) => a[part] + b[part]);
}
function mapParts(value) {
	return Object.fromEntries(BUDGET_PARTS.map((part) => [part, value(part)]));
}
function scope(run, key) {
	return key.startsWith(`${run}/`) ? key.slice(run.length + 1).split("/")[0] ?? "" : "";
}
function list(dir) {
	try {
		return readdirSync(dir).filter((name) => name.endsWith(".json"));
	} catch (error) {
		if (typeof error.code === "string") return [];
		throw error;
	}
}
function readEntry(file) {
	try {
		return Entry.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
	} catch (error) {
		if (error instanceof SyntaxError || typeof error.code === "string") return void 0;
		throw error;
	}
}
// src/adapters/agents/turn-spending.ts
/** The budget is looked at, and the ledger written, so often at most. */
const EVERY_MS = 1e3;
/** Time stamps of files lag behind the clock by a tick of the kernel. */
const STAMP_SLACK_MS = 50;
var TurnSpending = class {
	turn;
	since = Date.now() - STAMP_SLACK_MS;
	lookedAt = -Infinity;
	writtenAt = -Infinity;
	written = "";
	/** The prompt that runs. */
	prompt;
	/** Where the driver before was killed, its last prompt counts as what the ledger has of it. */
	constructor(turn) {
		this.turn = turn;
		const { ledger, spec, claim } = turn;
		const last = claim.attempts.at(-1);
		if (last === void 0 || last.usage !== void 0) return;
		const kept = ledger.read(spec.header.run, spec.key);
		if (kept?.attempts === claim.attempts.length) last.usage = {
			...kept.live,
			estimated: true
		};
	}
	/** What the turn has used, over all its prompts. */
	get usage() {
		return this.turn.claim.attempts.flatMap((attempt) => attempt.usage ?? []).reduce(addUsage, this.live());
	}
	/**
	* A prompt is sent.
	*
	* @param costAnew the agent counts cost by process, and its process is new
	*/
	begin(sessionId, chars, costAnew) {
		const { counts, spec } = this.turn;
		if (costAnew) counts.set(spec.header.run, sessionId, { costUsd: 0 });
		this.prompt = {
			sessionId,
			chars,
			counted: counts.of(spec.header.run, sessionId).costUsd ?? 0
		};
		this.write(true);
	}
	/**
	* What the prompt has used, after its end.
	*
	* @param refused the provider refused it, which costs nothing where nothing was done before
	*/
	end(response, refused) {
		const { counts, spec, log } = this.turn;
		const { saidChars, chunkTokens, costUsd } = log;
		const usage = refused && saidChars === 0 && chunkTokens === void 0 && costUsd === void 0 ? NO_USAGE : this.live(response);
		if (this.prompt !== void 0 && costUsd !== void 0) counts.set(spec.header.run, this.prompt.sessionId, { costUsd });
		this.prompt = void 0;
		return usage;
	}
	session() {
		const { counts, spec, claim: { sessionId }, log } = this.turn;
		if (sessionId === void 0) return void 0;
		const { costUsd, tokens } = counts.of(spec.header.run, sessionId);
		return {
			id: sessionId,
			costUsd: (this.prompt && log.costUsd) ?? costUsd,
			tokens
		};
	}
	live(response) {
		if (this.prompt === void 0) return NO_USAGE;
		const { chars, counted } = this.prompt;
		const { chunkTokens, saidChars, costUsd } = this.turn.log;
		return promptUsage({
			response,
			chunkTokens,
			promptChars: chars,
			answerChars: saidChars,
			costUsd: costUsd === void 0 ? void 0 : costSince(counted, costUsd)
		});
	}
	/** The part of the budget that is spent, in whichever turn of the run; `undefined` where none is, or there is no budget. */
	over() {
		const { ledger, spec, claim, clock } = this.turn;
		if (spec.budget === void 0) return void 0;
		const spent = addSpent(ledger.spentBeside(spec.header.run, spec.key, spec.budget.spent, this.since), {
			...spentIn({
				usage: this.usage,
				ms: clock.spentMs
			}),
			turns: 0
		});
		const { turns, ...rest } = spec.budget.limit;
		const limit = claim.attempts.length > 0 || turns === void 0 ? rest : {
			turns,
			...rest
		};
		const part = overBudget(limit, spent);
		return part && {
			part,
			reason: budgetText(part, limit, spent, this.usage.estimated)
		};
	}
	/** `over`, looked at once a second at most. */
	overNow(elapsedMs) {
		if (elapsedMs - this.lookedAt < EVERY_MS) return void 0;
		this.lookedAt = elapsedMs;
		return this.over();
	}
	/** Writes the ledger once a second at most, and where something changed. */
	tick(elapsedMs) {
		if (elapsedMs - this.writtenAt < EVERY_MS) return;
		this.writtenAt = elapsedMs;
		this.write(true);
	}
	/** @param open whether the turn has no result yet */
	write(open) {
		const { ledger, spec, claim, clock, side } = this.turn;
		if (claim.attempts.length === 0) return;
		const last = claim.attempts.at(-1)?.usage ?? this.live();
		const entry = {
			key: spec.key,
			agent: spec.agent,
			attempts: claim.attempts.length,
			live: last,
			usage: this.usage,
			ms: Math.round(clock.spentMs),
			open,
			session: this.session()
		};
		const text = JSON.stringify(entry);
		if (text === this.written) return;
		side.try(() => {
			ledger.write(spec.header.run, entry);
			this.written = text;
		});
	}
};
/** The spent time is written down every so many ticks. */
const SAVE_TICKS = 10;
var RunningTurn = class {
	shared;
	spec;
	claim;
	hooks;
	done;
	attendance;
	ticker;
	clock;
	log;
	side = new SideWrites();
	definition;
	env;
	spending;
	limit;
	listener;
	agent;
	unfinished;
	release;
	leftovers = 0;
	/** The agent's process is to be ended, not asked to close, and not to be kept. */
	unusable = false;
	/** Its process is new, and counts the cost from nothing. */
	costAnew = false;
	/** The session to go on with is not known to the agent. */
	lostSession = false;
	state = "starting";
	ticks = 0;
	/** @param hooks of the call that starts it, which attends it too */
	constructor(shared, spec, claim, hooks) {
		this.shared = shared;
		this.spec = spec;
		this.claim = claim;
		this.hooks = hooks;
		this.definition = definitionOf(hooks.config, spec.agent);
		const env = agentEnv(spec.agent, this.definition, envOf(spec.workspace, shared.env));
		this.env = {
			...env,
			...writeSettings(this.definition.known, env, layout.turn(shared.dirs, spec.key))
		};
		this.log = new TurnLog(turnFiles(layout.turn(shared.dirs, spec.key)), redactor(secretsOf(secretNames(this.definition, shared.env), shared.env)), this.side);
		this.attendance = new Attendance(shared.timing.adoptMs);
		this.clock = new TurnClock(spec, claim.spentMs);
		this.spending = new TurnSpending({
			...shared,
			spec,
			claim,
			clock: this.clock,
			log: this.log,
			side: this.side
		});
		this.limit = new TurnLimit(limitFile(shared.dirs, agentDefinition(hooks.config, spec.agent) ?? this.definition, spec.workspace.project, shared.env), spec.agent, shared.now, this.side);
		this.listener = new TurnListener({
			log: this.log,
			clock: this.clock,
			limit: this.limit,
			attendance: this.attendance,
			waits: new PersonWaits(turnFiles(layout.turn(shared.dirs, spec.key)).waits, this.side),
			policy: hooks.config.permissions,
			onSession: (sessionId) => this.save({ sessionId })
		});
		this.ticker = new Ticker(shared.clock);
		this.ticker.onTick(() => this.tick());
		takeStopRequest(shared.dirs, spec.key);
		this.done = this.play();
		this.done.catch(() => void 0);
	}
	get run() {
		return this.claim.run;
	}
	get why() {
		return this.attendance.why;
	}
	async play() {
		let finished = false;
		try {
			await Promise.resolve();
			const ending = this.claim.ended ?? await this.work();
			if (this.unfinished !== void 0) return await this.interrupted(ending, this.unfinished);
			if (this.why !== void 0 && this.why !== "stop" && ending.outcome === "stopped") return await this.letGo(this.why);
			const result = await this.conclude(ending);
			finished = true;
			return result;
		} finally {
			await this.leave(false);
			this.log.close();
			this.ticker.stop();
			if (!finished) this.save({ released: true });
		}
	}
	async work() {
		const { shared, spec, claim } = this;
		await endClaimed(claim, shared.timing.endGraceMs);
		if (claim.driverDeaths >= 2) return {
			outcome: "failed",
			reason: `the worker that ran this turn died ${claim.driverDeaths} times in it`
		};
		const held = this.held();
		if (held !== void 0) return held;
		this.takeKept();
		try {
			await shared.enterWorkspace({
				key: spec.key,
				cwd: spec.workspace.cwd,
				group: spec.beside,
				sessionId: claim.sessionId ?? spec.sessionId
			}, this.attendance.signal);
			this.release ??= await this.slot();
		} catch (error) {
			if (this.why === void 0) throw error;
			return this.stopped();
		}
		const late = this.held();
		if (late !== void 0) return late;
		if (claim.attempts.length === 0 && spec.beside === void 0 && spec.keepTree !== true) await this.hooks.beforeStart?.();
		for (;;) {
			const ending = await this.attempt();
			if (ending !== "again") return ending;
		}
	}
	/** Why the turn may not begin now: then nothing is started and no attempt is counted. */
	held() {
		const over = this.spending.over();
		if (over !== void 0) return this.overBudget(over);
		const until = this.limit.inForce();
		return until === void 0 ? void 0 : this.limited(until, `agent "${this.claim.agent}" is limited by its model provider until ${new Date(until).toISOString()}`);
	}
	overBudget({ part, reason }) {
		this.unfinished = { over: part };
		return {
			outcome: "over_budget",
			reason
		};
	}
	limited(until, reason = "the agent's model provider limits the rate") {
		this.unfinished = { limitedUntil: until };
		return {
			outcome: "rate_limited",
			reason
		};
	}
	takeKept() {
		const { shared, spec, claim } = this;
		const kept = spec.sessionId === void 0 || claim.attempts.length > 0 ? void 0 : shared.pool.take(spec.sessionId, spec.agent);
		if (kept === void 0) return;
		this.release = kept.release;
		this.agent = kept.agent;
		this.agent.listener = this.listener;
		this.save({
			process: this.agent.identity,
			marker: this.agent.step
		});
	}
	slot() {
		const { dirs, pool } = this.shared;
		this.show("starting");
		return acquireSlot(layout.slots(dirs), this.hooks.config.limits.agentsPerHost, {
			signal: this.attendance.signal,
			onWait: () => {
				if (this.state !== "slot") this.show("slot");
				pool.closeAll();
			}
		});
	}
	async attempt() {
		const { claim } = this;
		try {
			return await this.prompt(await this.open());
		} catch (error) {
			if (this.why !== void 0) return this.stopped();
			if (error instanceof AgentRefused) return this.refused(error);
			if (error instanceof SessionLost) return this.lost(error);
			if (error instanceof NotAcp || error instanceof MessageTooLong) {
				this.unusable = true;
				return {
					outcome: "failed",
					reason: error.message
				};
			}
			if (error instanceof NoAnswer) return {
				outcome: "failed",
				reason: `${error.message}; ${this.lastWords()}`
			};
			if (error instanceof CommandNotFound) return {
				outcome: "failed",
				reason: `agent "${claim.agent}" cannot be started: ${error.message}; install it, or correct agents.${claim.agent} in the config`
			};
			if (!(error instanceof AgentGone)) throw error;
			return this.died(error);
		}
	}
	async lost(error) {
		this.lostSession = true;
		this.log.mark("lost", { reason: error.message });
		await this.closeAgent();
		return "again";
	}
	refused({ error }) {
		const ending = endingOfError(this.log.redactAll(error));
		if (ending.outcome !== "rate_limited" && !this.limit.standing) return ending;
		return this.limited(this.limit.hit(error), ending.outcome === "rate_limited" ? ending.reason : void 0);
	}
	lastWords() {
		const words = this.log.lastWords();
		return words === "" ? "it wrote nothing to standard error" : `it had written: ${words}`;
	}
	async died(error) {
		const { claim } = this;
		const first = claim.attempts.length === 0;
		const deaths = claim.agentDeaths + (first ? 0 : 1);
		this.save({ agentDeaths: deaths });
		this.unusable = true;
		await this.closeAgent();
		const last = this.lastWords();
		this.log.mark("died", {
			deaths,
			reason: `${error.message}; ${last}`
		});
		if (first) return {
			outcome: "failed",
			reason: `${error.message} before it took a prompt; ${last}`
		};
		if (deaths > 2) return {
			outcome: "failed",
			reason: `${error.message}; it died ${deaths} times in this turn; ${last}`
		};
		return this.why === void 0 ? "again" : this.stopped();
	}
	/** Makes sure of a process with an open session, and returns what to say in it. */
	async open() {
		const { spec, claim } = this;
		const session = this.agent === void 0 ? await this.start() : "same";
		if (claim.attempts.length > 0) return resumePrompt({
			prompt: spec.prompt,
			sameSession: session === "same"
		});
		return session === "lost" ? lostSessionPrompt(spec.prompt) : spec.prompt;
	}
	async start() {
		const { spec, claim, shared } = this;
		this.show("starting");
		this.unusable = false;
		const options = {
			argv: definitionToArgv(this.definition, spec.workspace.project, this.env),
			cwd: spec.workspace.cwd,
			env: this.env,
			markers: {
				run: spec.header.run,
				step: claim.marker
			},
			spawn: shared.spawn,
			listener: this.listener,
			ticker: this.ticker,
			signal: this.attendance.signal,
			timing: shared.timing,
			onProcess: (process) => this.save({ process })
		};
		const { definition } = this;
		const starting = definition.protocol === "exec" ? ExecAgent.start({
			...options,
			definition,
			project: spec.workspace.project,
			folder: layout.turn(shared.dirs, spec.key),
			counts: shared.counts
		}) : AcpAgent.start(options);
		const agent = this.agent = await starting.catch(async (error) => {
			this.leftovers += await endOutsiders([], shared.timing.endGraceMs, claim.marker);
			throw error;
		});
		this.costAnew = definition.known !== void 0 && KNOWN_AGENTS[definition.known].costByProcess === true;
		const choice = this.definition.protocol === "acp" ? {
			mode: this.definition.mode,
			model: this.definition.model
		} : {};
		const earlier = claim.sessionId ?? spec.sessionId;
		if (earlier !== void 0 && !this.lostSession && await agent.resumeSession(earlier, choice)) return "same";
		await agent.newSession(choice);
		return earlier === void 0 ? "new" : "lost";
	}
	async prompt(text) {
		const { spec, claim, shared, clock } = this;
		const agent = this.agent;
		const attempt = claim.attempts.length + 1;
		const prompt = withHeader({
			...spec.header,
			attempt
		}, text);
		const entry = {
			attempt,
			at: (/* @__PURE__ */ new Date()).toISOString(),
			sessionId: agent.sessionId
		};
		this.save({
			sessionId: agent.sessionId,
			attempts: [...claim.attempts, entry]
		});
		this.log.prompt(attempt, prompt);
		this.limit.begin();
		this.spending.begin(agent.sessionId, prompt.length, this.costAnew);
		this.costAnew = false;
		clock.begin();
		this.show("running");
		let over;
		const { interrupted, answer } = await timedPrompt({
			agent,
			text: prompt,
			clock,
			ticker: this.ticker,
			signal: this.attendance.signal,
			graceMs: shared.timing.cancelGraceMs,
			onInterrupt: () => this.show("ending"),
			isOverBudget: () => (over = this.spending.overNow(this.ticker.elapsedMs)) !== void 0
		});
		const response = answer !== void 0 && "response" in answer ? answer.response : void 0;
		const refusal = answer !== void 0 && "error" in answer && answer.error instanceof AgentRefused ? endingOfError(answer.error.error) : void 0;
		entry.usage = this.spending.end(response, refusal?.outcome === "rate_limited");
		entry.ended = interrupted !== void 0 ? "interrupted" : response !== void 0 ? "answered" : "died";
		this.save({ spentMs: clock.spentMs });
		this.spending.write(true);
		this.unusable = answer === void 0;
		if (interrupted === "stopped") return this.stopped();
		if (interrupted === "over_budget" && over !== void 0) return this.overBudget(over);
		if (interrupted !== void 0 && interrupted !== "over_budget" && !this.limit.standing) return {
			outcome: interrupted,
			reason: limitReason(interrupted, spec, answer !== void 0)
		};
		if (answer !== void 0 && "error" in answer) throw answer.error;
		return this.limit.standing ? this.limited(this.limit.hit()) : endingOf(at(response, "stopReason"));
	}
	stopped() {
		return {
			outcome: "stopped",
			reason: this.why === "pause" ? "paused" : "stopped on request"
		};
	}
	async conclude(ending) {
		const { shared, spec } = this;
		const ended = this.endOf(ending);
		this.show("ending");
		this.log.mark("ended", ended);
		this.save({ ended });
		await this.leave([
			"completed",
			"timed_out",
			"stalled"
		].includes(ending.outcome));
		const result = await this.result(this.claim);
		this.spending.write(false);
		saveResult(shared.dirs, spec.key, result);
		if (ending.outcome === "completed") this.limit.clear();
		return result;
	}
	endOf({ outcome, reason }) {
		return {
			outcome,
			...reason !== void 0 && { reason: this.log.redact(reason) }
		};
	}
	async letGo(why) {
		this.log.mark("interrupted", { why });
		await this.leave(false);
		if (why !== "pause") throw new TurnInterrupted(why);
		return this.result({
			...this.claim,
			ended: {
				outcome: "stopped",
				reason: "paused"
			}
		});
	}
	async interrupted(ending, unfinished) {
		const ended = this.endOf(ending);
		this.log.mark("interrupted", {
			why: ending.outcome,
			...unfinished
		});
		await this.leave(false);
		return this.result({
			...this.claim,
			ended
		}, unfinished);
	}
	async result(claim, unfinished) {
		const changedFiles = this.spec.beside === void 0 ? await this.shared.changedFiles(this.spec.workspace) : [];
		return turnResult(this.shared.dirs, claim, this.log.finish(), {
			changedFiles: changedFiles.map((file) => this.log.redact(file)),
			leftovers: this.leftovers,
			promptChars: this.spec.prompt.length,
			denied: this.listener.denied,
			...unfinished && { unfinished }
		});
	}
	/** Closes or keeps the agent, ends what left its group, gives the slot back. Doing it twice is harmless. */
	async leave(mayKeep) {
		const { shared, spec, claim, agent, release } = this;
		this.release = void 0;
		if (mayKeep && spec.followUp && !this.unusable && agent !== void 0 && release !== void 0 && isAlive(agent.identity)) {
			this.agent = void 0;
			agent.listener = void 0;
			this.leftovers += await endOutsiders(outsiders(agent.identity, agent.step), shared.timing.endGraceMs);
			this.save({ kept: true });
			const onLeft = () => saveClaim(shared.dirs, Object.assign(claim, { kept: false }));
			shared.pool.put({
				agent,
				name: spec.agent,
				run: claim.run,
				cwd: spec.workspace.cwd,
				group: spec.beside,
				release,
				onLeft
			}, shared.timing.keepMs);
			return;
		}
		await this.closeAgent();
		await release?.();
	}
	async closeAgent() {
		const { agent, shared } = this;
		if (agent === void 0) return;
		this.agent = void 0;
		const left = outsiders(agent.identity, agent.step);
		if (this.unusable) await agent.kill();
		else await agent.close();
		this.leftovers += await endOutsiders(left, shared.timing.endGraceMs, agent.step);
	}
	tick() {
		const asked = this.side.try(() => takeStopRequest(this.shared.dirs, this.spec.key));
		if (asked !== void 0) this.attendance.stop(asked);
		this.log.tick();
		if (++this.ticks % SAVE_TICKS === 0 && this.state === "running") this.side.try(() => this.save({ spentMs: this.clock.spentMs }));
		if (this.state === "running") this.spending.tick(this.ticker.elapsedMs);
		this.show(this.state);
	}
	show(state) {
		this.state = state;
		const sessionId = this.agent?.sessionId;
		const lastEvent = this.side.trouble ?? this.listener.lastEvent;
		this.attendance.show({
			state,
			elapsedMs: Math.round(this.clock.spentMs),
			...sessionId ? { sessionId } : {},
			...lastEvent === void 0 ? {} : { lastEvent },
			...this.log.saidChars > 0 ? { tokens: Math.ceil(this.log.saidChars / 4) } : {}
		});
	}
	save(change) {
		saveClaim(this.shared.dirs, Object.assign(this.claim, change));
	}
};
// src/adapters/agents/driver-shared.ts
/** Waits of the driver, in milliseconds; tests shorten them. */
const TIMING = {
	/** For each answer before the prompt: initialize, session/new, … A first start may download the agent, or its host be loaded. */
	startMs: 3e5,
	/** Between an interruption and the end of an agent that does not heed it. */
	cancelGraceMs: 1e4,
	/** Between TERM and KILL. */
	endGraceMs: GRACE_MS,
	/** For an agent that was asked to close. */
	closeMs: 3e3,
	/** For a command to end by itself after its last event: some write their session still. */
	lingerMs: 3e4,
	/** A process outlives its turn by no more. */
	keepMs: 6e4,
	/** Replayed history may come so late. */
	replayQuietMs: 300,
	/** For the next attempt to adopt a turn that the server gave up. */
	adoptMs: 5e3,
	/** Between two looks at a turn of another worker. */
	pollMs: 500,
	/** For another worker to let go of a workspace. */
	yieldMs: 3e4
};
// src/adapters/process/lock.ts
/**
* Waits for the lock and takes it; a dead owner's lock is free. Not re-entrant.
*
* @param dir names the lock; a directory of claims is made there
*/
function acquireLock(dir, options = {}) {
	return acquireClaim(dir, 1, options);
}
// src/adapters/agents/fence.ts
/** `keys`: the turns that were let in. Without `group` it is one that works alone. */
const Fence = object({
	cwd: string(),
	keys: array(string()),
	group: string().optional(),
	driver: ProcessIdentity
});
/** As it was written before turns could share a workspace. */
const LoneFence = object({
	cwd: string(),
	key: string(),
	driver: ProcessIdentity
}).transform(({ key, ...rest }) => ({
	...rest,
	keys: [key]
}));
function fencePath(dirs, cwd) {
	return path.join(layout.locks(dirs), `fence-${digest(cwd).slice(0, 24)}`);
}
/** The turns that were last let into this workspace. */
function readFence(dirs, cwd) {
	try {
		return union([Fence, LoneFence]).parse(JSON.parse(readFileSync(`${fencePath(dirs, cwd)}.json`, "utf8")));
	} catch (error) {
		if (error.code === "ENOENT") return void 0;
		throw error;
	}
}
/** Lets turns of this process into the workspace; the ones that are not named are out. */
function writeFence(dirs, cwd, { keys, group }) {
	mkdirSync(layout.locks(dirs), {
		recursive: true,
		mode: 448
	});
	const fence = {
		cwd,
		keys: [...keys],
		...group === void 0 ? {} : { group },
		driver: self()
	};
	replaceFileSync(`${fencePath(dirs, cwd)}.json`, JSON.stringify(fence), { mode: 384 });
}
/** Waits until nobody else, in any process, enters or clears this workspace; gives up with the signal's reason. */
function fenceLock(dirs, cwd, signal) {
	return acquireLock(`${fencePath(dirs, cwd)}.lock`, signal && { signal });
}
// src/adapters/agents/session-counts.ts
var SessionCounts = class {
	ledger;
	known = /* @__PURE__ */ new Map();
	constructor(ledger) {
		this.ledger = ledger;
	}
	/** Nothing of a session that no turn of the run has written down. */
	of(run, sessionId) {
		return this.known.get(sessionId) ?? this.ledger.counted(run, sessionId);
	}
	set(run, sessionId, counted) {
		this.known.set(sessionId, {
			...this.of(run, sessionId),
			...counted
		});
	}
};
// src/adapters/agents/driver.ts
function createAgentDriver({ dirs, env, changedFiles, log = () => {}, clock = SYSTEM_CLOCK, now = Date.now, spawn = spawnGroup, timing: changed }) {
	const timing = {
		...TIMING,
		...changed
	};
	const running = /* @__PURE__ */ new Map();
	const pool = new AgentPool();
	const ledger = new Ledger(dirs);
	const shared = {
		dirs,
		env,
		clock,
		now,
		spawn,
		timing,
		pool,
		ledger,
		counts: new SessionCounts(ledger),
		changedFiles,
		enterWorkspace
	};
	/**
	* Runs one turn, at most once per key. A failed agent is a result. One that is limited by its provider, or
	* over the run's budget, is told and not written down: a call with the same key goes on with its session.
	*
	* @throws TurnInterrupted on shutdown, or where the attempt was given up: the same key goes on;
	* MissingVariable and RefusalError before anything has begun
	*/
	async function runTurn(spec, hooks) {
		for (;;) {
			const mine = running.get(spec.key);
			if (mine !== void 0) return mine.attendance.attend(hooks, mine.done);
			const found = find(dirs, spec.key);
			if (found.state === "done") return found.result;
			if (found.state === "theirs") {
				await waitForOther(spec.key, found.driver, hooks);
				continue;
			}
			agentEnv(spec.agent, definitionOf(hooks.config, spec.agent), env, spec.workspace.cwd);
			const { key, header, workspace, agent } = spec;
			const claim = found.state === "new" ? createClaim(dirs, {
				key,
				run: header.run,
				cwd: workspace.cwd,
				agent
			}) : takeOver(dirs, found.claim);
			if (claim === void 0) continue;
			if (found.state === "interrupted") log(`turn ${key}: goes on after an interruption (attempts ${claim.attempts.length}, crashes ${claim.agentDeaths + claim.driverDeaths})`);
			const turn = new RunningTurn(shared, spec, claim, hooks);
			running.set(key, turn);
			turn.done.catch(() => void 0).finally(() => running.delete(key));
			return turn.attendance.attend(hooks, turn.done);
		}
	}
	async function waitForOther(key, driver, hooks) {
		let asked = false;
		while (find(dirs, key).state === "theirs") {
			const why = hooks.signal.aborted ? hooks.abortReason?.() ?? "stop" : void 0;
			if (why === "shutdown" || why === "abandoned") throw new TurnInterrupted(why);
			if (why !== void 0 && !asked) requestStop(dirs, key, why);
			asked = why !== void 0;
			hooks.onProgress?.({
				state: "other_worker",
				lastEvent: `driven by worker ${driver.pid}`,
				elapsedMs: 0
			});
			await setTimeout$1(timing.pollMs);
		}
	}
	async function enterWorkspace({ key, cwd, group, sessionId }, signal) {
		const release = await fenceLock(dirs, cwd, signal);
		try {
			const fence = readFence(dirs, cwd);
			const siblings = group !== void 0 && fence?.group === group ? fence.keys.filter((other) => other !== key) : void 0;
			if (siblings === void 0) await clear(cwd, fence?.keys.filter((other) => other !== key));
			else if (sessionId !== void 0) await freeSession(sessionId, siblings);
			signal.throwIfAborted();
			writeFence(dirs, cwd, {
				keys: [...(siblings ?? []).filter(mayRun), key],
				group
			});
		} finally {
			await release();
		}
	}
	async function clear(cwd, keys = []) {
		await Promise.all([pool.closeAll((kept) => kept.cwd === cwd), ...keys.map(endTurn)]);
	}
	async function endTurn(key) {
		await interrupt(key, "fenced");
		const waited = stopwatch();
		if (find(dirs, key).state === "theirs") requestStop(dirs, key, "fenced");
		while (find(dirs, key).state === "theirs" && waited() < timing.yieldMs) await setTimeout$1(timing.pollMs);
		await endLeft(key);
	}
	async function endLeft(key) {
		const claim = readClaim(layout.turn(dirs, key));
		if (claim === void 0 || claim.kept !== true && find(dirs, key).state === "done") return;
		const ended = await endClaimed(claim, timing.endGraceMs);
		if (ended > 0) log(`turn ${key}: ended ${ended} of its processes, as another turn needs its workspace`);
	}
	async function freeSession(sessionId, siblings) {
		await pool.free(sessionId);
		const held = siblings.filter((key) => !running.has(key) && find(dirs, key).state !== "theirs" && readClaim(layout.turn(dirs, key))?.sessionId === sessionId);
		await Promise.all(held.map(endLeft));
	}
	function mayRun(key) {
		return find(dirs, key).state !== "done" || readClaim(layout.turn(dirs, key))?.kept === true;
	}
	async function interrupt(key, why) {
		const turn = running.get(key);
		turn?.attendance.stop(why);
		await turn?.done.catch(() => void 0);
	}
	/** After an activity failure of a turn: ends what still runs of it, unless another living worker drives it, and reads its record. */
	async function settleTurn(key) {
		await interrupt(key, "abandoned");
		const found = find(dirs, key);
		if (found.state === "done") return {
			result: found.result,
			ended: 0,
			...sessionOf(found.result),
			crashes: found.result.crashes
		};
		if (found.state !== "interrupted") return {
			ended: 0,
			crashes: 0
		};
		const claim = takeOver(dirs, found.claim);
		if (claim === void 0) return settleTurn(key);
		const ended = await endClaimed(claim, timing.endGraceMs);
		saveClaim(dirs, {
			...claim,
			released: true
		});
		const settled = {
			ended,
			...sessionOf(claim),
			crashes: claim.agentDeaths + claim.driverDeaths
		};
		return claim.ended === void 0 ? settled : {
			...settled,
			result: close(claim)
		};
	}
	function close(claim) {
		const result = turnResult(dirs, claim, new TurnLog(turnFiles(layout.turn(dirs, claim.key)), NO_SECRETS).finish(), {
			changedFiles: [],
			leftovers: 0,
			promptChars: 0
		});
		const spent = shared.ledger.read(claim.run, claim.key);
		if (spent !== void 0) shared.ledger.write(claim.run, {
			...spent,
			open: false
		});
		saveResult(dirs, claim.key, result);
		return result;
	}
	/** Ends everything that carries the marker of a run; returns how many processes that were. */
	async function endRun(run) {
		await Promise.all([...running].filter(([, turn]) => turn.run === run).map(([key]) => interrupt(key, "abandoned")));
		await pool.closeAll((kept) => kept.run === run);
		return endMarked(MARKERS.run, run, { graceMs: timing.endGraceMs });
	}
	/** Ends agents that work in a workspace or are kept there, before it is measured or moved. */
	async function endWorkspace({ cwd }) {
		const release = await fenceLock(dirs, cwd);
		try {
			await clear(cwd, readFence(dirs, cwd)?.keys);
		} finally {
			await release();
		}
	}
	/** On the start of a worker: ends agents whose driver is dead; returns how many processes that were. */
	async function sweep() {
		let ended = 0;
		for (const left of openClaims(dirs)) {
			if (isAlive(left.driver)) continue;
			const claim = takeOver(dirs, left);
			if (claim === void 0) continue;
			ended += await endClaimed(claim, timing.endGraceMs);
			saveClaim(dirs, {
				...claim,
				kept: false,
				released: true
			});
		}
		if (ended > 0) log(`ended ${ended} processes of agents whose worker had died`);
		return ended;
	}
	/** Interrupts every turn, so that the next attempt goes on with its session, and ends all agents. */
	async function shutdown() {
		await Promise.all([...running.keys()].map((key) => interrupt(key, "shutdown")));
		await pool.closeAll();
	}
	return {
		runTurn,
		settleTurn,
		endRun,
		endWorkspace,
		sweep,
		shutdown
	};
}
function sessionOf({ sessionId }) {
	return sessionId === void 0 ? {} : { sessionId };
}
// test/support/agents/driver-process.ts
const { state, config, spec, timing, env } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const driver = createAgentDriver({
	dirs: {
		state,
		cache: state
	},
	env: {
		...process.env,
		...env
	},
	changedFiles: () => Promise.resolve([]),
	timing,
	clock: {
		...SYSTEM_CLOCK,
		tickMs: 20
	}
});
tell({ result: await driver.runTurn(spec, {
	config: Config.parse(config),
	signal: new AbortController().signal,
	onProgress: (progress) => tell({ progress })
}).catch((error) => {
	if (error instanceof TurnInterrupted) return void 0;
	throw error;
}) });
await driver.shutdown();
export {};
