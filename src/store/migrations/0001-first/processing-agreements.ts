import type { Columns } from '../table.js'
import { common } from './common.js'

export const processingAgreements: Columns = {
  ...common,
  type: 'text required',
  status: 'text',
  agreed_at: 'text',
  expires_at: 'text',
  terms: 'text',
}
