import type { OpenedLink } from '../../../domain/links/open-link.js'
import type { OpenedPayment } from '../../../domain/links/open-payment.js'
import type { HtmlPage } from '../page.js'
import { plainPage } from './plain-page.js'

/** Reasons why a link cannot be paid, in words for the payer. */
const UNPAYABLE = {
  busy: {
    kind: 'note',
    title: 'A payment is in progress',
    text: 'Somebody is paying right now. Check again in a minute before you pay.',
  },
  completed: { kind: 'done', title: 'This is paid', text: 'Nothing is left to pay here.' },
  nothing_due: { kind: 'done', title: 'This is paid', text: 'Nothing is due on this invoice.' },
  expired: {
    kind: 'note',
    title: 'This link has expired',
    text: 'It cannot be paid any more. Ask for a new one.',
  },
  inactive: {
    kind: 'note',
    title: 'This link is not active',
    text: 'It cannot be paid now. Ask whoever sent it to you.',
  },
  no_method: {
    kind: 'note',
    title: 'No payments are taken here',
    text: 'Neither cards nor bank accounts are accepted now. Ask the sender of this link.',
  },
} as const

type Unpayable = keyof typeof UNPAYABLE

/** The page of a link that cannot be paid. */
export function unpayablePage(
  { merchant: over, organization, receipt }: Pick<OpenedLink, 'merchant' | 'organization' | 'receipt'>,
  state: Unpayable,
): HtmlPage {
  const onward =
    state === 'busy'
      ? { onward: { label: 'Look again', address: '' } }
      : receipt !== undefined && { onward: { label: 'Show the receipt', address: receipt } }
  return plainPage({ over, organization, ...UNPAYABLE[state], ...onward })
}

/** The outcome of a payment without a receipt; `back` is the address of the payment's link. */
export function outcomePage(
  { state, merchant: over, organization, reason }: OpenedPayment,
  back: string,
): HtmlPage {
  switch (state) {
    case 'paid':
      return plainPage({ over, organization, kind: 'done', title: 'Paid', text: 'The payment was made.' })
    case 'waiting':
      return plainPage({
        over,
        organization,
        kind: 'note',
        title: 'Your payment is being processed',
        text: 'The bank has not answered yet. Do not pay again: look again here in a minute.',
        onward: { label: 'Look again', address: '' },
      })
    case 'held':
      return plainPage({
        over,
        organization,
        kind: 'done',
        title: 'Your payment is authorized',
        text: 'The amount is reserved; it is taken when the payment is confirmed. Do not pay again.',
      })
    case 'declined':
      return plainPage({
        over,
        organization,
        kind: 'problem',
        title: 'Your payment was declined',
        text: `${reason ?? 'Declined'}. You have not been charged.`,
        onward: { label: 'Try again', address: back },
      })
    case 'cancelled':
      return plainPage({
        over,
        organization,
        kind: 'note',
        title: 'Your payment was cancelled',
        text: 'You have not been charged, or the money was returned to you.',
      })
  }
}
