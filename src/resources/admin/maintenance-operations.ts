import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, flag, text } from '../../schema/field.js'

const object = 'maintenance'
const path = 'admin/maintenance'

const output = {
  enabled: flag({ doc: 'whether requests of programs are refused' }),
  message: text({ doc: 'the message that they get' }),
  since: datetime({ doc: 'when it was switched on (UTC)' }),
}

export const readMaintenanceOperation = adminOperation({
  name: 'read_maintenance',
  method: 'GET',
  path,
  summary: 'show whether the environment is in maintenance',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object,
  output,
})

export const setMaintenanceOperation = adminOperation({
  name: 'set_maintenance',
  method: 'PUT',
  path,
  summary: 'switch the maintenance of the environment on or off',
  moves: 'nothing',
  least: 'owner',
  input: {
    enabled: flag({ required: true, doc: 'whether to refuse requests of programs' }),
    message: text({ max: 200, doc: 'the message that they get' }),
  },
  object,
  output,
})
