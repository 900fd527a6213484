import { money, number, one, ref, text } from '../schema/field.js'
import { NEEDED } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Billing charge". */
export const billingCharge = resource({
  name: 'billing_charge',
  plural: 'billing_charges',
  prefix: 'bcrg_',
  summary: 'What a billing schedule charges each time.',
  fields: {
    amount: money({ required: true, sign: 'any', doc: 'price of one; a discount is negative' }),
    billing_schedule_id: ref('billing_schedule', {
      required: true,
      readonly: 'update',
      doc: 'the schedule it belongs to',
    }),
    description: text(),
    qty: number({ default: 1, min: 0, max: 1_000_000, doc: 'how many' }),
    total: money({ readonly: true, sign: 'any', doc: 'amount times qty' }),
    type: text({ doc: 'arbitrary classification' }),
    billing_schedule: one('billing_schedule', {
      by: 'billing_schedule_id',
      nonDefault: true,
      doc: 'the schedule object',
    }),
  },
  ownership: [{ kind: 'parent', column: 'billing_schedule_id', resource: 'billing_schedule' }],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'billing_schedule_id', label: 'schedule that it belongs to' },
    { at: 'description', label: 'description' },
    { at: 'amount', label: 'price of one', example: '12.50', needed: NEEDED },
    { at: 'qty', label: 'how many' },
  ],
  seals: MONEY,
  columns: ['id', 'description', 'amount', 'qty', 'total'],
  indexes: [['billing_schedule_id'], ['type']],
})
