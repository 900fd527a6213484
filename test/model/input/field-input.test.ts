import { expect } from 'chai'
import { defaultInput } from '../../../src/model/input/field-input.js'
import { resources } from '../../../src/resources/resource-table.js'

describe('defaults of a declaration', () => {
  it('are stored for settings if no values are sent', () => {
    expect(defaultInput(resources.processing_settings.fields)).to.deep.include({
      credit_trans_rate: 29_000,
      credit_trans_cost: 30,
      credit_conv_fee_alloc: 0,
      chargeback_fee: 1500,
      card_processing_enabled: 1,
      bank_account_processing_enabled: 1,
      billing_preference: 'netted_daily',
      card_processing: { credit: 1, debit: 1, prepaid: 1 },
    })
  })

  it('omit attributes without a default', () => {
    expect(defaultInput(resources.processing_settings.fields)).to.not.have.property('description')
  })
})
