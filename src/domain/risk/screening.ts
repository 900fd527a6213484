import { isUnbound } from '../../engine/core/request/principal.js'
import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { PaymentMethodRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { StatusCode } from '../../schema/status-codes.js'
import { type ComparedPayment, findDuplicate } from './duplicate.js'
import { assessRisk, type Risk, UNCHECKED } from './risk.js'
import { readFacts } from './risk-facts.js'

/** The part of a payment that screening examines. */
export interface ScreenedPayment extends ComparedPayment {
  readonly customerId: string | null
  /** Whether the payment is due by a schedule, without a client's request. */
  readonly isAutomatic: boolean
  readonly shippingPostalCode: string | null
  readonly method: PaymentMethodRow
  readonly settings: ProcessingSettingsRow
}

/** The result of screening a payment, before the request to the gateway. */
export type Screening = {
  readonly risk: Risk
  /** Equal for all methods with the same number; null if neither duplicates nor risk are examined. */
  readonly fingerprint: string | null
} & (
  | { readonly kind: 'passed' }
  /** Held as authorized until the operator decides. */
  | { readonly kind: 'held' }
  | { readonly kind: 'refused'; readonly statusCode: StatusCode }
)

export const UNSCREENED: Screening = { kind: 'passed', risk: UNCHECKED, fingerprint: null }
/** Default window of the duplicate guard in live, in seconds; in test the same payment may be repeated. */
const LIVE_WINDOW = 60

/** Checks a payment for duplicates, then for risk. See docs/money.md, "Before a payment is taken". */
export async function screenPayment(work: Work, payment: ScreenedPayment): Promise<Screening> {
  // A dry run with a key is not screened. Dry runs are not recorded, so their results would help the holder of a key
  // to guess which card numbers have paid.
  if (work.isDryRun && !isUnbound(work.principal)) return UNSCREENED
  const { method, settings } = payment
  const isLive = work.environment === 'live'
  // Automatic payments are not compared: two invoices of one amount may be due on the same day. Each invoice has at
  // most one automatic attempt a day.
  const window = payment.isAutomatic ? 0 : (settings.duplicate_window ?? (isLive ? LIVE_WINDOW : 0))
  const isChecked = settings.risk_check_enabled === null ? isLive : settings.risk_check_enabled === 1
  const fingerprints = window === 0 && !isChecked ? undefined : fingerprintsOf(work, method)
  if (!fingerprints) return UNSCREENED
  const { current: fingerprint, all } = fingerprints
  // Two concurrent payments must see each other, else both would count as the first.
  await waitForName(work.tx, `method ${all[0]}`)
  const since = datetimeOf(work.milliseconds - window * 1000)
  if (window > 0 && (await findDuplicate(work, payment, { fingerprints: all, since })))
    return { kind: 'refused', risk: UNCHECKED, statusCode: 'duplicate_attempt', fingerprint }
  if (!isChecked) return { kind: 'passed', risk: UNCHECKED, fingerprint }
  // A customer's payments by other methods count, too.
  if (payment.customerId !== null) await waitForName(work.tx, `payments of ${payment.customerId}`)
  const risk = assessRisk(await readFacts(work, payment, all))
  switch (risk.flag) {
    case 'allowed':
      return { kind: 'passed', risk, fingerprint }
    case 'in_review':
      return { kind: 'held', risk, fingerprint }
    case 'denied':
      return { kind: 'refused', risk, statusCode: 'suspicious_activity', fingerprint }
  }
}

/** Fingerprints of a method, equal for all methods with the same number in any account. */
interface Fingerprints {
  /** The fingerprint that a payment stores now. */
  readonly current: string
  /**
   * Each fingerprint that an earlier payment may have stored, the oldest first: several once the key of numbers was
   * rotated.
   */
  readonly all: readonly string[]
}

/** Fingerprint by which the gateway of a token recognizes its number; undefined where it reports none. */
function tokenFingerprints({ token_fingerprint: known }: PaymentMethodRow): Fingerprints | undefined {
  return known === null ? undefined : { current: known, all: [known] }
}

/** Fingerprints of a method; undefined if neither its number nor one of its gateway is known. */
function fingerprintsOf({ vault }: Work, method: PaymentMethodRow): Fingerprints | undefined {
  const column = method.card__card_number_hash === null ? 'bank_account__account_number' : 'card__card_number'
  const hash = method[`${column}_hash`]
  if (hash === null) return tokenFingerprints(method)
  const place = { table: 'payment_methods', column, id: method.id }
  const current = vault.rehashNumber(hash, place)
  const sealed = method[column]
  const isKnown = vault.hasSeveralHashes && sealed !== null
  return { current, all: isKnown ? vault.numberHashes(vault.open(sealed, place), column) : [current] }
}
