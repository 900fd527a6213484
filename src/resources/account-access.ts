import { oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** Spec: "Org", nested `/orgs/{id}/account_access`; its fields are not shown there. */
export const accountAccess = resource({
  name: 'account_access',
  plural: 'account_access',
  prefix: 'accs_',
  summary: 'A processing account that an organization may reach besides its own.',
  fields: {
    org_id: ref('org', { required: true, readonly: 'update', doc: 'the organization' }),
    account_id: ref('processing_account', {
      required: true,
      readonly: 'update',
      doc: 'the processing account it may reach',
    }),
    role: oneOf(['full', 'read'], {
      default: 'full',
      doc: 'whether the organization may write or only read',
    }),
    description: text({ doc: 'why access was given' }),
  },
  restricts: { POST: 'An organization is given an account once' },
  ownership: [{ kind: 'names', column: 'account_id' }],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  columns: ['id', 'org_id', 'account_id', 'role', 'created_at'],
  indexes: [['org_id'], ['account_id']],
})
