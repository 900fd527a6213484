import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const legalEntityOwners: Columns = {
  ...resourceColumns,
  birth_date: 'text',
  city: 'text',
  email: 'text',
  full_name: 'text',
  legal_entity_id: 'text',
  ownership: 'integer',
  phone_number: 'text',
  postal_code: 'text',
  ssn: 'text',
  ssn_hash: 'text',
  ssn_mask: 'text',
  state_province: 'text',
  street_address: 'text',
  title: 'text',
  type: 'text',
  unit_number: 'text',
}
