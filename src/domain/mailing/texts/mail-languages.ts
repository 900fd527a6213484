import { ENGLISH } from './english.js'
import { FRENCH } from './french.js'
import type { MailLanguage, MailTexts } from './mail-texts.js'
import { SPANISH } from './spanish.js'

/** The texts of each language. */
export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
}
