import { datetime, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Spec: "Payment method", nested `/payment_methods/{id}/processing_agreement`; its fields are not shown there. */
export const processingAgreement = resource({
  name: 'processing_agreement',
  plural: 'processing_agreements',
  prefix: 'pagr_',
  summary: 'What the holder of a payment method has agreed to.',
  fields: {
    type: oneOf(['one_time', 'recurring', 'unscheduled'], {
      required: true,
      doc: 'what it may be charged for',
    }),
    status: oneOf(['active', 'revoked'], { default: 'active', doc: 'whether it is still in force' }),
    agreed_at: datetime({ doc: 'when the holder agreed' }),
    expires_at: datetime({ doc: 'until when it is in force' }),
    terms: text({ max: 10_000, doc: 'what was agreed' }),
  },
  ownership: [{ kind: 'named_by', resource: 'payment_method', column: 'processing_agreement_id' }],
  moves: 'nothing',
  least: 'owner',
  seals: RECORD,
  columns: ['id', 'type', 'status', 'agreed_at', 'expires_at'],
  indexes: [],
})
