import { expect } from 'chai'
import type { Status } from '../../../../src/domain/ledger/stored-transaction.js'
import {
  cannotChange,
  mayBecome,
  operationFor,
} from '../../../../src/domain/payments/pending/transaction-status.js'
import { eachCase } from '../../../support/each-case.js'
import { STATUSES } from '../given.js'

/** All arrows in money.md, "transaction.status". */
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
  it('changes only as declared, and clients request only changes with an operation', async () => {
    await eachCase(
      pairs,
      ([from, to]) => `${from} → ${to}`,
      ([from, to]) => {
        const arrow = `${from} → ${to}`
        expect(mayBecome(from, to)).to.equal(ARROWS.has(arrow))
        expect(operationFor(from, to)).to.equal(from === to ? 'none' : OPERATIONS[arrow])
      },
    )
  })

  it('cannot be changed by clients in an undeclared way', () => {
    for (const arrow of Object.keys(OPERATIONS)) expect(ARROWS.has(arrow), arrow).to.equal(true)
  })

  it('appears with both values in the error about an impossible change', () => {
    expect(cannotChange('voided', 'processed')).to.equal('Cannot change from voided to processed')
  })
})
