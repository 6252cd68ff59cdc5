// The control port's routes for the environments of runs.
import {
  EnvironmentOffer,
  EnvironmentQuestion,
  EnvironmentsBack,
  OfferDecision,
} from '../../adapters/environments/environment-messages.js'
import type { Routes } from '../control.js'
import type { HeldEnvironments } from './held-environments.js'

export function environmentRoutes(environments: HeldEnvironments): Routes {
  const answer = (body: unknown) => Promise.resolve({ code: 200, body })
  return {
    'POST /environments': (body) => {
      const { project, run, env } = EnvironmentOffer.parse(body)
      return answer({ offer: environments.offer(project, run, env) })
    },
    'POST /environments/decision': (body) => {
      const { offer, isTaken } = OfferDecision.parse(body)
      return environments.decide(offer, isTaken)
        ? answer({})
        : Promise.resolve({ code: 404, body: { error: 'no such offer' } })
    },
    'POST /environments/of': async (body) =>
      answer(await environments.of(EnvironmentQuestion.parse(body))),
    'POST /environments/back': (body) => {
      environments.back(EnvironmentsBack.parse(body))
      return answer({})
    },
  }
}
