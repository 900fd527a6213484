import type { OpenedInvoice } from '../../domain/links/open-invoice.js'
import type { Core } from '../../engine/core/core.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import { system } from '../../engine/core/request/principal.js'
import type { JsonObject } from '../../schema/json.js'
import type { Language } from '../../schema/language.js'
import type { HtmlPage } from '../html/page.js'
import { invoiceHtml } from './invoice-html.js'
import { INVOICE_FIELDS, invoicePage, SELLER_FIELDS } from './invoice-page.js'
import { textsIn } from './texts/payer-texts.js'

/**
 * The page of an opened invoice, made from the API objects of the invoice and of the processing account. Throws an
 * `ApiError` if the invoice cannot be read: a page without amounts would look paid.
 */
export async function showInvoice(core: Core, invoice: OpenedInvoice, language: Language): Promise<HtmlPage> {
  const { id, processingId, organization, environment, link, linkUrl } = invoice
  const shown = await read(core, `/invoices/${id}`, INVOICE_FIELDS)
  if (!shown) throw new ApiError('ServiceUnavailable', 'The invoice cannot be shown now. Try again later')
  const seller = await read(core, `/processing_accounts/${processingId}`, SELLER_FIELDS)
  return invoiceHtml(invoicePage(shown, seller ?? {}, textsIn(language)), {
    organization,
    isTest: environment === 'test',
    payAddress: link === undefined ? undefined : `../../pay/${link}`,
    scanAddress: linkUrl,
    language,
  })
}

async function read(core: Core, path: string, fields: string): Promise<JsonObject | undefined> {
  const { status, body } = await core.handle({
    method: 'GET',
    path,
    query: [['fields', fields]],
    principal: system,
  })
  return status === 200 ? body : undefined
}
