import { type Html, html } from './html.js'
import type { Charge, InvoicePage, Payment } from './invoice-page.js'

/** The page of an invoice, to read or print: it contains its style, and neither loads files nor runs scripts. */
export function invoiceHtml(page: InvoicePage): string {
  const { number, status, description, charges, payments, currency } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Invoice ${number}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>Invoice</h1>
<p class="status">${status}</p>
</header>
<div class="parties">
<address><strong>From</strong>${page.from.map(lineOf)}</address>
<address><strong>Bill to</strong>${page.to.map(lineOf)}</address>
<dl>
${fact('Number', number)}${fact('Date', page.issued)}${fact('Due', page.due)}${fact('Paid', page.paidOn)}${fact('For', description)}
</dl>
</div>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="number">Qty</th><th scope="col" class="number">Price</th><th scope="col" class="number">Total</th></tr></thead>
<tbody>
${charges.map(chargeRow)}</tbody>
<tbody class="sums">
${sumRow(`Total due (${currency})`, page.totalDue)}${payments.map(paymentRow)}${sumRow('Paid', page.totalPaid)}${sumRow(`Amount due (${currency})`, page.amountDue, 'due')}</tbody>
</table>
</main>
</body>
</html>
`.text
}

function lineOf(text: string): Html {
  return html`<span>${text}</span>`
}

function fact(name: string, value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<dt>${name}</dt><dd>${value}</dd>`
}

function chargeRow({ text, date, qty, price, total }: Charge): Html {
  const day = date === undefined ? undefined : html` <time>${date}</time>`
  return html`<tr><td>${text}${day}</td>${number(qty)}${number(price)}${number(total)}</tr>
`
}

function paymentRow({ text, date, amount }: Payment): Html {
  const day = date === undefined ? undefined : html` <time>${date}</time>`
  return html`<tr class="payment"><td colspan="3">${text}${day}</td>${number(amount)}</tr>
`
}

function sumRow(name: string, amount: string, kind = 'sum'): Html {
  return html`<tr class="${kind}"><th scope="row" colspan="3">${name}</th>${number(amount)}</tr>
`
}

function number(text: string): Html {
  return html`<td class="number">${text}</td>`
}

const STYLE = html`
body { margin: 0; background: #f4f4f2; color: #1c1c1a; font: 15px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; max-width: 48rem; margin: 2rem auto; padding: 3rem; background: #fff; }
header { display: flex; justify-content: space-between; align-items: baseline; border-bottom: 2px solid; }
h1 { margin: 0; font-size: 1.8rem; }
.status { margin: 0; text-transform: capitalize; }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; margin: 1.5rem 0 2rem; }
address { font-style: normal; }
address > * { display: block; overflow-wrap: anywhere; }
dl { grid-column: 1 / -1; display: grid; grid-template-columns: max-content 1fr; gap: 0 1.5rem; margin: 0; }
dt, time { color: #6a6a66; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.35rem 0.5rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid; }
tbody tr { break-inside: avoid; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sums { border-top: 1px solid; }
.sums th { font-weight: normal; text-align: right; }
.sums .payment td:first-child { text-align: right; }
.sums .due > * { font-weight: bold; font-size: 1.1rem; }
@media print {
  @page { margin: 2cm; }
  body, main { background: none; }
  main { margin: 0; padding: 0; max-width: none; }
}
`
