import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const readers: Columns = {
  ...resourceColumns,
  name: 'text required',
  serial_number: 'text',
  model: 'text',
  processing_id: 'text required',
  status: 'text',
}
