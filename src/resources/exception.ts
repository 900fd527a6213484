import { datetime, json, money, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Decisions that an operator may take about an exception. */
export const RESOLUTIONS = [
  'ignore',
  'loss',
  'refund',
  'link',
  'cost',
  'reserve',
  'reserve_released',
  'transfer',
  'retry',
  'failed',
  'paid_otherwise',
  'partial',
] as const

/**
 * A mismatch between the books and a gateway, which an operator decides. It may be a report that does not fit, or an
 * operation that the gateway refused to undo. Beyond the spec.
 */
export const exception = resource({
  name: 'exception',
  plural: 'admin/exceptions',
  prefix: 'exc_',
  summary: 'A report of a gateway that does not fit the books, for an operator to decide.',
  fields: {
    kind: oneOf(
      [
        'unknown_payment',
        'dispute_beyond_balance',
        'dispute_unexpected',
        'late_approval',
        'partial_approval',
        'amount_differs',
        'settlement_differs',
        'forgotten_operation',
        'refund_failed',
        'payout_failed',
      ],
      { readonly: true, doc: 'kind of the mismatch' },
    ),
    status: oneOf(['open', 'resolved'], { readonly: true, doc: 'whether it waits for an operator' }),
    transaction_id: ref('transaction', {
      readonly: true,
      doc: 'the transaction it is about, where one is known',
    }),
    processing_id: ref('processing_account', {
      readonly: true,
      doc: 'the processing account of the transaction',
    }),
    gateway: text({ readonly: true, doc: 'the gateway that reported it' }),
    gateway_id: text({ readonly: true, doc: "the gateway's id of the operation, dispute or line" }),
    amount: money({ readonly: true, doc: 'how much is at stake' }),
    happened: text({ readonly: true, doc: 'what happened at the gateway, in the words of the gateway' }),
    explanation: text({ readonly: true, doc: 'what that means for the books, in words' }),
    resolutions: json({ readonly: true, doc: 'the resolutions that it allows' }),
    books: json({ readonly: true, doc: 'what the books are after each of these resolutions, in words' }),
    notice: text({
      readonly: true,
      nonDefault: true,
      max: 100_000,
      doc: 'the report of the gateway, unchanged',
    }),
    resolution: oneOf(RESOLUTIONS, { readonly: true, doc: 'what was decided' }),
    pending_operation: text({
      readonly: true,
      doc: 'the operation sent to the gateway to resolve it, while its outcome is open',
    }),
    reason: text({ readonly: true, doc: 'why' }),
    resolved_at: datetime({ readonly: true, doc: 'when (UTC)' }),
  },
  internal: {
    /** Key of the mismatch; only one exception is opened for each key. */
    about: text(),
    /** Whether the gateway paid the amount to the service, or took it. */
    direction: oneOf(['paid', 'taken']),
  },
  ownership: [],
  moves: 'nothing',
  least: 'manager',
  seals: RECORD,
  refuses: {
    POST: 'Exceptions are found, not made',
    PUT: 'An exception is resolved, not changed',
    DELETE: 'An exception is resolved, not deleted',
  },
  actions: {
    resolve: {
      summary: 'decide what becomes of an exception',
      // The resolution `link` books what a bank or gateway did with the named transaction. The other resolutions move
      // or record money of payers.
      moves: {
        by: ['resolution'],
        is: {
          refund: 'refund',
          link: 'dispute',
          retry: 'refund',
          paid_otherwise: 'refund',
          partial: 'capture',
        },
        otherwise: 'nothing',
        unset: 'nothing',
      },
      input: {
        resolution: oneOf(RESOLUTIONS, { required: true, doc: 'one of its resolutions' }),
        transaction_id: ref('transaction', { doc: 'the transaction that it belongs to (link)' }),
        reason: text({ required: true, max: 500, doc: 'why' }),
      },
    },
  },
  admin: true,
  columns: ['id', 'kind', 'status', 'amount', 'gateway', 'created_at', 'happened'],
  indexes: [['status', 'created_at'], ['transaction_id'], ['about'], ['gateway_id'], ['pending_operation']],
})
