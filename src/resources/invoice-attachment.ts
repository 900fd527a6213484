import { address, file, integer, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'

/** Reading the attachment gives an address that is valid for a week. */
const opened = { page: 'files', days: 7 } as const

/** Spec: "Invoice", nested `/invoices/{id}/attachments`; its fields are not shown there. */
export const invoiceAttachment = resource({
  name: 'invoice_attachment',
  plural: 'invoice_attachments',
  prefix: 'att_',
  summary: 'A file that goes with an invoice or a payment link.',
  fields: {
    file: file({
      required: true,
      readonly: 'update',
      doc: 'the file itself: a part of a multipart form, or a data: URL',
    }),
    invoice_id: ref('invoice', { readonly: 'update', doc: 'the invoice that it goes with' }),
    payment_link_id: ref('payment_link', { readonly: 'update', doc: 'the payment link that it goes with' }),
    name: text({ max: 255, doc: 'name of the file' }),
    content_type: text({ readonly: true, doc: 'media type of the file' }),
    size: integer({ readonly: true, doc: 'bytes' }),
    url: address({
      ...opened,
      shows: 'url',
      doc: 'address of the file; needs no key, cannot be guessed, and expires',
    }),
    expires_at: address({
      ...opened,
      shows: 'end',
      doc: 'when that address expires; a later answer has a new one',
    }),
  },
  internal: {
    /** SHA-256 of the content. */
    checksum: text(),
  },
  ownership: [
    { kind: 'parent', column: 'invoice_id', resource: 'invoice' },
    { kind: 'parent', column: 'payment_link_id', resource: 'payment_link' },
  ],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'file', label: 'path of the file' },
    { at: 'invoice_id', label: 'invoice that it goes with', needed: { unless: ['payment_link_id'] } },
    { at: 'payment_link_id', label: 'payment link that it goes with' },
    { at: 'name', label: 'name that is shown', example: 'terms.txt' },
  ],
  seals: { unsealed: 'What clients attach to invoices: it neither moves money nor says who may' },
  example: { file: 'data:text/plain;name=terms.txt;base64,SGVsbG8=', invoice_id: 'inv_…' },
  columns: ['id', 'name', 'content_type', 'size', 'invoice_id', 'created_at'],
  indexes: [['invoice_id'], ['payment_link_id']],
})
