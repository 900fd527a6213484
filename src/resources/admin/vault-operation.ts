import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, text } from '../../schema/field.js'

export const purgeNumbersOperation = adminOperation({
  name: 'purge_numbers',
  method: 'POST',
  path: 'admin/vault/purge',
  summary: 'delete for good the numbers of unused payment methods that a gateway token replaces',
  moves: 'nothing',
  least: 'owner',
  drops: true,
  input: {
    older_than: text({
      required: true,
      max: 40,
      doc: 'minimum time since they were created or last used, as 400d, 13mo or 2y',
    }),
  },
  object: 'vault_purge',
  output: {
    until: datetime({ doc: 'methods created or used after this time were left unchanged (UTC)' }),
    dropped: integer({ doc: 'how many numbers were deleted' }),
    used: integer({ doc: 'how many older methods were kept because they were used since then' }),
    pending: integer({
      doc: 'how many were kept because a payment of theirs is held or has no known outcome',
    }),
    without_token: integer({
      doc: 'how many were kept because they have no token: only their number can be charged',
    }),
    routed_elsewhere: integer({
      doc: 'how many were kept because payments by them go, or may go, to another gateway or merchant than that of the token',
    }),
  },
  example: { older_than: '400d' },
})
