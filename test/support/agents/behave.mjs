// The behaviours of the fake agents of the conformance suite, selected by their argument, for every
// protocol. `stage` defines the output.
import { spawn } from 'node:child_process'

const MB = 1 << 20

/** @returns how the prompt ends: `end_turn`, `cancelled`, or an error with its structured fields */
export async function behave(behaviour, { nth, text }, stage) {
  const { turn = 'work', attempt = 1 } = headerOf(text)
  const undisturbed = attempt === 1 && turn === 'work'
  const answer = async () => (
    await stage.say(`${nth === 1 ? 'first' : 'second'} prompt of this session`),
    'end_turn'
  )
  switch (behaviour) {
    case 'waits':
      if (!undisturbed) return answer()
      await stage.say('begun ')
      await stage.cancelled
      return 'cancelled'
    case 'dies-once':
    case 'dies':
      await stage.say('begun ')
      if (behaviour === 'dies' || undisturbed) stage.die()
      return answer()
    case 'floods':
      for (let mb = 0; mb < 12; mb++) await stage.say('y'.repeat(MB))
      return answer()
    case 'forks':
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
        detached: true,
        stdio: 'ignore',
      }).unref()
      return answer()
    case 'asks':
      return (await stage.say(`told ${await stage.ask('touch the moon')}`), 'end_turn')
    case 'limited-once':
      return undisturbed
        ? { type: 'rate_limit_error', status: 429, message: 'slow down', retry_after: 3_600 }
        : answer()
    case 'spends':
      if (!undisturbed) return answer()
      await stage.say('z'.repeat(40_000))
      await stage.cancelled
      return 'cancelled'
    default:
      return answer()
  }
}

function headerOf(text) {
  const line = text.split('\n', 1)[0]
  return line.startsWith('ratchet-turn: ') ? JSON.parse(line.slice('ratchet-turn: '.length)) : {}
}
