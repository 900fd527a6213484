import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { namedId, newRelated } from './named.js'
import type { TransactionInput } from './new-transaction.js'

/**
 * The card reader that a transaction names: an active one of the processing account it goes to. Nothing when it names
 * none. Throws `InvalidAttributes`.
 */
export async function readerOf(
  work: Work,
  input: TransactionInput,
  processingId: string | null,
): Promise<string | null> {
  if (newRelated(input, 'reader')) throw invalidAttributes({ reader: 'Is created at its own path only' })
  const id = namedId(input, 'reader', 'reader_id')
  if (id === undefined) return null
  const reader = await work.find('reader', id)
  if (!reader) throw invalidAttributes({ reader_id: 'Not found' })
  if (reader.processing_id !== processingId)
    throw invalidAttributes({ reader_id: 'Belongs to another processing account' })
  if (reader.status !== 'active') throw invalidAttributes({ reader_id: `The reader is ${reader.status}` })
  return id
}
