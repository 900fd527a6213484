import { datetime, json, money, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Stages of a dispute; an inquiry has moved no money. */
const DISPUTE_STAGES = ['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const

/** A payer's dispute of a payment at the bank. Beyond the spec. */
export const dispute = resource({
  name: 'dispute',
  plural: 'disputes',
  prefix: 'dsp_',
  summary: 'A dispute of a payment at the bank of the payer: its stage, its deadline and its answer.',
  fields: {
    transaction_id: ref('transaction', { readonly: true, doc: 'the payment' }),
    processing_id: ref('processing_account', {
      readonly: true,
      doc: 'the processing account of the payment',
    }),
    gateway: text({ readonly: true, doc: 'the gateway of the payment' }),
    reference: text({ readonly: true, doc: "the processor's id of the dispute" }),
    stage: oneOf(DISPUTE_STAGES, {
      readonly: true,
      doc: 'inquiry: the bank asks, and no money has moved; needs_response; under_review; won; lost',
    }),
    reason: text({
      readonly: true,
      doc: "the processor's word for the payer's reason, or the code of a bank return",
    }),
    amount: money({ readonly: true, doc: 'how much is disputed' }),
    fee: money({ readonly: true, doc: "the processor's fee, if the gateway reports it" }),
    due_by: datetime({ readonly: true, doc: 'deadline for evidence (UTC)' }),
    answer: oneOf(['accept', 'contest'], { readonly: true, doc: 'how it was answered' }),
    answered_at: datetime({ readonly: true, doc: 'when it was answered (UTC)' }),
    evidence: json({
      readonly: true,
      nonDefault: true,
      doc: 'list of the names of the files that were submitted',
    }),
    chargeback_id: ref('transaction', { readonly: true, doc: 'the chargeback, once money has moved' }),
    reversal_id: ref('transaction', { readonly: true, doc: 'the reversal, once it was won back' }),
    pending_operation: text({
      readonly: true,
      doc: 'the answer that was sent, while its outcome at the processor is not known',
    }),
  },
  internal: {
    /** The merchant's account at the gateway, if the payment's route names one. */
    gateway_merchant: text(),
    /** Time of the next query to the gateway; null once the dispute is over or is recorded by hand. */
    read_at: datetime(),
    /** Deadline for which the event `dispute_due` was fired. */
    reminded_for: datetime(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  seals: { ...RECORD, except: ['read_at', 'modified_at'] },
  refuses: {
    POST: 'Disputes come from banks; one that a gateway does not tell is recorded by `/admin/disputes`',
    PUT: 'A dispute is accepted or contested, not changed',
    DELETE: 'Disputes are kept',
  },
  actions: {
    accept: {
      summary: 'give up a dispute: it is lost, and evidence cannot be submitted any more',
      moves: 'dispute',
      input: {},
    },
    contest: {
      summary: 'submit evidence against a dispute; that can be done once',
      moves: 'dispute',
      input: {
        text: text({ max: 20_000, doc: 'the statement of the merchant' }),
        files: json({
          transient: true,
          // 4.5 MB of files in base64, with their names.
          max: 6_200_000,
          doc: 'list of {name, content, as}: content is a data URL, as the kind of evidence (optional)',
        }),
      },
      example: { text: 'Here is what was ordered, and the signature of who received it.' },
    },
  },
  columns: ['id', 'stage', 'amount', 'reason', 'due_by', 'transaction_id', 'created_at'],
  indexes: [
    ['created_at'],
    ['processing_id', 'created_at'],
    ['stage', 'due_by'],
    ['transaction_id'],
    ['reference'],
    ['chargeback_id'],
    ['reversal_id'],
    ['gateway', 'read_at'],
    ['pending_operation'],
  ],
})
