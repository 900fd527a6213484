import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const stakeholders: Columns = {
  ...resourceColumns,
  legal_entity_id: 'text required',
  full_name: 'text required',
  role: 'text required',
  title: 'text',
  email: 'text',
  phone_number: 'text',
}
