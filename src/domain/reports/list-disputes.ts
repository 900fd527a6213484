import type { Work } from '../../engine/core/write/work.js'
import { broughtTo, type JournalPosting, readPostings } from './read-postings.js'
import { dayFinder, momentsOfDays, slicesOf } from './report-period.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

const KINDS = ['chargeback', 'chargeback_reversal']
/** Maximum number of disputes whose transactions are read together. */
const BATCH_SIZE = 500

interface Dispute {
  readonly posting: JournalPosting
  /** Minor units. */
  readonly amount: number
  readonly fee: number
  readonly lost: number
}

/** Chargebacks, bank returns, and disputes that were won, oldest first. */
export async function listDisputes(request: ReportRequest): Promise<ReportContent> {
  const { db, report, period } = request
  const disputes = await readDisputes(request)
  const dayOf = dayFinder(period)
  const about = await disputedBy(
    db,
    disputes.map(({ posting }) => posting.object_id),
  )
  const rows = disputes.map(({ posting, amount, fee, lost }) => ({
    date: dayOf(posting.created_at),
    processing_id: posting.processing_id,
    kind: posting.kind,
    code: about.get(posting.object_id)?.code ?? null,
    reference: posting.reference,
    object_id: posting.object_id,
    payment_id: about.get(posting.object_id)?.payment ?? null,
    amount,
    fee,
    lost,
  }))
  return { rows, totals: totalsOfRows(report, rows) }
}

async function readDisputes({ db, period, accounts }: ReportRequest): Promise<readonly Dispute[]> {
  const disputes = new Map<string, Dispute>()
  for (const slice of slicesOf(period)) {
    const moments = momentsOfDays(slice, period.zone)
    for (const posting of await readPostings(db, moments, { accounts, kinds: KINDS })) {
      const key = `${posting.object_id} ${posting.created_at}`
      const { amount, fee, lost } = disputes.get(key) ?? { amount: 0, fee: 0, lost: 0 }
      const isFee = isCharged(posting)
      disputes.set(key, {
        posting,
        amount: amount + (isFee ? 0 : broughtTo('merchant_payable', posting)),
        fee: fee + (isFee ? broughtTo('fee_income', posting) : 0),
        lost: lost - broughtTo('chargeback_loss', posting),
      })
    }
  }
  return [...disputes.values()]
}

/**
 * Whether a posting is a fee that the merchant pays. A convenience fee is not: payers pay it, and it is booked with the
 * processor.
 */
function isCharged({ from_account: from, to_account: to }: JournalPosting): boolean {
  const other = to === 'fee_income' ? from : to
  return [from, to].includes('fee_income') && (other === 'merchant_payable' || other === 'fee_receivable')
}

interface About {
  readonly code: string | null
  readonly payment: string | null
}

/** Status codes of disputes, and their payments. */
async function disputedBy(db: Work['tx']['db'], ids: readonly string[]): Promise<ReadonlyMap<string, About>> {
  const about = new Map<string, About>()
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE)
    const rows = await db
      .selectFrom('transactions')
      .select(['id', 'status_code', 'disputed_id'])
      .where('id', 'in', some)
      .execute()
    for (const { id, status_code, disputed_id } of rows)
      about.set(id, { code: status_code, payment: disputed_id })
    const entries = await db
      .selectFrom('transaction_ledgers')
      .select(['transaction_id as id', 'assoc_transaction_id as payment'])
      .where('transaction_id', 'in', some)
      .where('entry_type', '=', 'payment')
      .execute()
    for (const { id, payment } of entries)
      about.set(id ?? '', { code: about.get(id ?? '')?.code ?? null, payment })
  }
  return about
}
