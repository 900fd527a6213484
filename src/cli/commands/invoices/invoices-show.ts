import process from 'node:process'
import { boolean } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { lookOf } from '../../terminal/output/look.js'
import { invoiceArgument, invoicePath, invoiceShape as shape, invoice as target } from './invoice-target.js'

export class ShowInvoice extends PayctlCommand {
  static override summary = 'show an invoice as a page to print'
  static override description =
    'Prints plain text; with --html, a page to print or send that loads no other files.'
  static override usage = 'invoices show ID [--html] [flags]'
  static override examples = [
    'payctl invoices show inv_0V8c…',
    'payctl invoices show inv_0V8c… --html > invoice.html',
  ]
  static override args = { id: invoiceArgument }
  static override flags = {
    html: boolean({ summary: 'as an HTML page', exclusive: ['text'] }),
    text: boolean({ summary: 'as plain text, the default' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ShowInvoice)
    const path = invoicePath(await this.idOf(flags, target, args.id))
    if (formatOf(flags) !== 'table') {
      await this.send(flags, { method: 'GET', path, shape })
      return
    }
    const { INVOICE_FIELDS, invoicePage, SELLER_FIELDS } = await import('../../../http/payer/invoice-page.js')
    const invoice = await this.ask(flags, { method: 'GET', path, query: [['fields', INVOICE_FIELDS]] })
    const seller = await this.ask(flags, {
      method: 'GET',
      path: `/processing_accounts/${encodeURIComponent(String(invoice.body.processing_id))}`,
      query: [['fields', SELLER_FIELDS]],
    })
    const page = invoicePage(invoice.body, seller.body)
    if (flags.html) {
      const { invoiceHtml } = await import('../../../http/payer/invoice-html.js')
      await this.write(flags, invoiceHtml(page).text)
    } else {
      const { invoiceText } = await import('./text.js')
      const { width = 80 } = lookOf(process.stdout, process.env)
      await this.write(flags, `${invoiceText(page, Math.min(width, 100))}\n`)
    }
  }
}
