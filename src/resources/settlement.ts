import { datetime, integer, many, money, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Transactions that a gateway has settled or paid out together. Beyond the spec. */
export const settlement = resource({
  name: 'settlement',
  plural: 'admin/settlements',
  prefix: 'set_',
  summary: 'Transactions that a gateway has settled or paid out together, with a line for each.',
  fields: {
    gateway: text({ readonly: true, doc: 'the gateway that reported it' }),
    gateway_id: text({ readonly: true, doc: "the gateway's id of the settlement" }),
    merchant: text({ readonly: true, doc: "the merchant's account at the gateway, if there are several" }),
    currency: text({ readonly: true, doc: 'the currency of its amounts' }),
    gross: money({
      readonly: true,
      sign: 'any',
      doc: 'total of the lines; null if the gateway does not report it',
    }),
    fees: money({
      readonly: true,
      sign: 'any',
      doc: 'fees that the processor keeps; null if the gateway does not report them',
    }),
    net: money({
      readonly: true,
      sign: 'any',
      doc: 'amount paid out; null if the gateway does not report it',
    }),
    settled_at: datetime({ readonly: true, doc: 'when it was settled or paid out (UTC)' }),
    status: oneOf(['reading', 'complete', 'failed'], {
      readonly: true,
      doc: 'whether all its lines are stored; failed: the payout did not arrive',
    }),
    failed_at: datetime({ readonly: true, doc: 'when the gateway said that the payout failed (UTC)' }),
    failure: text({ readonly: true, doc: 'why it failed, in the words of the gateway' }),
    line_count: integer({ readonly: true, doc: 'how many lines it has' }),
    lines: many('settlement_line', { by: 'settlement_id', doc: 'a line for each transaction in it' }),
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
  columns: ['id', 'gateway', 'gateway_id', 'gross', 'fees', 'net', 'line_count', 'settled_at'],
  indexes: [['gateway_id'], ['gateway', 'settled_at']],
})
