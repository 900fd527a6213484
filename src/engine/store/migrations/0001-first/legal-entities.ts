import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const legalEntities: Columns = {
  ...resourceColumns,
  business_id: 'text',
  city: 'text',
  contact_email: 'text',
  contact_name: 'text',
  contact_title: 'text',
  country: 'text',
  ein: 'text',
  ein_hash: 'text',
  ein_mask: 'text',
  legal_name: 'text',
  payment_method_id: 'text',
  phone_number: 'text',
  postal_code: 'text',
  start_date: 'text',
  state_incorporated: 'text',
  state_province: 'text',
  street_address: 'text',
  type: 'text',
  unit_number: 'text',
  website: 'text',
}
