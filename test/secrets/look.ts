import type { Secret } from './secret.js'

/** A text or the bytes of a file, with a name for messages. */
export interface Place {
  readonly where: string
  readonly content: string | Buffer
}

/** Finds secrets in clear text; returns a sentence for each find, empty if there are none. */
export function look(places: readonly Place[], secrets: readonly Secret[]): string[] {
  return places.flatMap(({ where, content }) =>
    secrets
      .filter((secret) =>
        typeof content === 'string' ? isInText(content, secret) : isInBytes(content, secret),
      )
      .map(({ name }) => `${name} in ${where}`),
  )
}

function isInText(text: string, secret: Secret): boolean {
  if (secret.kind !== 'codes') return isInBytes(Buffer.from(text), secret)
  return secret.values.some((code) => alone(code).test(text))
}

/**
 * Whether a secret is in the bytes of a file. Values in a file have no separators, so four digits may occur by
 * chance: codes count only if all occur.
 */
function isInBytes(bytes: Buffer, secret: Secret): boolean {
  return secret.kind === 'codes'
    ? secret.values.every((code) => bytes.includes(code))
    : formsOf(secret).some((form) => bytes.includes(form))
}

/** Notations of a secret: plain, with separators, as an integer of SQLite, and in Base64 and hexadecimal. */
function formsOf({ kind, value }: Exclude<Secret, { kind: 'codes' }>): (string | Buffer)[] {
  if (kind === 'key') return [value]
  const written = GROUPS.flatMap((groups) => [value.replace(groups, '$& '), value.replace(groups, '$&-')])
  // Without the last characters, which depend on the bytes after the value.
  const base64 = Buffer.from(value)
    .toString('base64')
    .slice(0, Math.floor((value.length * 4) / 3))
  return [value, ...written, base64, Buffer.from(value).toString('hex'), ...integersOf(value)]
}

/** Positions of separators: card numbers in fours, social security numbers as 123-45-6789, tax ids as 12-3456789. */
const GROUPS = [/\d{4}(?=\d)/g, /^\d{3}(?=\d{6}$)|(?<=^\d{3})\d\d(?=\d{4}$)/g, /^\d\d(?=\d{7}$)/g]

/**
 * The six or eight bytes in which SQLite stores a large integer. Shorter numbers are not searched: their four
 * bytes could be anything.
 */
function integersOf(value: string): Buffer[] {
  if (value.length < 10) return []
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return [bytes.subarray(value.length > 14 ? 0 : 2)]
}

/** Pattern for digits that are a value by themselves, and not part of an id, a date or a longer number. */
function alone(code: string): RegExp {
  return new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`)
}
