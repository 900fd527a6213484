import { oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Transaction", nested `/transactions/{id}/reader`; its fields are not shown there. */
export const reader = resource({
  name: 'reader',
  plural: 'readers',
  prefix: 'rdr_',
  summary: 'A card reader of a processing account.',
  fields: {
    name: text({ required: true, doc: 'where it stands' }),
    serial_number: text({ doc: 'as printed on it' }),
    model: text(),
    processing_id: ref('processing_account', {
      required: true,
      readonly: 'update',
      doc: 'the account that it takes payments for',
    }),
    status: oneOf(['active', 'inactive'], { default: 'active', doc: 'whether it may be used' }),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  seals: MONEY,
  columns: ['id', 'name', 'serial_number', 'status', 'processing_id'],
  indexes: [['processing_id'], ['serial_number']],
})
