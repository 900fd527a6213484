import { invalidAttributes } from '../core/errors.js'
import type { Work } from '../core/work.js'
import type { TransactionRow } from '../store/tables.js'
import { namedId, newRelated } from './named.js'
import type { TransactionInput } from './new-transaction.js'

/** Where a transaction comes from: the card reader or the payment link that was used. */
type Places = Pick<TransactionRow, 'reader_id' | 'payment_link_id'>

/** The places that a transaction names; they are its processing account's. Throws `InvalidAttributes`. */
export async function placesOf(
  work: Work,
  input: TransactionInput,
  processingId: string | null,
): Promise<Places> {
  return {
    reader_id: await readerOf(work, input, processingId),
    payment_link_id: await linkOf(work, input, processingId),
  }
}

async function readerOf(
  work: Work,
  input: TransactionInput,
  processingId: string | null,
): Promise<string | null> {
  if (newRelated(input, 'reader')) throw invalidAttributes({ reader: 'Is created at its own path only' })
  const id = namedId(input, 'reader', 'reader_id')
  if (id === undefined) return null
  const reader = await work.find('reader', id)
  if (!reader) throw invalidAttributes({ reader_id: 'Not found' })
  if (reader.processing_id !== processingId) throw invalidAttributes({ reader_id: ANOTHERS })
  if (reader.status !== 'active') throw invalidAttributes({ reader_id: `The reader is ${reader.status}` })
  return id
}

async function linkOf(
  work: Work,
  { payment_link_id: id }: TransactionInput,
  processingId: string | null,
): Promise<string | null> {
  if (!id) return null
  const link = await work.find('payment_link', id)
  if (!link) throw invalidAttributes({ payment_link_id: 'Not found' })
  if (link.processing_id !== null && link.processing_id !== processingId)
    throw invalidAttributes({ payment_link_id: ANOTHERS })
  return id
}

const ANOTHERS = 'Belongs to another processing account'
