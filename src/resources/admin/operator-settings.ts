import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, flag } from '../../schema/field.js'

const object = 'operator_settings'
const path = 'admin/operator_settings'

const output = {
  require_mapping: flag({ doc: 'whether a login of the machine that is not an operator has no access' }),
  since: datetime({ doc: 'when it was last changed (UTC)' }),
}

export const readOperatorSettingsOperation = adminOperation({
  name: 'read_operator_settings',
  method: 'GET',
  path,
  summary: 'show whether logins of the machine must be operators',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object,
  output,
})

export const setOperatorSettingsOperation = adminOperation({
  name: 'set_operator_settings',
  method: 'PUT',
  path,
  summary: 'set whether logins of the machine must be operators',
  moves: 'nothing',
  least: 'owner',
  input: {
    require_mapping: flag({
      required: true,
      doc: 'whether a login that is not an operator has no access, even in a home of its own',
    }),
  },
  object,
  output,
})
