import type { Refund } from './stripe-objects.js'
import type { StripeServer } from './stripe-server.js'

/** Returns Stripe’s fee for a charge, in cents: 2.9 % and 30 cents. */
export function usualFee(amount: number): number {
  return Math.round(amount * 0.029) + 30
}

type BalanceLine = StripeServer['transactions'][number] & { readonly amount: number; readonly fee: number }

/** Pays out the balance of the merchant at the Stripe test server, like Stripe's automatic payouts. */
export class StripePayouts {
  private readonly paid = new Set<string>()
  private readonly lines: BalanceLine[] = []
  private readonly others: ((payout: string) => BalanceLine)[] = []
  private count = 0

  constructor(
    private readonly server: StripeServer,
    /** Returns Stripe’s fee for a charge, in cents. */
    public feeOf: (amount: number) => number = usualFee,
  ) {}

  /** Total paid out, fees subtracted, in cents. */
  get paidOut(): number {
    return this.lines.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
  }
  get fees(): number {
    return this.lines.reduce((sum, { fee }) => sum + fee, 0)
  }

  /**
   * Makes a payout of all lines that are in no payout yet. Returns its id; undefined if there are no such lines.
   * `change` may change, omit and add lines.
   */
  payOut(
    at: number,
    change: (lines: BalanceLine[], payout: string) => BalanceLine[] = (lines) => lines,
  ): string | undefined {
    const payout = `po_${String(++this.count).padStart(4, '0')}`
    const lines = change(this.due(payout), payout)
    if (lines.length === 0) return undefined
    const amount = lines.reduce((sum, line) => sum + line.amount - line.fee, 0)
    const seconds = Math.floor(at / 1000)
    // Stripe names the beginning of the day on which a payout arrives.
    const arrival = seconds - (seconds % 86_400)
    this.lines.push(...lines)
    this.server.transactions.push(...lines)
    this.server.payouts.push({
      id: payout,
      object: 'payout',
      created: seconds,
      arrival_date: arrival,
      amount,
      currency: 'usd',
      status: 'paid',
      automatic: true,
      reconciliation_status: 'completed',
    })
    return payout
  }

  /** Holds back an amount (cents) from the next payout; a negative amount releases it. */
  reserve(amount: number): void {
    const type = amount > 0 ? 'reserve_hold' : 'reserve_release'
    this.others.push((payout) => this.stray(payout, type, -amount))
  }

  /** Lets the last payout fail, so that the next one pays its money. Returns the payout; undefined if none can fail. */
  failLast(): object | undefined {
    const last = this.server.payouts.at(-1)
    const amount = Number(last?.['amount'])
    if (last?.['status'] !== 'paid' || amount <= 0) return undefined
    Object.assign(last, {
      status: 'failed',
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed.',
    })
    this.others.push((payout) => this.stray(payout, 'payout_failure', amount, last))
    return last
  }

  /** Makes a line that belongs to none of our transactions. */
  stray(payout: string, type: string, amount: number, source: object | null = null): BalanceLine {
    return this.line(payout, type, { amount, fee: 0, source })
  }

  private due(payout: string): BalanceLine[] {
    const { intents, refunds, releases, disputes } = this.server.books
    const fresh = <T extends { readonly id: string }>(all: readonly T[]) =>
      all.filter(({ id }) => {
        const isFresh = !this.paid.has(id)
        this.paid.add(id)
        return isFresh
      })
    return [
      ...fresh(intents.filter(({ status }) => status === 'succeeded')).map((intent) =>
        this.line(payout, 'charge', {
          // The whole authorized amount. A separate line releases the rest.
          amount: intent.amount,
          fee: this.feeOf(intent.amount_received),
          source: {
            id: `ch_${intent.id}`,
            object: 'charge',
            payment_intent: intent.id,
            metadata: intent.metadata,
          },
        }),
      ),
      ...fresh(releases).map((release) => ({
        ...this.line(payout, 'refund', { amount: -release.amount, fee: 0, source: release }),
        reporting_category: 'partial_capture_reversal',
      })),
      ...fresh(refunds).map((refund) =>
        this.line(payout, 'refund', { amount: -refund.amount, fee: 0, source: refund }),
      ),
      ...fresh(refunds.filter(({ status }) => status === 'failed').map(failureOf)).map(({ refund }) =>
        this.line(payout, 'refund_failure', { amount: refund.amount, fee: 0, source: refund }),
      ),
      // An inquiry moves no money.
      ...fresh(disputes.filter(({ balance_transactions: moved }) => moved.length > 0)).map((dispute) =>
        this.line(payout, 'adjustment', {
          amount: -dispute.amount,
          fee: this.feeOf(0) === 0 ? 0 : 1500,
          source: { id: dispute.id, object: 'dispute', payment_intent: dispute.payment_intent.id },
        }),
      ),
      ...this.others.splice(0).map((line) => line(payout)),
    ]
  }

  private line(
    payout: string,
    type: string,
    {
      amount,
      fee,
      source,
    }: { readonly amount: number; readonly fee: number; readonly source: object | null },
  ): BalanceLine {
    const id = this.server.books.nextId('txn')
    return { id, object: 'balance_transaction', payout, type, amount, fee, source }
  }
}

/** A second entry for a failed refund, for its returned money. */
function failureOf(refund: Refund) {
  return { id: `${refund.id} failed`, refund }
}
