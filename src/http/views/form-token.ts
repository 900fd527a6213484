import { timingSafeEqual } from 'node:crypto'

/** The name of the field that holds a form's token. */
export const TOKEN_FIELD = 'form_token'

/** What shows that a form was sent from the page that this service gave to this visitor, and not by another site. */
export interface FormTokens {
  /** A token for what only the visitor's browser knows (a cookie, a session), and for one form. */
  make(visitor: string, form: string): string
  isGood(token: string | undefined, visitor: string, form: string): boolean
}

/** What tokens are made of. */
interface Making {
  /** A keyed hash of a text. */
  readonly sign: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that a page may be open before it is sent. */
  readonly life: number
}

/** Tokens that nobody keeps: each is the moment when it ends, and a signature of that and of whom and what it is for. */
export function formTokens({ sign, now, life }: Making): FormTokens {
  const signature = (end: string, visitor: string, form: string) =>
    sign(JSON.stringify(['form', end, visitor, form]))
  return {
    make(visitor, form) {
      const end = String(now() + life)
      return `${end}.${signature(end, visitor, form)}`
    },
    isGood(token = '', visitor, form) {
      const [end = '', given = ''] = token.split('.')
      return visitor !== '' && isSame(given, signature(end, visitor, form)) && Number(end) > now()
    },
  }
}

/** In a time that does not tell how much of a guess was right. */
function isSame(guess: string, right: string): boolean {
  const [one, other] = [Buffer.from(guess), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
