import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const adminOauthRedirects: Columns = {
  ...resourceColumns,
  org_id: 'text required',
  kind: 'text',
  uri: 'text required',
}
