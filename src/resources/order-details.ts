import { group, money, number, rows, text } from '../schema/field.js'

/** Level 2 and 3 data of a payment. Spec: "Transaction". */
export const orderDetails = group({
  incl_costs: group({ duty: money(), shipping: money(), tax: money() }, { doc: 'included in the amount' }),
  line_items: rows({
    amount: text({ doc: 'total including taxes and fees' }),
    commodity_code: text({ required: true }),
    description: text({ required: true }),
    discount_amount: text(),
    product_code: text({ required: true, doc: 'SKU' }),
    qty: number(),
    unit_of_measure: text(),
    unit_price: number({ required: true }),
  }),
})
