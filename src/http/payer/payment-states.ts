import type { Payable } from '../../domain/links/open-link.js'
import type { OpenedPayment } from '../../domain/links/open-payment.js'
import type { Language } from '../../schema/language.js'
import { type HtmlPage, page, type ShowPage } from '../html/page.js'
import { type PlainMessage, plainPage } from './plain-page.js'
import type { Texts } from './texts/payer-english.js'
import { fillText, textsIn } from './texts/payer-texts.js'

type Unpayable = Exclude<Payable['state'], 'payable'>

/** Reasons why a link cannot be paid, in words for the payer. */
function reasonOf(
  state: Unpayable,
  saves: boolean,
  texts: Texts,
): Pick<PlainMessage, 'kind' | 'title' | 'text'> {
  switch (state) {
    case 'busy':
      return saves
        ? { kind: 'note', title: texts.savingTitle, text: texts.savingText }
        : { kind: 'note', title: texts.busyTitle, text: texts.busyText }
    case 'completed':
      return saves
        ? { kind: 'done', title: texts.savedTitle, text: texts.savedText }
        : { kind: 'done', title: texts.paidTitle, text: texts.paidText }
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
  link: Pick<Payable, 'merchant' | 'organization' | 'receipt' | 'saves'>,
  state: Unpayable,
  language: Language,
  show: ShowPage = page,
): HtmlPage {
  const { merchant: over, organization, receipt, saves } = link
  const texts = textsIn(language)
  const reason = reasonOf(state, saves !== undefined, texts)
  const onward =
    state === 'busy'
      ? { isOpen: true, onward: { label: texts.lookAgain, address: '' } }
      : receipt !== undefined && { onward: { label: texts.showReceipt, address: receipt } }
  return plainPage({ over, organization, language, ...reason, ...onward }, show)
}

/** The outcome of a payment without a receipt; `back` is the address of the payment's link. */
export function outcomePage(
  { state, merchant: over, organization, reason, confirmAt }: OpenedPayment,
  back: string,
  language: Language,
  show: ShowPage = page,
): HtmlPage {
  const texts = textsIn(language)
  const common = { over, organization, language }
  const plain = (message: Pick<PlainMessage, 'kind' | 'title' | 'text' | 'isOpen' | 'onward'>) =>
    plainPage({ ...common, ...message }, show)
  switch (state) {
    case 'paid':
      return plain({ kind: 'done', title: texts.paid, text: texts.paidOutcome })
    case 'waiting':
      if (confirmAt !== undefined)
        return plain({
          kind: 'note',
          title: texts.confirmTitle,
          text: texts.confirmOpen,
          isOpen: true,
          // The bank's pages cannot be shown in a frame.
          onward: { label: texts.confirmAgain, address: confirmAt, isApart: show !== page },
        })
      return plain({
        kind: 'note',
        title: texts.waitingTitle,
        text: texts.waitingText,
        isOpen: true,
        onward: { label: texts.lookAgain, address: '' },
      })
    case 'held':
      return plain({ kind: 'done', title: texts.heldTitle, text: texts.heldText })
    case 'declined':
      return plain({
        kind: 'problem',
        title: texts.declinedTitle,
        text: fillText(texts.declinedText, { reason: declineReason(reason, texts) }),
        onward: { label: texts.tryAgain, address: back },
      })
    case 'cancelled':
      return plain({ kind: 'note', title: texts.cancelledTitle, text: texts.cancelledText })
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
