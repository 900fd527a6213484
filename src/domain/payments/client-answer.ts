import type { TransactionRow } from '../../engine/store/database/tables.js'
import { statusMessage } from '../../schema/status-codes.js'

/** Status codes of declines that reveal which number of a card was wrong, or that its payments are watched. */
const TELLING = new Set(['invalid_card_code', 'invalid_card_number', 'invalid_zip', 'suspicious_activity'])
const NEUTRAL = 'general_decline'

/**
 * A transaction without the values that its payer must not see. The reason of a decline, such as a wrong CVV, would
 * help a thief to guess that number. The risk reveals how often the card has paid elsewhere. The merchant sees all
 * values.
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
