import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../engine/core/request/api-error.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import type { Random } from '../../platform/random.js'
import { bodyTooLarge } from '../api/request-body.js'
import { parseQueryString } from '../api/request-target.js'
import { cookieIn } from './sign-in-cookies.js'

/** Maximum number of fields of a form, and of its bytes. There are limits because anybody may send a form. */
const MAX_FIELDS = 100
const MAX_BYTES = 256 * 1024

const COOKIE = 'payctl_visitor'
const COOKIE_BYTES = 18

/** Tokens that prove the origin of a form: a page that this visitor got from this service, not another site. */
export interface FormTokens {
  /** A token for a visitor (`visitorOf`) and a form. */
  make(visitor: string, form: string): string
  isGood(token: string | undefined, visitor: string, form: string): boolean
}

interface FormTokenOptions {
  /** A keyed hash of a text. */
  readonly sign: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds for which a token is valid. */
  readonly life: number
}

/** Tokens are not stored: each contains its expiry, and a signature over the expiry, the visitor and the form. */
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

/** The secret cookie that the visitor's browser got with a page; empty when it has none. */
export function visitorOf(request: FastifyRequest): string {
  return cookieIn(request, COOKIE, '[\\w-]{24}')
}

/**
 * The visitor's secret cookie, which is set now if it is missing. It ends with the browser session, no script reads
 * it, and no other site's form sends it.
 */
export function ensureVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): string {
  const known = visitorOf(request)
  if (known !== '') return known
  const visitor = Buffer.from(random.bytes(COOKIE_BYTES)).toString('base64url')
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${visitor}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  return visitor
}

/**
 * The values of a posted form, trimmed; for a repeated name, the last value. Throws `UnsupportedMediaType` or
 * `PayloadTooLarge`.
 */
export function postedForm(request: FastifyRequest): ReadonlyMap<string, string> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new ApiError('UnsupportedMediaType', 'The form must be sent as browsers send it')
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  if (body.length > MAX_BYTES) throw bodyTooLarge(MAX_BYTES)
  const text = body.toString('utf8')
  return new Map(parseQueryString(text, MAX_FIELDS).map(([name, value]) => [name, value.trim()]))
}
