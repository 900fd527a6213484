import { datetime, integer, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'

/** Spec: "Invoice", nested `/invoices/{id}/attachments`; its fields are not shown there. */
export const invoiceAttachment = resource({
  name: 'invoice_attachment',
  plural: 'invoice_attachments',
  prefix: 'att_',
  summary: 'A file that goes with an invoice or a payment link.',
  fields: {
    file: text({
      readonly: 'update',
      transient: true,
      doc: 'the file itself, as a part of a multipart form',
    }),
    invoice_id: ref('invoice', { readonly: 'update', doc: 'the invoice that it goes with' }),
    payment_link_id: ref('payment_link', { readonly: 'update', doc: 'the payment link that it goes with' }),
    name: text({ max: 255, doc: 'name of the file' }),
    content_type: text({ readonly: true, doc: 'media type of the file' }),
    size: integer({ readonly: true, doc: 'bytes' }),
    url: text({ readonly: true, doc: 'where it is read; needs no key, cannot be guessed, and expires' }),
    expires_at: datetime({ readonly: true, doc: 'when that address ends' }),
  },
  internal: {
    /** Hash of the content, and the name under which it is stored. */
    checksum: text(),
    stored_as: text(),
  },
  belongs: [
    { kind: 'hangs_on', column: 'invoice_id', resource: 'invoice' },
    { kind: 'hangs_on', column: 'payment_link_id', resource: 'payment_link' },
  ],
  columns: ['id', 'name', 'content_type', 'size', 'invoice_id', 'created_at'],
  indexes: [['invoice_id'], ['payment_link_id']],
})
