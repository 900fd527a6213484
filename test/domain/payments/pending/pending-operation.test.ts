import { expect } from 'chai'
import {
  type PendingOperation,
  readPending,
  referenceOf,
  sendingOf,
  writePending,
} from '../../../../src/domain/payments/pending/pending-operation.js'

const operations: [PendingOperation, string | undefined][] = [
  [{ kind: 'sale' }, 'txn_1'],
  [{ kind: 'authorize' }, 'txn_1'],
  [{ kind: 'credit' }, 'txn_1'],
  [{ kind: 'blind_refund' }, 'txn_1'],
  [{ kind: 'capture', reference: 'op_1' }, 'op_1'],
  [
    {
      kind: 'capture',
      reference: 'op_4',
      part: { amount: 6000, convFee: 51, fee: 153, accrued: 0 },
    },
    'op_4',
  ],
  [{ kind: 'void', reference: 'op_2' }, 'op_2'],
  [{ kind: 'refund', payment: 'txn_0' }, 'txn_1'],
  [{ kind: 'refund', payment: 'txn_0', isUnsent: true }, 'txn_1'],
  [{ kind: 'refund', payment: 'txn_0', sending: 'op_3' }, 'txn_1'],
  [{ kind: 'refunding', refund: 'txn_2' }, undefined],
]

describe('a stored pending operation', () => {
  for (const [operation, reference] of operations) {
    it(`${operation.kind} is read back unchanged, and is known to the gateway as ${reference}`, () => {
      expect(readPending(writePending(operation))).to.deep.equal(operation)
      expect(referenceOf(operation, 'txn_1')).to.equal(reference)
    })
  }

  it('has the age of its sending, which for a refund that waited is less than the age of its reference', () => {
    expect(operations.map(([operation, reference = '']) => sendingOf(operation, reference))).to.deep.equal([
      'txn_1',
      'txn_1',
      'txn_1',
      'txn_1',
      'op_1',
      'op_4',
      'op_2',
      'txn_1',
      'txn_1',
      'op_3',
      '',
    ])
  })

  it('is never guessed from invalid text', () => {
    expect(() => readPending('chargeback')).to.throw('Unknown pending operation: chargeback')
  })
})
