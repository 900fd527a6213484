import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type {
  PaymentMethodRow,
  ProcessingSettingsRow,
  TransactionRow,
} from '../../engine/store/database/tables.js'
import { datetimeOf } from '../../schema/datetime.js'
import { findDuplicate } from './duplicate.js'
import { assessRisk, type Risk, UNCHECKED } from './risk.js'
import { readFacts } from './risk-facts.js'

/** What is said of a payment before the gateway is asked. */
export type Screened =
  | { readonly kind: 'passed'; readonly risk: Risk }
  /** Held as authorized until the operator says. */
  | { readonly kind: 'held'; readonly risk: Risk }
  | { readonly kind: 'refused'; readonly risk: Risk; readonly statusCode: string }

export const PASSED: Screened = { kind: 'passed', risk: UNCHECKED }
/** Seconds, in live unless the account's settings say otherwise; test payments may repeat. */
const LIVE_WINDOW = 60

/** The duplicate guard, then risk. Money: "Before a payment is taken". */
export async function screenPayment(
  work: Work,
  row: TransactionRow,
  method: PaymentMethodRow,
  settings: ProcessingSettingsRow,
): Promise<Screened> {
  const isLive = work.environment === 'live'
  // Two invoices of one amount may be due on the same day; an automatic payment is once a day by its own rule.
  const window = row.automatic === 1 ? 0 : (settings.duplicate_window ?? (isLive ? LIVE_WINDOW : 0))
  const isChecked = settings.risk_check_enabled === null ? isLive : settings.risk_check_enabled === 1
  const fingerprint = fingerprintOf(method)
  if (fingerprint === null || (window === 0 && !isChecked)) return PASSED
  row.method_fingerprint = fingerprint
  // Two at once must see each other, else both would be the first.
  await waitForName(work.tx, `method ${fingerprint}`)
  if (window > 0 && (await findDuplicate(work, row, datetimeOf(work.milliseconds - window * 1000))))
    return { kind: 'refused', risk: UNCHECKED, statusCode: 'duplicate_attempt' }
  if (!isChecked) return PASSED
  const risk = assessRisk(await readFacts(work, row, method))
  switch (risk.flag) {
    case 'allowed':
      return { kind: 'passed', risk }
    case 'in_review':
      return { kind: 'held', risk }
    case 'denied':
      return { kind: 'refused', risk, statusCode: 'suspicious_activity' }
  }
}

/** The same for every method with the same number, whoever stored it. */
function fingerprintOf(method: PaymentMethodRow): string | null {
  return method.card__card_number_hash ?? method.bank_account__account_number_hash
}
