import type { OpenedLink } from '../../../domain/links/open-link.js'
import type { OpenedPayment } from '../../../domain/links/open-payment.js'
import type { Language } from '../../../schema/language.js'
import type { HtmlPage } from '../page.js'
import type { Texts } from '../texts/payer-english.js'
import { fillText, textsIn } from '../texts/payer-texts.js'
import { type PlainMessage, plainPage } from './plain-page.js'

type Unpayable = Exclude<OpenedLink['state'], 'payable'>

/** Reasons why a link cannot be paid, in words for the payer. */
function reasonOf(state: Unpayable, texts: Texts): Pick<PlainMessage, 'kind' | 'title' | 'text'> {
  switch (state) {
    case 'busy':
      return { kind: 'note', title: texts.busyTitle, text: texts.busyText }
    case 'completed':
      return { kind: 'done', title: texts.paidTitle, text: texts.paidText }
    case 'nothing_due':
      return { kind: 'done', title: texts.paidTitle, text: texts.nothingDueText }
    case 'expired':
      return { kind: 'note', title: texts.expiredTitle, text: texts.expiredText }
    case 'inactive':
      return { kind: 'note', title: texts.inactiveTitle, text: texts.inactiveText }
    case 'no_method':
      return { kind: 'note', title: texts.noMethodTitle, text: texts.noMethodText }
  }
}

/** The page of a link that cannot be paid. */
export function unpayablePage(
  { merchant: over, organization, receipt }: Pick<OpenedLink, 'merchant' | 'organization' | 'receipt'>,
  state: Unpayable,
  language: Language,
): HtmlPage {
  const texts = textsIn(language)
  const onward =
    state === 'busy'
      ? { isOpen: true, onward: { label: texts.lookAgain, address: '' } }
      : receipt !== undefined && { onward: { label: texts.showReceipt, address: receipt } }
  return plainPage({ over, organization, language, ...reasonOf(state, texts), ...onward })
}

/** The outcome of a payment without a receipt; `back` is the address of the payment's link. */
export function outcomePage(
  { state, merchant: over, organization, reason }: OpenedPayment,
  back: string,
  language: Language,
): HtmlPage {
  const texts = textsIn(language)
  const common = { over, organization, language }
  switch (state) {
    case 'paid':
      return plainPage({ ...common, kind: 'done', title: texts.paid, text: texts.paidOutcome })
    case 'waiting':
      return plainPage({
        ...common,
        kind: 'note',
        title: texts.waitingTitle,
        text: texts.waitingText,
        isOpen: true,
        onward: { label: texts.lookAgain, address: '' },
      })
    case 'held':
      return plainPage({ ...common, kind: 'done', title: texts.heldTitle, text: texts.heldText })
    case 'declined':
      return plainPage({
        ...common,
        kind: 'problem',
        title: texts.declinedTitle,
        text: fillText(texts.declinedText, { reason: declineReason(reason, texts) }),
        onward: { label: texts.tryAgain, address: back },
      })
    case 'cancelled':
      return plainPage({ ...common, kind: 'note', title: texts.cancelledTitle, text: texts.cancelledText })
  }
}

const REASONS = [
  'card_expired',
  'duplicate_attempt',
  'exceeded_limit',
  'insufficient_bal',
  'too_many_attempts',
  'authentication_required',
  'gateway_unavailable',
] as const

/** The reason of a decline by its code; a code without words of its own is a decline without a stated reason. */
export function declineReason(code: string | undefined, texts: Texts): string {
  return texts[REASONS.find((known) => known === code) ?? 'general_decline']
}
