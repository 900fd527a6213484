import { expect } from 'chai'
import type { Status } from '../../../src/domain/ledger/stored-transaction.js'
import { cannotChange, mayBecome, operationFor } from '../../../src/domain/payments/transaction-status.js'
import { STATUSES } from './given.js'

/** money.md, "transaction.status", arrow by arrow. */
const ARROWS = new Set([
  'authorized → processed',
  'authorized → declined',
  'authorized → voided',
  'processing → processed',
  'processing → authorized',
  'processing → declined',
  'processed → voided',
  'processed → rejected',
  'rejected → processed',
])

const OPERATIONS: Readonly<Record<string, string>> = {
  'authorized → processed': 'capture',
  'authorized → voided': 'void',
  'processed → voided': 'void',
}

const pairs = STATUSES.flatMap((from) => STATUSES.map((to): [Status, Status] => [from, to]))

describe('transaction.status', () => {
  for (const [from, to] of pairs) {
    const arrow = `${from} → ${to}`
    const operation = from === to ? 'none' : OPERATIONS[arrow]
    it(`${arrow} ${ARROWS.has(arrow) ? 'is' : 'is not'} an arrow, and a client may ${operation ?? 'not'} ask for it`, () => {
      expect(mayBecome(from, to)).to.equal(ARROWS.has(arrow))
      expect(operationFor(from, to)).to.equal(operation)
    })
  }

  it('lets clients ask for nothing that is not an arrow', () => {
    for (const arrow of Object.keys(OPERATIONS)) expect(ARROWS.has(arrow), arrow).to.equal(true)
  })

  it('says what cannot be', () => {
    expect(cannotChange('voided', 'processed')).to.equal('Cannot change from voided to processed')
  })
})
