import { RecordedRefusal } from '../../engine/core/write/recorded-refusal.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type {
  AccountRow,
  PaymentMethodRow,
  ProcessingSettingsRow,
  TransactionRow,
} from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { OUTAGE_CODES } from '../../schema/status-codes.js'
import { hintOf } from '../access/keys/secret.js'
import {
  addAttempt,
  attemptHash,
  attemptsOf,
  type Bound,
  countedAttempts,
  DAY,
  HOUR,
  noteRefusal,
  secondsToWait,
} from '../attempts/attempts.js'

/** Limit of different card or account numbers that one address may try at one link or with one client key. */
const NUMBERS: Bound = { most: 10, lifetime: HOUR }
/**
 * Limit of declined numbers at one link or with one client key. Beyond it, addresses without an approved payment there
 * must wait.
 */
const DECLINES: Bound = { most: 30, lifetime: HOUR }
/** Time for which an address counts as known after an approved payment. */
const APPROVED: Pick<Bound, 'lifetime'> = { lifetime: DAY }

/** Record that addresses of payers are unknown, for `payctl doctor`. */
const UNTRUSTED = { purpose: 'untrusted_proxy', subject: 'payers', what: '' } as const

interface PayersPayment {
  readonly method: PaymentMethodRow
  readonly account: AccountRow
  readonly settings: ProcessingSettingsRow
}

/** A payer whose number was counted, and what is counted once the outcome is known. */
export interface CountedPayer {
  /** Keyed hash of the number. */
  readonly number: string
  /** Subject under which declined numbers at the link or client key are counted. */
  readonly place: string
  /** Whether a decline of the number is to be counted. */
  readonly countsDecline: boolean
  /**
   * Subject under which an approval of the address at the link or client key is counted; undefined if none is to be
   * counted.
   */
  readonly unknownPayer: string | undefined
}

/**
 * Counts the number of a payer at a link or with a client key: only keyed hashes are stored. Undefined if the account
 * has switched this check off, or the method has no number. Throws `TooManyRequests`, which is recorded. See
 * docs/interface.md, "Card testing".
 */
export async function countPayer(
  work: Work,
  { method, account, settings }: PayersPayment,
): Promise<CountedPayer | undefined> {
  const { address } = work.principal
  const hash = method.card__card_number_hash ?? method.bank_account__account_number_hash
  if (settings.card_testing_check === 0 || hash === null) return undefined
  const number = attemptHash(work, 'number', hash)
  const linkOrKey = linkOf(work) ?? work.principal.id
  const place = attemptHash(work, 'declined_number', linkOrKey)
  const payer = address === undefined ? undefined : attemptHash(work, 'payer', linkOrKey, address)
  const known = payer === undefined ? [] : await countedAttempts(work, payer)
  const declined = await attemptsOf(work, place)
  const numbers = known.filter(({ purpose }) => purpose === 'payer_number')
  const isApproved = known.some(({ purpose }) => purpose === 'approved_payer')
  const isNew = !numbers.some(({ what }) => what === number)
  if (isNew && numbers.length >= NUMBERS.most)
    throw refusal(work, account, secondsToWait(work, numbers, NUMBERS.most), NUMBERS_EXCEEDED)
  const isFull = declined.length >= DECLINES.most
  if (isFull && !isApproved)
    throw refusal(work, account, secondsToWait(work, declined, DECLINES.most), DECLINES_EXCEEDED)
  if (payer === undefined) await noteUntrustedProxy(work)
  else if (isNew)
    await addAttempt(work, { purpose: 'payer_number', subject: payer, what: number }, NUMBERS.lifetime)
  return {
    number,
    place,
    countsDecline: !isFull && !declined.some(({ what }) => what === number),
    unknownPayer: isApproved ? undefined : payer,
  }
}

/** Counts the outcome of a payer's payment: now, or after the commit where a remote gateway decides. */
export async function countOutcome(work: Work, payer: CountedPayer, row: TransactionRow): Promise<void> {
  if (row.pending_operation === null) {
    await countDecided(work, payer, row)
    return
  }
  work.afterCommit({
    perform: async () => async (later) => {
      const [decided] = await later.tx.run(outcomeById, { id: row.id })
      if (decided) await countDecided(later, payer, decided)
      return undefined
    },
  })
}

type Outcome = Pick<TransactionRow, 'status' | 'status_code'>

async function countDecided(
  work: Work,
  payer: CountedPayer,
  { status, status_code }: Outcome,
): Promise<void> {
  const { number, place, countsDecline, unknownPayer } = payer
  // A decline without an answer does not tell whether the number is valid.
  const isDeclined = status === 'declined' && !OUTAGE_CODES.has(status_code ?? '')
  if (isDeclined && countsDecline)
    await addAttempt(work, { purpose: 'declined_number', subject: place, what: number }, DECLINES.lifetime)
  const isApproved = status === 'processed' || status === 'authorized'
  if (isApproved && unknownPayer !== undefined)
    await addAttempt(work, { purpose: 'approved_payer', subject: unknownPayer, what: '' }, APPROVED.lifetime)
}

const NUMBERS_EXCEEDED =
  'Too many different cards or bank accounts were tried here: nothing was charged; wait before you try another'
const DECLINES_EXCEEDED =
  'Too many payments were declined here: nothing was charged; wait before you try again'

/** The link that is paid, if there is one: its page and all client keys for it count together. */
function linkOf({ principal: { intent } }: Work): string | undefined {
  const link = intent?.payment_link_id
  return typeof link === 'string' ? link : undefined
}

function refusal(work: Work, account: AccountRow, seconds: number, text: string): RecordedRefusal {
  const what = linkOf(work) ?? hintOf(work.principal.id)
  return new RecordedRefusal('TooManyRequests', text, { 'Retry-After': String(seconds) }, async (work) => {
    if (!(await noteRefusal(work, { purpose: 'card_testing', subject: account.id, what }))) return
    work.emit({
      trigger: 'card_testing',
      object: resources.processing_account,
      id: account.id,
      value: null,
      processingId: account.id,
    })
  })
}

/**
 * Records at most once an hour that payers come through a proxy that is not trusted. Takes no lock, as a second record
 * does no harm.
 */
async function noteUntrustedProxy(work: Work): Promise<void> {
  const noted = await attemptsOf(work, UNTRUSTED.subject)
  const hourAgo = work.realMilliseconds + DAY - HOUR
  if (!noted.some(({ until }) => until > hourAgo)) await addAttempt(work, UNTRUSTED, DAY)
}

const outcomeById = prepared<{ id: string }, Outcome>((db, param) =>
  db.selectFrom('transactions').select(['status', 'status_code']).where('id', '=', param('id')),
)
