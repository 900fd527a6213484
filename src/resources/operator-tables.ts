import { CONTROL } from '../schema/seal-rule.js'

/** Table of the codes with which operators enter the console. */
export const operatorEntries = {
  activity: { keeps: ['operator_id'] },
  seals: { ...CONTROL, as: 'operator_entry' },
  columns: {
    id: 'text required',
    operator_id: 'text required',
    code_hash: 'text required',
    expires_at: 'integer required',
    used_at: 'integer',
  },
} as const

/** Table with one row: whether logins of the machine must be operators. */
export const operatorSettings = {
  activity: { keeps: ['require_mapping'] },
  seals: { ...CONTROL, as: 'operator_settings' },
  columns: {
    id: 'text required',
    require_mapping: 'integer required',
    since: 'text required',
  },
} as const
