import type { Columns } from '../table.js'
import { common } from './common.js'

export const adminOauthRedirects: Columns = {
  ...common,
  org_id: 'text required',
  kind: 'text',
  uri: 'text required',
}
