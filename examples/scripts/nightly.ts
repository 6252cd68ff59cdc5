// Repairs the tests of a project every night at two. Run it again to change the schedule.
//
//   node nightly.ts /home/me/shop          # --now also starts a run at once
import { connect } from 'ratchet-cycles'

const now = process.argv.includes('--now')
const [project = process.cwd()] = process.argv.slice(2).filter((word) => word !== '--now')
const ratchet = await connect()
const schedule = await ratchet.schedule('nightly-fix', {
  kind: 'test-fix',
  input: { project },
  cron: '0 2 * * *',
  timezone: 'Europe/Berlin',
  note: `the tests of ${project}`,
})
if (now) await schedule.trigger()

const { info } = await schedule.describe()
console.log(`next run at ${info.nextActionTimes[0]?.toISOString() ?? 'no time'}`)
await ratchet.close()
