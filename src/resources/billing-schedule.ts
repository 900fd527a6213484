import { date, datetime, derived, group, integer, many, one, oneOf, ref, text } from '../schema/field.js'
import { NEEDED } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Billing schedule". */
export const billingSchedule = resource({
  name: 'billing_schedule',
  plural: 'billing_schedules',
  prefix: 'bscd_',
  summary: 'Bills a customer again and again.',
  fields: {
    charges: many('billing_charge', {
      by: 'billing_schedule_id',
      shown: true,
      doc: 'billing charge objects: what each invoice lists',
    }),
    customer_id: ref('customer', { required: true, doc: 'customer account' }),
    customer: one('customer', {
      by: 'customer_id',
      nonDefault: true,
      lasting: true,
      doc: 'the customer object',
    }),
    description: text(),
    end_date: date({ doc: 'last day on which an invoice may fall' }),
    invoices: many('invoice', { by: 'billing_schedule_id', doc: 'invoice objects' }),
    processing_id: ref('processing_account', { required: true, doc: 'processing account' }),
    recurring_frequency: oneOf(
      ['daily', 'weekly', 'biweekly', 'bimonthly', 'monthly', 'quarterly', 'annually'],
      { doc: 'how often an invoice is made' },
    ),
    start_date: date({ doc: 'first day on which an invoice may fall' }),
    status: derived(['active', 'without_frequency', 'idle'], {
      cases: [
        { is: 'without_frequency', when: [{ column: 'recurring_frequency', operator: 'unset' }] },
        { is: 'idle', when: [{ column: 'bills_at', operator: 'unset' }] },
      ],
      otherwise: 'active',
      doc: 'whether it makes invoices: not while it is without_frequency, nor while it is idle (it has no charges, or it has ended)',
    }),
    type: text({ doc: 'arbitrary classification' }),
    annually: group({ billing_day: day(), billing_month: month(1, 12) }),
    bimonthly: group({ first_billing_day: day(), second_billing_day: day() }),
    monthly: group({ billing_day: day() }),
    quarterly: group({
      q1: group({ billing_day: day(), billing_month: month(1, 3) }),
      q2: group({ billing_day: day(), billing_month: month(4, 6) }),
      q3: group({ billing_day: day(), billing_month: month(7, 9) }),
      q4: group({ billing_day: day(), billing_month: month(10, 12) }),
    }),
  },
  internal: {
    /** First billing day that was not processed yet; null if the schedule has ended or has no charges. */
    next_slot: date(),
    /** Beginning of `next_slot` in the organization's time zone. */
    bills_at: datetime(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'customer_id', label: 'customer who pays' },
    { at: 'processing_id', label: 'processing account that is paid' },
    { at: 'description', label: 'what for' },
    { at: 'recurring_frequency', label: 'how often', needed: NEEDED },
    {
      at: 'monthly.billing_day',
      label: 'billing day',
      unit: '1-31',
      with: { at: 'recurring_frequency', is: 'monthly' },
    },
    {
      at: 'bimonthly.first_billing_day',
      label: 'first billing day',
      unit: '1-31',
      with: { at: 'recurring_frequency', is: 'bimonthly' },
    },
    {
      at: 'bimonthly.second_billing_day',
      label: 'second billing day',
      unit: '1-31',
      with: { at: 'recurring_frequency', is: 'bimonthly' },
    },
    {
      at: 'annually.billing_month',
      label: 'billing month',
      unit: '1-12',
      with: { at: 'recurring_frequency', is: 'annually' },
    },
    {
      at: 'annually.billing_day',
      label: 'billing day',
      unit: '1-31',
      with: { at: 'recurring_frequency', is: 'annually' },
    },
    { at: 'start_date', label: 'first day', unit: 'YYYY-MM-DD' },
    { at: 'end_date', label: 'last day', unit: 'YYYY-MM-DD' },
  ],
  seals: MONEY,
  columns: ['id', 'description', 'customer[name]', 'recurring_frequency', 'status', 'start_date', 'end_date'],
  indexes: [['customer_id'], ['processing_id'], ['recurring_frequency'], ['start_date'], ['type']],
})

function day() {
  return integer({ required: true, min: 1, max: 31, doc: 'day of the month, 1-31' })
}

function month<const Least extends number, const Most extends number>(min: Least, max: Most) {
  return integer({ required: true, min, max, doc: 'month of the year, 1-12' })
}
