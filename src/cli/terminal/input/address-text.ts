import { UsageError } from '../failure/failure.js'

/** Reads the address of a server, without a trailing slash. Throws a `UsageError` for any other text. */
export function readAddressText(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = address?.username === '' && address.password === '' && !/[?#\s]/.test(text)
  if (address && isPlain && /^https?:$/.test(address.protocol)) return address.href.replace(/\/+$/, '')
  throw new UsageError(`Expected an address such as https://pay.example.com, but received: ${text}`)
}
