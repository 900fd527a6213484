import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import type { MailContent, MailFact, MailLink } from './messages/mail-content.js'

/** Content of a stored message, from JSON text or from the value in an answer; undefined until it is written. */
export function parseMail(stored: unknown): MailContent | undefined {
  const value = typeof stored === 'string' ? parsedJson(stored) : stored
  if (!isTree(value)) return undefined
  const { language, merchant, subject, notice, replyTo } = value
  const button = linkIn(value['button'])
  const second = linkIn(value['second'])
  const unsubscribe = linkIn(value['unsubscribe'])
  return {
    language: language === 'es' || language === 'fr' ? language : 'en',
    merchant: String(merchant),
    subject: String(subject),
    ...(typeof replyTo === 'string' && { replyTo }),
    ...(typeof notice === 'string' && { notice }),
    paragraphs: textsIn(value['paragraphs']),
    facts: Array.isArray(value['facts']) ? value['facts'].flatMap(factIn) : [],
    ...(button && { button }),
    ...(second && { second }),
    footer: textsIn(value['footer']),
    ...(unsubscribe && { unsubscribe }),
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function factIn(value: unknown): MailFact[] {
  const [label, text] = textsIn(value)
  return label === undefined || text === undefined ? [] : [[label, text]]
}

function linkIn(value: unknown): MailLink | undefined {
  return isTree(value) ? { label: String(value['label']), address: String(value['address']) } : undefined
}
