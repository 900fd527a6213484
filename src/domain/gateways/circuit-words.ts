import type { CircuitCause, RefusalScope } from '../../gateways/contract.js'

/** Value of `subject` for the cause that a failed `gateways test` records; its `scope` is `reading`. */
export const CHECK = 'check'

/** Short text of a refusal for clients and operators. */
export function refusalWords(scope: RefusalScope): string {
  switch (scope) {
    case 'gateway':
      return 'The gateway refuses its credentials'
    case 'merchant':
      return 'The gateway takes no payments of this merchant'
    case 'card':
      return 'This gateway takes no cards'
    case 'bank_account':
      return 'This gateway takes no bank accounts'
    case 'card_number':
      return 'This gateway takes no typed card numbers'
  }
}

/** A cause in words, with its merchant. The problem of a whole gateway is returned unchanged. */
export function causeWords({ scope, subject, problem }: CircuitCause): string {
  const of = subject === '' ? '' : ` (merchant ${subject})`
  switch (scope) {
    case 'gateway':
    case 'unreachable':
      return problem
    case 'merchant':
      return `${subject === '' ? 'Its own merchant' : `The merchant ${subject}`} is refused: ${problem}`
    case 'failing':
      return `Answers about ${subject === '' ? 'its own merchant' : `the merchant ${subject}`} are not understood: ${problem}`
    case 'card':
    case 'bank_account':
    case 'card_number':
      return `${refusalWords(scope)}${of}: ${problem}`
    case 'reading':
      return subject === CHECK ? problem : `It refuses to be read (${subject}): ${problem}`
  }
}
