import type { RailAnswer, RailResponse } from '../platform/network/rail-client.js'
import type { NotSentOutcome } from './contract.js'

/** Thrown by a rail, which never guesses, when the outcome of an operation is unknown. */
export class UnknownOutcome extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnknownOutcome'
  }
}

/**
 * The response to an operation, or the fact that it certainly was not sent. Throws `UnknownOutcome` where it may have
 * arrived without a response.
 */
export function responseOrNotSent(answer: RailAnswer): RailResponse | NotSentOutcome {
  switch (answer.kind) {
    case 'answered':
      return answer
    case 'not_sent':
      return { result: 'not_sent', problem: answer.problem }
    case 'unanswered':
      throw new UnknownOutcome(answer.problem)
  }
}
