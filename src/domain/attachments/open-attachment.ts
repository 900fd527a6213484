import type { AddressParts } from '../../engine/core/read/addresses.js'
import type { Work } from '../../engine/core/write/work.js'
import { resources } from '../../resources/resource-table.js'
import { checksumOf, contentOf } from './content.js'

/** A file as it is served at its address. */
export interface OpenedFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
}

/**
 * The file of an attachment by its address; undefined if the address is wrong or has expired, or the attachment is
 * deleted. Throws an error if the stored file has changed.
 */
export async function openAttachment(
  work: Work,
  address: Omit<AddressParts, 'page'>,
): Promise<OpenedFile | undefined> {
  if (!work.addresses.isGood({ ...address, page: 'files' }, work.now)) return undefined
  const attachment = await work.find(resources.invoice_attachment, address.id)
  const bytes = attachment && (await contentOf(work, attachment.id))
  if (!bytes) return undefined
  const { name, content_type: contentType, checksum } = attachment
  if (name === null || contentType === null || checksum !== checksumOf(bytes))
    throw new Error(`The attachment ${address.id} is not what was stored`)
  return { name, contentType, bytes }
}
