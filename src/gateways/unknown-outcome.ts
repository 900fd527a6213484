import type { RailAnswer, RailResponse } from '../platform/network/rail-client.js'
import type { NotSentOutcome } from './contract.js'

/** Nothing is known of an operation's outcome: thrown by a rail, which never guesses. */
export class UnknownOutcome extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnknownOutcome'
  }
}

/**
 * The response to an operation, or that it certainly was not sent. Throws `UnknownOutcome` where it may have arrived and no
 * response came.
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
