import { element, type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'

/** The values of a report's form: its period, its account, and the length of time that a row sums up. */
export interface ReportForm {
  readonly action: PageAddress
  readonly from: string
  readonly to: string
  readonly account: string
  /** Periods that one row can sum up, such as `day`; empty for a report whose rows are not sums. */
  readonly lengths: readonly string[]
  readonly by: string
}

/** The form of a report, without a script: it opens the same page for other choices. */
export function reportForm({ action, from, to, account, lengths, by }: ReportForm): Html {
  return html`<form class="card screen" action="${action}">
<div class="choices">
<div class="field"><label for="report-from">From</label>
${element('input', { id: 'report-from', name: 'from', type: 'date', value: from })}</div>
<div class="field"><label for="report-to">To</label>
${element('input', { id: 'report-to', name: 'to', type: 'date', value: to })}</div>
<div class="field"><label for="report-account">Processing account</label>
${element('input', { id: 'report-account', name: 'account', value: account, placeholder: 'all' })}</div>
${
  lengths.length === 0
    ? undefined
    : html`<div class="field"><label for="report-by">By</label>
<select id="report-by" name="by">${lengths.map((length) =>
        element('option', { value: length, selected: length === by }, length),
      )}</select></div>`
}
<button>Show</button>
</div>
</form>`
}

/** Links to all reports; the open report is marked. */
export function reportLinks(
  links: readonly { readonly label: string; readonly address: PageAddress; readonly isOpen: boolean }[],
): Html {
  return html`<nav class="filters" aria-label="Reports">${links.map(({ label, address, isOpen }) =>
    element(
      'span',
      { class: 'chip' },
      element('a', { href: address, 'aria-current': isOpen ? 'page' : undefined }, label),
    ),
  )}</nav>`
}
