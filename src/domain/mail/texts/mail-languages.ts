import type { Language } from '../../../schema/language.js'
import { MAIL_IN_ENGLISH } from './english.js'
import { MAIL_IN_FRENCH } from './french.js'
import type { MailTexts } from './mail-texts.js'
import { MAIL_IN_SPANISH } from './spanish.js'

/** The texts of each language. */
export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: MAIL_IN_ENGLISH,
  es: MAIL_IN_SPANISH,
  fr: MAIL_IN_FRENCH,
}
