import type { PaymentIntent, StripeFault } from './stripe-objects.js'

/** Error that the test server answers, with its status. */
export class StripeProblem extends Error {
  constructor(
    readonly status: number,
    readonly fault: StripeFault,
    readonly intent?: PaymentIntent,
  ) {
    super(fault.message)
  }
}

export function invalid(code: string, message: string): StripeProblem {
  return new StripeProblem(400, { type: 'invalid_request_error', code, message })
}

export function unexpected(intent: PaymentIntent): StripeProblem {
  const message = `This PaymentIntent has a status of ${intent.status}.`
  const fault = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message }
  return new StripeProblem(400, fault, intent)
}

export function found<T>(value: T | undefined, name: string, id: string): T {
  if (value !== undefined) return value
  const message = `No such ${name}: '${id}'`
  throw new StripeProblem(404, { type: 'invalid_request_error', code: 'resource_missing', message })
}
