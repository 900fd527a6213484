import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const accounts: Columns = {
  ...resourceColumns,
  description: 'text',
  email: 'text',
  name: 'text required',
  parent_org_id: 'text',
  phone_number: 'text',
  primary_processing_id: 'text',
  transaction_limit: 'integer',
  type: 'text required',
  processing__industry: 'text',
  processing__status: 'text',
  processing_settings_id: 'text',
  legal_entity_id: 'text',
  is_default: 'integer',
  bill_month: 'text',
  bill_due_at: 'text',
}
