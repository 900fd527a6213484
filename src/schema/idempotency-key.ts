/** Description of a valid idempotency key. */
export const IDEMPOTENCY_KEY = '1 to 255 printable ASCII characters'

/**
 * Whether a text is a valid idempotency key. It is sent in a header. An empty key is refused, because it
 * would be the same for all requests.
 */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text)
}
