import { flag, group, integer, money, number, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Processing settings". Rates and allocations are percentages; costs and fees are money. */
export const processingSettings = resource({
  name: 'processing_settings',
  plural: 'processing_settings',
  prefix: 'ps_',
  summary: 'Which payments a processing account may take, and the fees that it pays.',
  fields: {
    bank_account_conv_fee_alloc: share('percentage of bank account fee charged as convenience fee'),
    credit_conv_fee_alloc: share('percentage of credit card fee charged as convenience fee'),
    debit_conv_fee_alloc: share('percentage of debit card fee charged as convenience fee'),
    prepaid_conv_fee_alloc: share('percentage of prepaid card fee charged as convenience fee'),
    bank_account_processing_enabled: enabled('bank payments allowed'),
    card_processing_enabled: enabled('card payments allowed'),
    bank_account_trans_cost: cost(0.3, 'fixed cost per bank account transaction'),
    bank_account_trans_rate: rate(0, 'percentage rate per bank account transaction'),
    credit_trans_cost: cost(0.3, 'fixed cost per credit card transaction'),
    debit_trans_cost: cost(0.3, 'fixed cost per debit card transaction'),
    prepaid_trans_cost: cost(0.3, 'fixed cost per prepaid card transaction'),
    credit_trans_rate: rate(2.9, 'percentage rate per credit card transaction'),
    debit_trans_rate: rate(2.9, 'percentage rate per debit card transaction'),
    prepaid_trans_rate: rate(2.9, 'percentage rate per prepaid card transaction'),
    batch_fee: fee(0, 'charged per deposit'),
    change_fee: fee(0, 'stored only'),
    chargeback_fee: fee(15, 'charged per chargeback'),
    minimum_bill: fee(0, 'minimum of the fees of a month'),
    nabu_fee: fee(0, 'stored only'),
    pci_fee: fee(0, 'stored only'),
    retrieval_fee: fee(0, 'stored only'),
    monthly_processing_fee: money({
      readonly: 'SessionPermission',
      default: 0,
      doc: 'fixed monthly fee per processing account',
    }),
    billing_preference: oneOf(['netted_daily', 'billed_monthly'], {
      required: true,
      manage: true,
      default: 'netted_daily',
      doc: 'whether fees are taken out of deposits or billed by the month',
    }),
    pricing: oneOf(['flat_rate', 'tiered', 'interchange'], {
      required: true,
      manage: true,
      default: 'flat_rate',
      doc: 'pricing model',
    }),
    processing_type: oneOf(['payfac', 'mor', 'mor_tsys', 'forte'], {
      readonly: 'SessionPermission',
      default: 'payfac',
      doc: 'how payments are processed',
    }),
    description: text({ readonly: true, doc: 'description of configuration' }),
    risk_check_enabled: flag({
      manage: true,
      doc: 'whether payments are screened for risk; null: in live only',
    }),
    card_testing_check: flag({
      manage: true,
      unset: true,
      doc: 'whether payers who try too many card numbers have to wait',
    }),
    invoice_prefix: text({
      max: 20,
      doc: 'prefix of invoice numbers; unset: INV',
    }),
    duplicate_window: integer({
      manage: true,
      min: 0,
      max: 86_400,
      unit: 'seconds',
      zero: 'no check',
      doc: 'seconds within which a duplicate payment is refused; unset: 60 in live, 0 in test',
    }),
    card_processing: group({
      credit: enabled('credit cards allowed'),
      debit: enabled('debit cards allowed'),
      prepaid: enabled('prepaid cards allowed'),
    }),
  },
  restricts: { DELETE: 'Settings of a processing account or organization are not deleted' },
  ownership: [
    { kind: 'named_by', resource: 'account', column: 'processing_settings_id' },
    { kind: 'named_by', resource: 'org', column: 'processing_settings_id' },
  ],
  moves: 'nothing',
  least: 'owner',
  seals: MONEY,
  columns: ['id', 'billing_preference', 'credit_trans_rate', 'credit_trans_cost', 'bank_account_trans_rate'],
  indexes: [],
})

function share<const D extends string>(doc: D) {
  return number({ logged: true, required: true, manage: true, default: 0, min: 0, max: 100, doc })
}
function enabled<const D extends string>(doc: D) {
  return flag({ required: true, manage: true, default: true, doc })
}
function cost<const D extends string>(value: number, doc: D) {
  return money({ readonly: 'SessionPermission', default: value, doc })
}
function rate<const D extends string>(value: number, doc: D) {
  return number({ logged: true, readonly: 'SessionPermission', default: value, min: 0, max: 100, doc })
}
function fee<const D extends string>(value: number, doc: D) {
  return money({ required: true, manage: true, default: value, doc })
}
