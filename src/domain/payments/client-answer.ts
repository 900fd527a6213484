import type { TransactionRow } from '../../engine/store/database/tables.js'
import { statusMessage } from './status-codes.js'

/** Declines that say which of a card's numbers was wrong. */
const TELLING = new Set(['invalid_card_code', 'invalid_card_number', 'invalid_zip'])
const NEUTRAL = 'general_decline'

/**
 * A transaction as its payer may see it: which of the card's numbers was wrong would help a thief to find them. The merchant
 * sees it as it is.
 */
export function shownToClient(row: TransactionRow): TransactionRow {
  const isTelling = row.status === 'declined' && TELLING.has(row.status_code ?? '')
  return {
    ...row,
    ...(isTelling && { status_code: NEUTRAL, status_message: statusMessage(NEUTRAL) }),
    avs: row.avs === null ? null : 'unknown',
    cvv_result: null,
    gateway_code: null,
  }
}
