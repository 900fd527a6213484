import type {
  EventRow,
  LedgerRow,
  LineItemRow,
  PostingRow,
  WebhookLogRow,
} from '../../engine/store/database/tables.js'

/** A step in a transaction's history. Amounts in minor units. */
export interface Step {
  readonly at: string
  readonly kind: 'event' | 'ledger' | 'journal' | 'invoice' | 'delivery'
  readonly what: string
  readonly amount: number | null
  /** Id of the other object: a transaction, an invoice or a webhook. */
  readonly related_id: string | null
  /** Id of the key or operator that caused the step. */
  readonly by: string | null
}

/** Everything that the database stores about a transaction. */
export interface Traces {
  readonly events: readonly EventRow[]
  readonly entries: readonly LedgerRow[]
  readonly postings: readonly PostingRow[]
  readonly items: readonly LineItemRow[]
  readonly logs: readonly WebhookLogRow[]
}

/** Order of steps that happened at the same time. */
const ORDER = ['event', 'journal', 'ledger', 'invoice', 'delivery']

/** The history of a transaction, in order of time. */
export function stepsOf({ events, entries, postings, items, logs }: Traces): Step[] {
  const nobody = { related_id: null, by: null, amount: null }
  const steps: Step[] = [
    ...events.map(({ created_at: at, trigger, value, principal_id: by }) => ({
      ...nobody,
      at,
      kind: 'event' as const,
      what: value === null || value === trigger ? trigger : `${trigger}: ${value}`,
      by,
    })),
    ...postings.map(({ created_at: at, from_account: from, to_account: to, amount }) => ({
      ...nobody,
      at,
      kind: 'journal' as const,
      what: `${from} → ${to}`,
      amount,
    })),
    ...entries.map(({ created_at: at, entry_type: type, amount, assoc_transaction_id: id }) => ({
      ...nobody,
      at,
      kind: 'ledger' as const,
      what: type ?? '',
      amount,
      related_id: id,
    })),
    ...items.map(({ created_at: at, total, invoice_id: id, description }) => ({
      ...nobody,
      at,
      kind: 'invoice' as const,
      what: (total ?? 0) > 0 ? (description ?? 'given back') : 'pays an invoice',
      amount: total,
      related_id: id,
    })),
    ...logs.map(({ created_at: at, trigger, http_status: status, webhook_id: id }) => ({
      ...nobody,
      at,
      kind: 'delivery' as const,
      what: `${trigger}: ${status}`,
      related_id: id,
    })),
  ]
  return steps.sort((a, b) => compare(a.at, b.at) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
