import type { Columns } from '../builder/table.js'

/** What every resource has. */
export const resourceColumns: Columns = {
  id: 'text required',
  attrs: 'text',
  created_at: 'text required',
  modified_at: 'text required',
  deleted_at: 'text',
}
