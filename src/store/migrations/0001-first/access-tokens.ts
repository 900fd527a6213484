import type { Columns } from '../table.js'
import { common } from './common.js'

export const accessTokens: Columns = {
  ...common,
  type: 'text',
  status: 'text',
  environ: 'text',
  intent: 'text',
  expires_at: 'text',
  processing_id: 'text',
  key_id: 'text',
  fixed: 'text',
}
