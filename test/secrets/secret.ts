/** A value that must not be stored, logged or answered in clear. */
export type Secret =
  /** A number of a card, bank account or person; it is searched in every notation. */
  | { readonly kind: 'number'; readonly name: string; readonly value: string }
  /** All card codes of one purpose. A single code may occur by chance in a file, but not all of them. */
  | { readonly kind: 'codes'; readonly name: string; readonly values: readonly string[] }
  /** The random part of a secret key. */
  | { readonly kind: 'key'; readonly name: string; readonly value: string }

/** Number of rounds of payments, each with other card codes. */
export const ROUNDS = 10

/** Values that are used nowhere else, one per use, so that a find shows its origin. */
export const CARDS = {
  good: '4539172648503919',
  usedOnce: '5283609174251830',
  ofCustomer: '4916382057194620',
  refused: '5327491860357280',
  listed: '4556819302746154',
  dryRun: '5419360827513948',
  asked: '4024185736902852',
  declined: '4111111111119904',
  misspelt: '4539172648503918',
} as const

export const ACCOUNTS = {
  ofMerchant: '730284619573',
  paying: '618392750461',
  usedOnce: '927461830562',
  refused: '548301927465',
} as const

export const ROUTING = '067319543'
export const SSN = { kept: '571839264', refused: '694028173' } as const
export const EIN = { kept: '839461720', later: '462917385', refused: '275094816' } as const
export const CODES = {
  good: codes(7350),
  beside: codes(8460),
  declined: codes(9150),
  refused: codes(6180),
  ofCustomer: codes(5930),
  dryRun: codes(4810),
} as const

/** All values above, as secrets to search for. */
export const secrets: readonly Secret[] = [
  ...named('number', 'card', CARDS),
  ...named('number', 'account', ACCOUNTS),
  ...named('number', 'routing', { number: ROUTING }),
  ...named('number', 'ssn', SSN),
  ...named('number', 'ein', EIN),
  ...Object.entries(CODES).map(([name, values]) => ({
    kind: 'codes' as const,
    name: `card codes ${name}`,
    values,
  })),
]

/** The random part of a secret key, as a secret to search for. */
export function keySecret(name: string, secretKey: string): Secret {
  return { kind: 'key', name: `key ${name}`, value: secretKey.slice(secretKey.lastIndexOf('_') + 1) }
}

/** Digits in groups of four, like a written card number. */
export function spaced(digits: string, between = ' '): string {
  return digits.replace(/(\d{4})(?=\d)/g, `$1${between}`)
}

/** The card code for a round. */
export function codeOf(codes: readonly string[], round: number): string {
  return codes[round % codes.length] ?? ''
}

function codes(first: number): readonly string[] {
  return Array.from({ length: ROUNDS }, (_, round) => String(first + round))
}

function named(kind: 'number', what: string, values: Readonly<Record<string, string>>): Secret[] {
  return Object.entries(values).map(([name, value]) => ({ kind, name: `${what} ${name}`, value }))
}
