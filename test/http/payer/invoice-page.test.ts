import { expect } from 'chai'
import { invoiceText } from '../../../src/cli/commands/invoices/text.js'
import { invoiceHtml } from '../../../src/http/payer/invoice-html.js'
import { invoicePage } from '../../../src/http/payer/invoice-page.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { expectHtml } from '../../support/strict-html.js'

const SELLER: JsonObject = {
  name: 'Park Books',
  legal_entity: {
    street_address: '1 Main Street',
    unit_number: null,
    city: 'New York',
    state_province: 'NY',
    postal_code: '10001',
  },
}

const INVOICE: JsonObject = {
  id: 'inv_1',
  status: 'partially_paid',
  description: 'Books of <March>',
  created_at: '2030-03-01 09:00:00',
  due_date: '2030-03-31',
  paid_timestamp: null,
  total_due: 1040,
  total_paid: 25,
  amount_due: 1015,
  billing_contact: {
    name: 'Ada "the reader" Park',
    email: 'ada@example.com',
    street_address1: '2 Side Street',
    city: 'New York',
    state_province: null,
    postal_code: '10002',
  },
  items: [
    { entry_type: 'charge', description: 'Books', qty: 3, amount: 12.5, total: 37.5 },
    {
      entry_type: 'charge',
      description: 'A very long description that does not fit into the column that is there for it, by far',
      incurred_date: '2030-02-28',
      qty: 1,
      amount: 1002.5,
      total: 1002.5,
    },
    {
      entry_type: 'payment',
      description: null,
      created_at: '2030-03-02 10:00:00',
      payment: { payment_method: { description: 'Visa ending in 4242' } },
      total: -20,
    },
    { entry_type: 'payment', description: 'Cash', incurred_date: '2030-03-03', payment: null, total: -5 },
    { entry_type: 'payment', description: 'Declined', payment: null, total: 0 },
  ],
}

const page = invoicePage(INVOICE, SELLER)

describe('the page of an invoice', () => {
  it('shows everything on a terminal', () => {
    expect(`${invoiceText(page)}\n`).to.equal(`Park Books
1 Main Street
New York, NY 10001

Invoice   inv_1
Status    partially paid
Date      2030-03-01
Due       2030-03-31
For       Books of <March>
Bill to   Ada "the reader" Park
          2 Side Street
          New York, 10002
          ada@example.com

Description                                     Qty         Price          Total
--------------------------------------------------------------------------------
Books                                             3         12.50          37.50
A very long description that does not fit         1      1,002.50       1,002.50
  into the column that is there for it, by
  far  2030-02-28
--------------------------------------------------------------------------------
Total due (USD)                                                         1,040.00
2030-03-02  Payment, Visa ending in 4242                                  -20.00
2030-03-03  Cash                                                           -5.00
Paid                                                                       25.00
Amount due (USD)                                                        1,015.00
`)
  })

  it('fits the available width', () => {
    const long = {
      ...INVOICE,
      items: [{ entry_type: 'charge', description: 'x'.repeat(200), qty: 1, total: 1 }],
    }
    for (const width of [57, 80, 100])
      for (const line of invoiceText(invoicePage(long, SELLER), width).split('\n'))
        expect(line.length).to.be.at.most(width)
  })

  it('is complete, loads no content and escapes texts written by people', () => {
    const written = invoiceHtml(page).text
    expectHtml(written)
    expect(written).to.match(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/)
    expect(written)
      .to.include('Books of &#60;March&#62;')
      .and.include('Ada &#34;the reader&#34; Park')
      .and.include('<td class="number">1,002.50</td>')
      .and.include('@media print')
    expect(written).to.not.match(/<img|https?:|url\(|@import|Declined/)
  })

  it('shows no control characters of texts on the terminal', () => {
    const wild = { ...INVOICE, description: '\u001b[2Jgone\u202e\nnext', items: [] }
    expect(invoicePage(wild, SELLER).description).to.equal('[2Jgone next')
  })

  it('is complete without optional values', () => {
    const bare = invoicePage({ id: 'inv_2', total_due: 0, total_paid: 0, amount_due: 0 }, { name: 'Park' })
    expect(bare).to.deep.include({ from: ['Park'], to: [], charges: [], payments: [], due: undefined })
    expect(invoiceText(bare)).to.include('Amount due (USD)')
    expect(invoiceHtml(bare).text).to.not.include('>undefined')
  })
})
