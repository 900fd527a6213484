import { UsageError } from '../failure/failure.js'

const EXPECTED = 'Expected an address such as https://pay.example.com'

/** Reads the address of a server, without a trailing slash. Throws a `UsageError` for any other text. */
export function readAddressText(text: string): string {
  if (isAddressText(text)) return new URL(text).href.replace(/\/+$/, '')
  throw new UsageError(`${EXPECTED}, but received: ${text}`)
}

/** Whether a text is the address of a server: without user, query and fragment. */
export function isAddressText(text: string): boolean {
  return isHttpUrl(text) && !text.includes('?')
}

/**
 * Reads an address that may have a query, and returns it unchanged. Throws a `UsageError` for any other
 * text.
 */
export function readTargetText(text: string): string {
  if (isHttpUrl(text)) return text
  throw new UsageError(`${EXPECTED}/webhooks?shop=7, but received: ${text}`)
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text) || /[#\s]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
