import type { Declinable } from '../../domain/mail-outbox/unsubscribe.js'
import { DEFAULT_LANGUAGE, type Language } from '../../schema/language.js'
import { html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { plainPage } from './plain-page.js'

interface UnsubscribeTexts {
  readonly title: string
  readonly text: (merchant: string, email: string) => string
  readonly button: string
  readonly done: string
  readonly doneText: (merchant: string, email: string) => string
}

const TEXTS: Readonly<Record<Language, UnsubscribeTexts>> = {
  en: {
    title: 'Stop reminders',
    text: (merchant, email) =>
      `${merchant} sends no more reminders to ${email}. Receipts and invoices still come.`,
    button: 'Stop reminders',
    done: 'Reminders are stopped',
    doneText: (merchant, email) => `${merchant} sends no more reminders to ${email}.`,
  },
  es: {
    title: 'No recibir más recordatorios',
    text: (merchant, email) =>
      `${merchant} no enviará más recordatorios a ${email}. Los recibos y facturas seguirán llegando.`,
    button: 'No recibir más recordatorios',
    done: 'No habrá más recordatorios',
    doneText: (merchant, email) => `${merchant} no enviará más recordatorios a ${email}.`,
  },
  fr: {
    title: 'Ne plus recevoir de rappels',
    text: (merchant, email) =>
      `${merchant} n'enverra plus de rappels à ${email}. Les reçus et factures arriveront toujours.`,
    button: 'Ne plus recevoir de rappels',
    done: "Il n'y aura plus de rappels",
    doneText: (merchant, email) => `${merchant} n'enverra plus de rappels à ${email}.`,
  },
}

/** Requires a confirmation: programs that follow the links in mails must not unsubscribe their readers. */
export function unsubscribePage(declinable: Declinable): HtmlPage {
  const { title, text, button } = textsOf(declinable)
  const body = html`<h1>${title}</h1>
<p dir="auto">${text(declinable.merchant, declinable.message.email ?? '')}</p>
<form method="post"><p><button>${button}</button></p></form>`
  return page({ title, body, language: languageOf(declinable) })
}

export function unsubscribedPage(declinable: Declinable): HtmlPage {
  const { done, doneText } = textsOf(declinable)
  return plainPage({
    kind: 'done',
    title: done,
    text: doneText(declinable.merchant, declinable.message.email ?? ''),
    language: languageOf(declinable),
  })
}

function textsOf(declinable: Declinable): UnsubscribeTexts {
  return TEXTS[languageOf(declinable)]
}

function languageOf({ message }: Declinable): Language {
  return message.language ?? DEFAULT_LANGUAGE
}
