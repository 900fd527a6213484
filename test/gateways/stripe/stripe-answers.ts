import type { ServerResponse } from 'node:http'
import { StripeProblem } from './stripe-problem.js'

export interface Answered {
  readonly status: number
  readonly text: string
}

export const BROKEN: Answered = {
  status: 500,
  text: JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong on our end.' } }),
}

export function limited(code: string): StripeProblem {
  return new StripeProblem(429, { type: 'invalid_request_error', code, message: 'Try again later.' })
}

export function attempt(run: () => object): Answered {
  try {
    return { status: 200, text: JSON.stringify(run()) }
  } catch (error) {
    if (error instanceof StripeProblem) return answerOf(error)
    throw error
  }
}

export function answerOf({ status, fault, intent }: StripeProblem): Answered {
  return { status, text: JSON.stringify({ error: { ...fault, ...(intent && { payment_intent: intent }) } }) }
}

export function send(response: ServerResponse, { status, text }: Answered): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(text)
}
