import type { Language } from '../../../schema/language.js'

/** Content of a message, from which its plain text and its HTML are rendered. Its texts are not escaped yet. */
export interface MailContent {
  readonly language: Language
  /** Name of the merchant, under which the message is sent. */
  readonly merchant: string
  readonly replyTo?: string
  readonly subject: string
  /** Notice at the top of a message in the test environment. */
  readonly notice?: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly MailFact[]
  readonly button?: MailLink
  /** A second link, below the button. */
  readonly second?: MailLink | undefined
  readonly footer: readonly string[]
  readonly unsubscribe?: MailLink
}

/** A label and its value. */
export type MailFact = readonly [label: string, value: string]

export interface MailLink {
  readonly label: string
  readonly address: string
}

/** A text in one line, without control characters or characters that change the direction of text. */
export function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return line.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trim()
}

/** Longest text of another party in a message, in characters. */
const MAX_TEXT = 300

/** The first half of a surrogate pair at the end of a text; PostgreSQL would store another character. */
const HALF = /[\ud800-\udbff]$/

/** A text of another party, in one line and not too long, for a message. */
export function foreignText(text: string): string {
  const line = oneLine(text)
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).replace(HALF, '')}…` : line
}
