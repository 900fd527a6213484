import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, flag, integer, oneOf, ref, rows, text } from '../../schema/field.js'

const path = 'admin/gateway_routes'
const object = 'gateway_routes'

const output = {
  routes: rows(
    {
      method: oneOf(['card', 'bank_account'], { doc: 'the kind of method; null: both' }),
      processing_id: ref('processing_account', { doc: 'the processing account; null: all of them' }),
      gateway: text({ doc: 'the name of the gateway' }),
      gateway_id: text({ doc: 'its id' }),
      merchant: text({ doc: "the merchant's account there; null: the gateway's own" }),
      problem: text({ doc: 'what the gateway refuses, or why it is not reached' }),
    },
    { doc: 'the routes; a payment uses the most specific one that matches' },
  ),
}

export const readGatewayRoutesOperation = adminOperation({
  name: 'read_gateway_routes',
  method: 'GET',
  path,
  summary: 'show which gateway new payments go to',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object,
  output,
})

export const setGatewayRoutesOperation = adminOperation({
  name: 'set_gateway_routes',
  method: 'PUT',
  path,
  summary: 'set which gateway new payments go to, by kind of method and processing account',
  moves: 'redirect',
  least: 'owner',
  input: {
    default: text({ max: 50, doc: 'name of the gateway for every kind of method; null: none' }),
    card: text({ max: 50, doc: 'name of the gateway for cards' }),
    bank_account: text({ max: 50, doc: 'name of the gateway for bank accounts' }),
    processing_id: ref('processing_account', { doc: 'for this processing account only' }),
    merchant: text({ max: 100, doc: "with a processing account, the merchant's account at the gateway" }),
  },
  object,
  output,
  example: { default: 'other' },
})

export const pullSettlementsOperation = adminOperation({
  name: 'pull_settlements',
  method: 'POST',
  path: 'admin/pull_settlements',
  summary: 'read settlements and payouts from gateways now, instead of at the next scheduled time',
  moves: 'nothing',
  least: 'manager',
  input: { gateway: text({ max: 50, doc: 'only this gateway (its name)' }) },
  object: 'settlements_pull',
  output: {
    gateways: integer({ doc: 'how many gateways were read' }),
    lines: integer({ doc: 'how many lines are new, or matched now' }),
    exceptions: integer({ doc: 'how many exceptions wait to be decided' }),
    problems: text({ doc: 'gateways that could not be read to the end, and why' }),
  },
})

export const catchUpOperation = adminOperation({
  name: 'catch_up',
  method: 'POST',
  path: 'admin/catch_up',
  summary:
    'after a restore, look up the operations at the gateways that the backup lacks; until then none is sent',
  moves: 'nothing',
  least: 'owner',
  input: {
    since: datetime({ doc: 'when the copy was made (UTC), if it was not restored by payctl' }),
    force: flag({ doc: 'end the catch-up although some operations could not be looked up' }),
  },
  object: 'catch_up',
  output: {
    since: datetime({
      doc: 'from when operations were looked up (UTC); null: no lookup was needed',
    }),
    looked_up: integer({ doc: 'how many the gateways have' }),
    booked: integer({ doc: 'how many of them changed the books' }),
    exceptions: integer({ doc: 'how many are exceptions now' }),
    unknown: integer({ doc: 'how many have no outcome yet; ask again later' }),
    unlisted: text({ doc: 'gateways that did not list their operations, and why' }),
    finished: flag({ doc: 'whether operations are sent again' }),
  },
})
