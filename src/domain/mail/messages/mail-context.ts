import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import type { Row } from '../../../schema/columns.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { LANGUAGES, type Language } from '../../../schema/language.js'
import { CURRENCY, type Minor, showMoney } from '../../../schema/money.js'
import { isTree } from '../../../schema/types.js'
import { zoneOf } from '../../billing/invoices/invoice-days.js'
import { orgOf } from '../../mail-outbox/queue-mail.js'
import { MAIL_IN_ENGLISH } from '../texts/english.js'
import { MAIL_IN_FRENCH } from '../texts/french.js'
import type { MailTexts } from '../texts/mail-texts.js'
import { MAIL_IN_SPANISH } from '../texts/spanish.js'
import { foreignText, type MailContent } from './mail-content.js'

/** The texts of each language. */
const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: MAIL_IN_ENGLISH,
  es: MAIL_IN_SPANISH,
  fr: MAIL_IN_FRENCH,
}

/** Language, names and formats for the messages of a merchant. */
export interface MailContext {
  readonly texts: MailTexts
  /** Name of the merchant, in one line. */
  readonly merchant: string
  readonly money: (amount: Minor) => string
  /** A date (`YYYY-MM-DD`) as the language writes it. */
  readonly date: (date: string) => string
  /** The local date of a datetime. */
  readonly day: (datetime: string) => string
  /** The parts that all messages have. */
  readonly frame: Pick<MailContent, 'language' | 'merchant' | 'replyTo' | 'notice' | 'footer'>
}

/**
 * The context of a message. Its language is that of `link` if the link has one, otherwise that of the organization or
 * the mail server.
 */
export async function mailContext(
  work: Work,
  { processing_id: processingId }: Pick<MailMessageRow, 'processing_id'>,
  server: MailServerRow,
  link?: Row,
): Promise<MailContext> {
  const account = processingId ? await work.find(resources.processing_account, processingId) : undefined
  const org = await orgOf(work, account)
  const language = languageOf(link) ?? org?.mail__language ?? server.language ?? 'en'
  const texts = MAIL_TEXTS[language]
  const merchant = foreignText(account?.name ?? org?.name ?? server.from_address ?? '')
  const replyTo = org?.mail__reply_to ?? server.reply_to
  const zone = processingId ? await zoneOf(work, processingId) : 'UTC'
  const format = new Intl.DateTimeFormat(texts.tag, { dateStyle: 'long', timeZone: 'UTC' })
  const currency = new Intl.NumberFormat(texts.tag, { style: 'currency', currency: CURRENCY })
  const date = (day: string) => format.format(Date.parse(`${day}T00:00:00Z`))
  return {
    texts,
    merchant,
    money: (amount) => currency.format(showMoney(amount)),
    date,
    day: (datetime) => date(localDate(zone, millisecondsOf(datetime))),
    frame: {
      language,
      merchant,
      ...(replyTo !== null && { replyTo }),
      ...(work.environment === 'test' && { notice: texts.testNotice }),
      footer: [texts.footer(merchant), ...(replyTo === null ? [] : [texts.answers])],
    },
  }
}

/** The language of a link's page; undefined if the link has no language, or a language without mail texts. */
function languageOf(link: Row | undefined): Language | undefined {
  const options: unknown =
    typeof link?.['checkout_options'] === 'string' ? JSON.parse(link['checkout_options']) : undefined
  const locale = link?.['locale'] ?? (isTree(options) ? options['locale'] : undefined)
  if (typeof locale !== 'string') return undefined
  const [tag] = locale.toLowerCase().split(/[-_]/)
  return LANGUAGES.find((language) => language === tag)
}
