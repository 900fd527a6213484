import { expect } from 'chai'
import { failureOf, Interrupted, Refusal, UsageError } from '../../../../src/cli/terminal/failure/failure.js'
import { StoreError } from '../../../../src/engine/store/database/store-error.js'
import type { JsonObject } from '../../../../src/schema/json.js'

const refusal = (status: number, error_type: string, details: JsonObject = {}) =>
  new Refusal({
    status,
    headers: {},
    body: { object: 'error', error_type, error_description: 'why', details },
  })

describe('failures', () => {
  const codes: readonly (readonly [status: number, type: string, exitCode: number])[] = [
    [400, 'InvalidAttributes', 3],
    [400, 'BadRequest', 3],
    [413, 'PayloadTooLarge', 3],
    [401, 'Unauthorized', 4],
    [403, 'Forbidden', 4],
    [404, 'NotFound', 5],
    [409, 'Conflict', 6],
    [422, 'IdempotencyMismatch', 6],
    [400, 'TransactionDeclined', 7],
    [429, 'TooManyRequests', 9],
    [503, 'ServiceUnavailable', 9],
    [500, 'InternalServerError', 1],
  ]
  for (const [status, type, exitCode] of codes) {
    it(`exit with ${exitCode} for ${status} ${type}`, () => {
      expect(failureOf(refusal(status, type)).exitCode).to.equal(exitCode)
    })
  }

  it('name each attribute on a line of its own', () => {
    const details = {
      amount: 'Required',
      payment_method: { card: { expiry: 'Required' } },
      2: { name: 'Read only' },
    }
    expect(failureOf(refusal(400, 'InvalidAttributes', details)).lines).to.have.members([
      'amount: Required',
      'payment_method.card.expiry: Required',
      '2.name: Read only',
    ])
  })

  it('print the description if no attribute is named', () => {
    expect(failureOf(refusal(404, 'NotFound')).lines).to.deep.equal(['why'])
  })

  it('exit with the database problem in one sentence', () => {
    expect(failureOf(new StoreError('busy', 'Try again.'))).to.deep.include({
      exitCode: 9,
      lines: ['Try again.'],
    })
    expect(failureOf(new StoreError('corrupt', 'Restore it.'))).to.deep.include({
      exitCode: 1,
      lines: ['Restore it.'],
    })
  })

  it('print no stack of an unexpected error', () => {
    const { exitCode, lines } = failureOf(new TypeError('x is not a function\n    at y'))
    expect(exitCode).to.equal(1)
    expect(lines).to.deep.equal([
      'Something unexpected happened: x is not a function (PAYCTL_DEBUG=1 shows where)',
    ])
    expect(failureOf('thrown').exitCode).to.equal(1)
  })

  it('have different codes for wrong usage and interruption', () => {
    expect(failureOf(new UsageError('Missing --a\nMissing --b'))).to.deep.include({
      exitCode: 2,
      lines: ['Missing --a', 'Missing --b'],
    })
    expect(failureOf(new Interrupted()).exitCode).to.equal(130)
  })
})
