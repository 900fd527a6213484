import type { TransactionRow } from '../../engine/store/database/tables.js'
import { statusMessage } from './status-codes.js'

/** Declines that say which of a card's numbers was wrong, or that its payments are watched. */
const TELLING = new Set(['invalid_card_code', 'invalid_card_number', 'invalid_zip', 'suspicious_activity'])
const NEUTRAL = 'general_decline'

/**
 * A transaction as its payer may see it. Which of the card's numbers was wrong would help a thief to find them, and its
 * risk says how often the number has paid elsewhere. The merchant sees it as it is.
 */
export function shownToClient(row: TransactionRow): TransactionRow {
  const isTelling = row.status === 'declined' && TELLING.has(row.status_code ?? '')
  return {
    ...row,
    ...(isTelling && { status_code: NEUTRAL, status_message: statusMessage(NEUTRAL) }),
    avs: row.avs === null ? null : 'unknown',
    cvv_result: null,
    risk_flag: null,
    risk_score: null,
    gateway_code: null,
  }
}
