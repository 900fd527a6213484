import type { Columns } from '../table.js'
import { common } from './common.js'

export const readers: Columns = {
  ...common,
  name: 'text required',
  serial_number: 'text',
  model: 'text',
  processing_id: 'text required',
  status: 'text',
}
