import type { Columns } from '../table.js'
import { common } from './common.js'

export const stakeholders: Columns = {
  ...common,
  legal_entity_id: 'text required',
  full_name: 'text required',
  role: 'text required',
  title: 'text',
  email: 'text',
  phone_number: 'text',
}
