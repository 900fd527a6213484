import { integer, money, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** A transaction in a settlement. Beyond the spec. */
export const settlementLine = resource({
  name: 'settlement_line',
  plural: 'admin/settlement_lines',
  prefix: 'sln_',
  summary: 'A line of a settlement about one transaction, and the transaction of payctl that it matches.',
  fields: {
    settlement_id: ref('settlement', { readonly: true, doc: 'the settlement that it is in' }),
    gateway: text({ readonly: true, doc: 'the gateway that reported it' }),
    line_id: text({ readonly: true, doc: "the gateway's id of the line" }),
    kind: oneOf(
      [
        'payment',
        'refund',
        'chargeback',
        'chargeback_reversal',
        'return',
        'fee',
        'reserve',
        'transfer',
        'other',
        'foreign',
      ],
      {
        readonly: true,
        doc: 'kind of the line; foreign: sum of all transactions that payctl did not make',
      },
    ),
    gateway_type: text({ readonly: true, doc: "the gateway's own name for its kind" }),
    description: text({ readonly: true, doc: 'what the gateway says about it' }),
    count: integer({ readonly: true, doc: 'how many lines of the gateway it sums up (foreign)' }),
    status: oneOf(['matched', 'differs', 'unmatched', 'waiting', 'repeated', 'failed'], {
      readonly: true,
      doc: 'match with our transactions. `differs`: another amount than ours; `unmatched`: none found; `waiting`: ours has no outcome yet. `repeated`: was in an earlier settlement; `failed`: the payout did not arrive',
    }),
    transaction_id: ref('transaction', { readonly: true, doc: 'the transaction that it is about' }),
    exception_id: ref('exception', { readonly: true, doc: 'the exception whose loss it is' }),
    processing_id: ref('processing_account', {
      readonly: true,
      doc: 'the processing account of the transaction',
    }),
    reference: text({ readonly: true, doc: 'our reference, if the gateway reports it' }),
    gateway_id: text({ readonly: true, doc: "the gateway's id of the operation or dispute" }),
    parent_id: text({ readonly: true, doc: "the gateway's id of the payment that was refunded or disputed" }),
    amount: money({ readonly: true, sign: 'any', doc: 'above zero if the merchant gets it' }),
    fee: money({
      readonly: true,
      sign: 'any',
      doc: 'fee that the processor keeps; null if the gateway does not report it',
    }),
    difference: money({ readonly: true, sign: 'any', doc: 'its amount less ours' }),
    booked: oneOf(['payout', 'fee', 'fee_paid', 'outside', 'nothing'], {
      readonly: true,
      doc: 'part of the line in the journal. `payout`: the amount paid and the fee. `fee`: only the fee. `fee_paid`: only the fee, as the funding run assumed the whole payment had arrived. `outside`: money of others',
    }),
    payout_id: ref('transaction', { readonly: true, doc: 'the deposit or reversal that pays it out' }),
  },
  ownership: [],
  moves: 'nothing',
  least: 'manager',
  seals: RECORD,
  refuses: {
    POST: 'Settlements come from gateways',
    PUT: 'A settlement is kept as it came',
    DELETE: 'A settlement is kept as it came',
  },
  admin: true,
  columns: ['id', 'gateway', 'kind', 'amount', 'fee', 'status', 'transaction_id', 'difference'],
  indexes: [
    ['settlement_id'],
    ['line_id'],
    ['gateway_id'],
    ['transaction_id'],
    ['exception_id'],
    ['payout_id'],
    ['status', 'gateway'],
  ],
})
