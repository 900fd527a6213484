import type { Form, StripeBooks } from './stripe-books.js'
import type { Dispute } from './stripe-objects.js'
import { found, invalid } from './stripe-problem.js'

/** Submits evidence for a dispute, once, or accepts the dispute (`close`). */
export function answerDispute(books: StripeBooks, id: string, form: Form, verb: 'close' | 'submit'): Dispute {
  const dispute = found(
    books.disputes.find((each) => each.id === id),
    'dispute',
    id,
  )
  const isOpen = /^(warning_)?needs_response$/.test(dispute.status)
  const { evidence_details: details, evidence } = dispute
  if (!isOpen || details.submission_count > 0)
    throw invalid('dispute_closed', 'This dispute takes no evidence any more.')
  if (verb === 'close') {
    dispute.status = 'lost'
    return dispute
  }
  for (const [name, value] of form) {
    const [, field] = /^evidence\[(\w+)\]$/.exec(name) ?? []
    if (field === undefined) continue
    if (field.endsWith('_text') || books.files.has(value)) evidence[field] = value
    else throw invalid('resource_missing', `No such file upload: ${value}`)
  }
  details.has_evidence = true
  details.submission_count = 1
  dispute.status = dispute.status.replace('needs_response', 'under_review')
  return dispute
}

/** Stores an uploaded file, and returns Stripe's answer. */
export function upload(books: StripeBooks, purpose: string, { name, content }: Uploaded): object {
  if (purpose !== 'dispute_evidence') throw invalid('parameter_invalid', 'That is another purpose.')
  const id = books.nextId('file')
  books.files.set(id, { name, content })
  return { id, object: 'file', purpose, filename: name, size: content.length }
}

/** A file in a multipart form. */
export interface Uploaded {
  readonly name: string
  readonly content: Buffer
}

/** Fields and file of a multipart form. */
export async function partsOf(
  body: Buffer,
  type: string,
): Promise<{ readonly form: Form; readonly file: Uploaded | undefined }> {
  const sent = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const form = new Map([...sent].filter((each): each is [string, string] => typeof each[1] === 'string'))
  const file = [...sent.values()].find((each) => typeof each !== 'string')
  if (file === undefined || typeof file === 'string') return { form, file: undefined }
  return { form, file: { name: file.name, content: Buffer.from(await file.arrayBuffer()) } }
}
