import type { RailResponse } from '../../platform/network/rail-client.js'
import { datetimeOf } from '../../schema/datetime.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  Credentials,
  FieldsMethod,
  FieldsOrigins,
  GivenToken,
  MethodDescription,
  NotSentOutcome,
  PayerFields,
} from '../contract.js'
import type { GatewayCheck } from '../gateway-check.js'
import { RefusedReading, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import { peerBody, peerRefusal, problemIn } from './peer-answer.js'
import type { PeerRequest } from './peer-request.js'
import { isMethodId } from './peer-store.js'

interface Calls {
  send(request: PeerRequest, credentials: Credentials): Promise<RailResponse | NotSentOutcome>
  now(): number
}

interface OpenedFields {
  readonly fields: PayerFields
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Milliseconds for which a client key is given to new pages. */
const KEPT = 60 * 60_000
/** Milliseconds for which a client key is valid. A page may stay open for twelve hours after it got the key. */
const LIFE = 14 * 60 * 60_000

/** Accepted sources for a Content-Security-Policy: an origin, also with a wildcard for subdomains. */
const SOURCE = /^(https:\/\/(\*\.)?[a-z0-9.-]{1,200}|http:\/\/127\.0\.0\.1)(:\d{1,5})?$/

const CLIENT_KEY = /^[\x21-\x7e]{8,500}$/

/** Permission of the client keys at the peer: they create payment methods without an owner, for a single use. */
const INTENT = { payment_method_form: { payment_method: { type: 'card', keep_active: false } } }

/** Card fields of a peer: its `/Payload.js`, with a client key that can only create payment methods at the peer. */
export function peerFields({ send, now }: Calls) {
  /** Fields by credentials and by merchant. */
  const opened = new WeakMap<Credentials, Map<string | undefined, OpenedFields>>()

  const get = async (path: string, credentials: Credentials): Promise<RailResponse> => {
    const answer = await send({ method: 'GET', path }, credentials)
    if ('result' in answer) throw new Unanswered(answer.problem)
    const refusal = peerRefusal(answer)
    if (refusal) throw new RefusedReading(refusal)
    return answer
  }

  const clientKey = async (merchant: string | undefined, credentials: Credentials): Promise<string> => {
    const body = {
      type: 'client',
      intent: INTENT,
      expires_at: datetimeOf(now() + LIFE),
      ...(merchant !== undefined && { processing_id: merchant }),
    }
    const answer = await send({ method: 'POST', path: '/access_tokens', body }, credentials)
    if ('result' in answer) throw new Unanswered(answer.problem)
    const { id } = answer.status === 200 ? peerBody(answer) : {}
    if (typeof id === 'string' && CLIENT_KEY.test(id)) return id
    throw new UnknownOutcome(`The peer makes no client key: ${answer.status} ${problemIn(answer)}`)
  }

  return {
    fieldMethods: (): readonly FieldsMethod[] => ['card'],

    async fields(given: string | undefined, credentials: Credentials): Promise<PayerFields> {
      const merchant = given ?? credentials.merchant
      const known = opened.get(credentials) ?? new Map<string | undefined, OpenedFields>()
      const last = known.get(merchant)
      if (last && now() < last.until) return last.fields
      const script = await get('/Payload.js', credentials)
      if (script.status !== 200) throw new UnknownOutcome(`The peer has no /Payload.js: ${script.status}`)
      const key = await clientKey(merchant, credentials)
      const controller = await get(`/fields/controller?key=${encodeURIComponent(key)}&group=0`, credentials)
      const fields: PayerFields = {
        kind: 'payload',
        script: `${credentials.baseUrl}/Payload.js`,
        origins: originsOf(new URL(credentials.baseUrl).origin, script, controller),
        settings: { key },
      }
      opened.set(credentials, known.set(merchant, { fields, until: now() + KEPT }))
      return fields
    },

    /**
     * Describes a payment method of the peer. A page may use only a method that is for a single use and has no owner,
     * as pages create them.
     */
    async describe(
      { type, token, isFromPage }: GivenToken,
      credentials: Credentials,
    ): Promise<MethodDescription | undefined> {
      if (!isMethodId(token)) return undefined
      const answer = await get(`/payment_methods/${encodeURIComponent(token)}`, credentials)
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw new UnknownOutcome(`The peer answers ${answer.status}`)
      const method = peerBody(answer)
      if (method.id !== token) throw new UnknownOutcome(`The peer answers no payment method for ${token}`)
      const isOtherKind = type !== undefined && method.type !== type
      return isOtherKind || (isFromPage && !isOfPage(method)) ? undefined : peerDescription(method)
    },
  }
}

/** Checks whether pages can show the peer's card fields. */
export async function checkFields(open: () => Promise<PayerFields>): Promise<GatewayCheck> {
  const name = 'fields'
  try {
    const { script } = await open()
    return { name, state: 'ok', found: `Pages use its own card fields, ${script}` }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { name, state: 'unavailable', found: `Pages take no cards without --card-entry: ${problem}` }
  }
}

function isOfPage({ keep_active: isKept, account_id: owner = null }: Input): boolean {
  return isKept === false && owner === null
}

/** Origins of the peer's script and frames, and of a processor whose fields the peer's script adds to the page. */
function originsOf(own: string, script: RailResponse, { headers }: RailResponse): FieldsOrigins {
  const named = parsedJson(headers['payctl-page-origins'] ?? '')
  const listed = (directive: keyof FieldsOrigins): readonly string[] => {
    const list: unknown = isTree(named) ? named[directive] : []
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string' && SOURCE.test(each)) : []
  }
  return {
    script: [own, ...listed('script')],
    frame: [fieldsOrigin(script.body) ?? own, ...listed('frame')],
    connect: listed('connect'),
  }
}

/** Origin of the frames, if the script names an origin other than its own; otherwise undefined. */
function fieldsOrigin(script: string): string | undefined {
  const [, address] = /^const FIELDS_URL = "(https?:\/\/[^"\s]+)"$/m.exec(script) ?? []
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}

const BRANDS = ['american_express', 'visa', 'discover', 'mastercard'] as const
const FUNDINGS = ['credit', 'debit', 'prepaid'] as const

/** Description of a payment method. The last four digits are read from the masked number or from the description. */
function peerDescription({ card, bank_account: bank, description }: Input): MethodDescription {
  if (isTree(bank)) return { lastFour: lastFourIn(bank.account_number) ?? lastFourIn(description) }
  if (!isTree(card)) return { lastFour: lastFourIn(description) }
  return {
    brand: BRANDS.find((each) => each === card.card_brand),
    lastFour: lastFourIn(card.card_number) ?? lastFourIn(description),
    expiry: typeof card.expiry === 'string' ? card.expiry : undefined,
    funding: FUNDINGS.find((each) => each === card.card_type),
  }
}

function lastFourIn(mask: unknown): string | undefined {
  return typeof mask === 'string' ? /(\d{4})$/.exec(mask)?.[1] : undefined
}
