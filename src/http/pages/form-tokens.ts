import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../engine/core/request/errors.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import type { Random } from '../../platform/random.js'
import { parseQueryString } from '../api/target.js'

/** More fields of a form are refused. */
const MAX_FIELDS = 100

const COOKIE = 'payctl_visitor'
const COOKIE_BYTES = 18

/** Proof that a form was sent from the page that this service gave to this visitor, and not by another site. */
export interface FormTokens {
  /** A token for what only the visitor's browser knows (a cookie, a session), and for one form. */
  make(visitor: string, form: string): string
  isGood(token: string | undefined, visitor: string, form: string): boolean
}

interface FormTokenOptions {
  /** A keyed hash of a text. */
  readonly sign: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that a page may be open before it is sent. */
  readonly life: number
}

/** Tokens that are not stored: each is the moment when it ends, and a signature of that, the visitor and the form. */
export function formTokens({ sign, now, life }: FormTokenOptions): FormTokens {
  const signature = (end: string, visitor: string, form: string) =>
    sign(JSON.stringify(['form', end, visitor, form]))
  return {
    make(visitor, form) {
      const end = String(now() + life)
      return `${end}.${signature(end, visitor, form)}`
    },
    isGood(token = '', visitor, form) {
      const [end = '', given = ''] = token.split('.')
      return (
        visitor !== '' && equalsInConstantTime(given, signature(end, visitor, form)) && Number(end) > now()
      )
    },
  }
}

/** The secret that the visitor's browser was given with a page; empty when it has none. */
export function visitorOf({ headers: { cookie = '' } }: FastifyRequest): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{24})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

/**
 * The same, given to the browser now if it has none. It ends with the browser session, no script reads it, and no other
 * site's form sends it along.
 */
export function greetVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): string {
  const known = visitorOf(request)
  if (known !== '') return known
  const visitor = Buffer.from(random.bytes(COOKIE_BYTES)).toString('base64url')
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${visitor}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  return visitor
}

/** The values of a page's form, trimmed; of a repeated name the last. Throws `UnsupportedMediaType`. */
export function postedForm(request: FastifyRequest): ReadonlyMap<string, string> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new ApiError('UnsupportedMediaType', 'The form must be sent as browsers send it')
  const text = request.body instanceof Buffer ? request.body.toString('utf8') : ''
  return new Map(parseQueryString(text, MAX_FIELDS).map(([name, value]) => [name, value.trim()]))
}
