// The environment of a run: that of the command which started or last continued it. Its values are
// no part of any input, answer or record.
import { z } from 'zod'

/**
 * Where the environment of a run comes from: the command that started or last continued the run;
 * the project's last command; the supervisor; the worker itself.
 */
export const EnvFrom = z.enum(['command', 'project', 'supervisor', 'worker'])
export type EnvFrom = z.infer<typeof EnvFrom>

/** What a run reports of its environment. `named`: variables that its configuration names. */
export const RunEnv = z.object({ from: EnvFrom, named: z.array(z.string()) })
export type RunEnv = z.infer<typeof RunEnv>

/** Variables with their values. */
export const Variables = z.record(z.string(), z.string())
export type Variables = z.infer<typeof Variables>
