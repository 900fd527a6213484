import type { Work } from '../../engine/core/write/work.js'
import type { BatchKind } from '../../resources/batch-kinds.js'
import type { Outcome } from './row-record.js'

/** What became of a row whose transaction waited for the gateway; it waits on while there is no outcome. */
export async function decideOpen(work: Work, { about }: BatchKind, known: Outcome): Promise<Outcome> {
  const { object_id: id } = known
  const row = id === null ? undefined : await work.find('transaction', id)
  if (!row || row.open_operation !== null) return { status: 'waiting', object_id: id, error: null }
  const reason = row.status_message
  if (about === 'void' && row.status !== 'voided')
    return { status: 'failed', object_id: id, error: reason ?? 'It was not voided' }
  const isBad = row.status === 'declined' || row.status === 'rejected'
  return { status: isBad ? 'declined' : 'done', object_id: id, error: isBad ? reason : null }
}
