import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { InvoiceAttachmentRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { CARD_NUMBER_PROBLEM, hasCardNumber } from '../../schema/card-data.js'
import { readDataUrl } from '../../schema/data-url.js'
import type { InputFor } from '../../schema/types.js'
import { checksumOf, deleteContent, storeContent } from './content.js'
import { EXTENSIONS, extensionFor, mediaTypeCalled } from './media-type.js'

const MIB = 1024 * 1024

/** Default limit of the size of a file. */
const MAX_FILE_BYTES = 10 * MIB

/**
 * Rule of attachments. Spec: "Invoice", nested `/invoices/{id}/attachments`. A file belongs to one invoice or one
 * payment link.
 */
export function attachmentRule(largest = MAX_FILE_BYTES): Rule<typeof resources.invoice_attachment> {
  return {
    async create(work, input) {
      refuseParents(input)
      const { name, bytes } = fileOf(input, largest)
      const contentType = mediaTypeCalled(name)
      if (!contentType) throw invalidAttributes({ file: `Must be one of: ${EXTENSIONS.join(', ')}` })
      const row = await work.createPlainly(resources.invoice_attachment, { ...input, name })
      await storeContent(work, row.id, bytes)
      return await work.change(resources.invoice_attachment, row.id, {
        content_type: contentType,
        size: bytes.length,
        checksum: checksumOf(bytes),
      })
    },

    /** Renames an attachment. The extension of the new name must be one of the stored media type. */
    async update(work, row, input) {
      const { name } = input
      if (name === null) throw invalidAttributes({ name: 'Required' })
      if (name !== undefined && mediaTypeCalled(cleaned(name)) !== row.content_type)
        throw invalidAttributes({ name: `Must be the name of a file of type ${row.content_type}` })
      const renamed = name === undefined ? {} : { name: cleaned(name) }
      return await work.updatePlainly(resources.invoice_attachment, row, { ...input, ...renamed })
    },

    delete: removeAttachment,
  }
}

/** Deletes an attachment and its file. */
async function removeAttachment(work: Work, row: InvoiceAttachmentRow): Promise<void> {
  await deleteContent(work, row.id)
  await work.deletePlainly(resources.invoice_attachment, row)
}

/** Deletes the attachments of an invoice or a payment link that is deleted. */
export async function removeAttachmentsOf(
  work: Work,
  parent: 'invoice_id' | 'payment_link_id',
  id: string,
): Promise<void> {
  for (const row of await work.findBy(resources.invoice_attachment, parent, id))
    await removeAttachment(work, row)
}

type AttachmentInput = InputFor<typeof resources.invoice_attachment>

function refuseParents({ invoice_id: invoice, payment_link_id: link }: AttachmentInput): void {
  if (invoice && link) throw invalidAttributes({ payment_link_id: 'Must not be sent with invoice_id' })
  if (!invoice && !link)
    throw invalidAttributes({
      invoice_id: 'Required, or payment_link_id',
      payment_link_id: 'Required, or invoice_id',
    })
}

/** The file that was sent and its name: the attribute, else the name in the upload, else one by its content. */
function fileOf(input: AttachmentInput, largest: number): { name: string; bytes: Buffer } {
  const content = readDataUrl(input.file ?? '')
  if (!content) throw invalidAttributes({ file: 'Must be a whole file' })
  const { bytes } = content
  if (bytes.length === 0) throw invalidAttributes({ file: 'Must not be empty' })
  if (bytes.length > largest)
    throw invalidAttributes({ file: `Must be at most ${Math.floor((largest / MIB) * 10) / 10} MiB` })
  const given = cleaned(input.name ?? content.name ?? '')
  // The attribute was checked before; the name in the upload was not.
  if (hasCardNumber(given)) throw invalidAttributes({ name: CARD_NUMBER_PROBLEM })
  return { name: given === '' ? `attachment.${extensionFor(bytes) ?? ''}` : given, bytes }
}

/** A name without a path and without invisible characters. */
function cleaned(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return [...seen].slice(-MAX_NAME_LENGTH).join('')
}
const MAX_NAME_LENGTH = 255
