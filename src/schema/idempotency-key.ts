/** What an idempotency key must be, in words. */
export const IDEMPOTENCY_KEY = '1 to 255 printable ASCII characters'

/** Whether a text can be one: it travels in a header, and an empty one would be the same for everything. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text)
}
