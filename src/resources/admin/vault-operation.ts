import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, text } from '../../schema/field.js'

export const purgeNumbersOperation = adminOperation({
  name: 'purge_numbers',
  method: 'POST',
  path: 'admin/vault/purge',
  summary: 'drop for good the numbers of unused payment methods that the token of a gateway stands for',
  moves: 'nothing',
  least: 'owner',
  drops: true,
  input: {
    older_than: text({
      required: true,
      max: 40,
      doc: 'how long they were neither made nor used, as 400d, 13mo or 2y',
    }),
  },
  object: 'vault_purge',
  output: {
    until: datetime({ doc: 'what was made or used after it was left alone (UTC)' }),
    dropped: integer({ doc: 'how many have lost their number' }),
    used: integer({ doc: 'how many older ones were used since then' }),
    pending: integer({ doc: 'how many have a payment that is held, or whose outcome is not known' }),
    without_token: integer({ doc: 'how many have no token, and can be used by their number alone' }),
    routed_elsewhere: integer({
      doc: 'how many have a token that is not enough: payments by them go, or may go, to another gateway or merchant',
    }),
  },
  example: { older_than: '400d' },
})
