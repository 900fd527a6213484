import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const orgs: Columns = {
  ...resourceColumns,
  industry: 'text required',
  name: 'text required',
  org_type: 'text required',
  parent_org_id: 'text',
  phone_number: 'text',
  primary_processing_id: 'text',
  processing_settings_id: 'text',
  timezone: 'text',
}
