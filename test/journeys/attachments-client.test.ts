import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { contents } from '../support/files.js'
import { type HttpService, httpService } from '../support/http.js'
import { type Model, type PayloadClient, payloadClient } from '../support/payload-client.js'

describe('journey: attachments with the public client, unmodified', () => {
  onDatabases((open) => {
    let service: HttpService
    let pl: PayloadClient
    let merchant: Model
    let invoice: Model

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      pl = payloadClient(service.address, await service.key())
      merchant = await pl.create(pl.ProcessingAccount(processingAccount()))
      const customer = await pl.create(pl.Customer({ name: 'Example Customer' }))
      invoice = await pl.Invoice.create({
        processing_id: merchant.id,
        customer_id: customer.id,
        items: [pl.ChargeItem({ amount: 4.99 })],
      })
    })

    /** Fetches a file by the path of its public URL, from the service under test. */
    const opened = async ({ url }: Model) => {
      const { pathname, search } = new URL(String(url))
      const response = await fetch(service.address + pathname + search)
      return Buffer.from(await response.arrayBuffer())
    }

    it('sends a buffer, like a server program', async () => {
      const attachment = await pl.InvoiceAttachment.create({
        invoice_id: invoice.id,
        file: contents.pdf,
        name: 'Terms.pdf',
      })
      expect(attachment).to.include({
        object: 'invoice_attachment',
        name: 'Terms.pdf',
        content_type: 'application/pdf',
        size: contents.pdf.length,
      })
      expect(await opened(attachment)).to.deep.equal(contents.pdf)
    })

    it('sends a stream as multipart form data if the caller chooses that content type', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'payctl-test-'))
      const path = join(folder, 'Hours.csv')
      writeFileSync(path, contents.csv)
      const forms = pl.Session('')
      forms.defaultHeaders = { 'Content-Type': 'multipart/form-data' }
      const attachment = await forms.InvoiceAttachment.create({
        invoice_id: invoice.id,
        file: createReadStream(path),
      })
      rmSync(folder, { recursive: true })
      expect(attachment).to.include({ name: 'Hours.csv', content_type: 'text/csv' })
      expect(await opened(attachment)).to.deep.equal(contents.csv)
    })

    it('sends a File object, like a page, for an invoice or a payment link', async () => {
      const file = (name: string) => new File([contents.png], name, { type: 'image/png' })
      Object.assign(globalThis, { window: {} })
      try {
        const attachment = await pl.InvoiceAttachment.create({
          invoice_id: invoice.id,
          file: file('Größe.png'),
        })
        expect(attachment).to.include({ name: 'Größe.png', content_type: 'image/png' })
        const link = await pl.PaymentLink.create({
          type: 'one_time',
          description: 'Payment Request',
          amount: 10,
          processing_id: merchant.id,
          attachments: [{ file: file('a.png') }, { file: file('b.png') }],
        })
        const shown = await pl.PaymentLink.select('*', 'attachments[name]', 'attachments[url]').get(link.id)
        expect(shown.attachments).to.have.length(2)
        expect(shown).to.have.nested.property('attachments[1].name', 'b.png')
      } finally {
        Reflect.deleteProperty(globalThis, 'window')
      }
    })

    it('reads attachments with their invoice, and deletes one', async () => {
      const read = async () => {
        const { attachments } = await pl.Invoice.select('*', 'attachments').get(invoice.id)
        return Array.isArray(attachments) ? attachments : []
      }
      const [first, ...more] = await read()
      expect(more).to.have.length(2)
      const attachment = await pl.InvoiceAttachment.get(first.id)
      expect(attachment).to.include({ name: 'Terms.pdf', invoice_id: invoice.id })
      await attachment.delete()
      expect(await read()).to.have.length(2)
    })

    it("makes organizations at the client's path for them", async () => {
      const org = await pl.Org.create({ name: 'Group', industry: 'books', org_type: 'company' })
      expect(org).to.include({ object: 'org', name: 'Group' })
      expect(await pl.Org.get(org.id)).to.include({ id: org.id })
    })
  })
})
