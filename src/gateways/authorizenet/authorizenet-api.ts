import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  Credentials,
  DeclinedOutcome,
  MisconfiguredOutcome,
  NotSentOutcome,
  RailEffects,
} from '../contract.js'
import { rateLimited } from '../rate-limit.js'
import { RefusedReading, responseOrNotSent, Unanswered, UnknownOutcome } from '../unknown-outcome.js'

/** Reply to a request: the endpoint's answer, or an outcome that proves that the request had no effect. */
export type AuthorizeNetReply =
  | { readonly result: 'answered'; readonly body: Input }
  | DeclinedOutcome
  | NotSentOutcome
  | MisconfiguredOutcome

/**
 * The JSON endpoint of Authorize.Net. Each request is one object under the name of the call, such as
 * `createTransactionRequest`.
 */
export interface AuthorizeNetApi {
  /**
   * Executes a request. The endpoint requires the fields in the documented order. Throws `UnknownOutcome` if the
   * request may have had an effect.
   */
  call(name: string, fields: Input, credentials: Credentials): Promise<AuthorizeNetReply>
  /**
   * Sends a query and returns the answer. Throws `RefusedReading` if the account is refused, `UnknownOutcome` if there
   * is no answer.
   */
  ask(name: string, fields: Input, credentials: Credentials): Promise<Input>
}

const PATH = '/xml/v1/request.api'
/**
 * Milliseconds to wait for an answer. The endpoint itself waits for a processor, so it is slower than other gateways.
 */
const MILLISECONDS = 45_000

/**
 * Error codes of requests that were refused before they had any effect, with the outcome or the scope of each. After
 * any other error the outcome is unknown.
 */
const REFUSALS: ReadonlyMap<string, 'gateway' | 'merchant' | 'not_sent' | 'declined'> = new Map(
  Object.entries({
    // The credentials are missing, wrong or inactive, or the account is in test mode.
    E00005: 'gateway',
    E00006: 'gateway',
    E00007: 'gateway',
    E00008: 'gateway',
    E00009: 'gateway',
    E00010: 'gateway',
    E00124: 'gateway',
    E00125: 'gateway',
    // The account has no permission for this call.
    E00011: 'merchant',
    // The endpoint is too busy (E00053), or in maintenance (E00104).
    E00053: 'not_sent',
    E00104: 'not_sent',
    // The request is malformed, or a field is missing or invalid; E00040: the record is not known.
    E00002: 'declined',
    E00003: 'declined',
    E00004: 'declined',
    E00013: 'declined',
    E00014: 'declined',
    E00015: 'declined',
    E00016: 'declined',
    E00029: 'declined',
    E00040: 'declined',
    // The nonce of the hosted form is invalid, unknown, used, older than 15 minutes, or of another account.
    E00113: 'declined',
    E00114: 'declined',
    E00115: 'declined',
    E00116: 'declined',
  } as const),
)

export function authorizeNetApi({ http, now }: RailEffects): AuthorizeNetApi {
  const call = async (name: string, fields: Input, credentials: Credentials): Promise<AuthorizeNetReply> => {
    const { login_id: login, transaction_key: transactionKey } = credentials.secrets
    const request = { [name]: { merchantAuthentication: { name: login, transactionKey }, ...fields } }
    const answer = responseOrNotSent(
      await http.send({
        method: 'POST',
        url: credentials.baseUrl + PATH,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(request),
        milliseconds: MILLISECONDS,
      }),
    )
    if ('result' in answer) return answer
    if (answer.status === 429) return rateLimited(answer.headers['retry-after'], now())
    // The credentials belong to one account only, so the whole gateway is affected.
    if (answer.status === 401 || answer.status === 403 || answer.status === 404)
      return {
        result: 'misconfigured',
        scope: 'gateway',
        problem: `The endpoint answers ${answer.status}`,
      }
    // Answers begin with a byte order mark.
    const body = parsedJson(answer.body.replace(/^\uFEFF/, ''))
    if (answer.status !== 200 || !isTree(body))
      throw new UnknownOutcome(
        `The endpoint answers ${answer.status} without an object that says what happened`,
      )
    return refusalIn(name, body) ?? { result: 'answered', body }
  }
  return {
    call,
    async ask(name, fields, credentials) {
      const reply = await call(name, fields, credentials)
      switch (reply.result) {
        case 'answered':
          return reply.body
        case 'misconfigured':
          throw new RefusedReading(reply)
        case 'not_sent':
          throw new Unanswered(reply.problem)
        case 'declined':
          throw new UnknownOutcome(`${name} is refused: ${reply.code}`)
      }
    },
  }
}

/** A refusal of the request; undefined if the endpoint processed it. Throws `UnknownOutcome` for an unknown error. */
function refusalIn(
  name: string,
  body: Input,
): Exclude<AuthorizeNetReply, { result: 'answered' }> | undefined {
  const messages = isTree(body.messages) ? body.messages : {}
  const { transactionResponse } = body
  // A decline of the bank has `resultCode` `Ok` or `Error`, so a transaction in the answer counts first.
  if (isTree(transactionResponse) && transactionResponse.responseCode !== undefined) return undefined
  if (messages.resultCode === 'Ok') return undefined
  const [first] = treesIn(messages.message, 'message')
  const code = textIn(first, 'code')
  const problem = `${code ?? 'No code'}: ${textIn(first, 'text') ?? 'no reason is given'}`
  // E00027 here: the bank does not validate the card, so it is not stored.
  const isInvalid = name === 'createCustomerProfileRequest' && code === 'E00027'
  const refusal = isInvalid ? 'declined' : REFUSALS.get(code ?? '')
  switch (refusal) {
    case undefined:
      throw new UnknownOutcome(problem)
    case 'declined':
      return { result: refusal, statusCode: 'declined', code: code ?? null }
    case 'not_sent':
      return { result: refusal, problem }
    case 'gateway':
    case 'merchant':
      return { result: 'misconfigured', scope: refusal, problem }
  }
}

/** The objects in a list. The list is an array, or an object with the array in the field `name`. */
export function treesIn(value: unknown, name: string): readonly Input[] {
  const list = isTree(value) ? value[name] : value
  if (Array.isArray(list)) return list.filter(isTree)
  return isTree(list) ? [list] : []
}

/** A text or a number of an answer, as text; undefined if it is empty or missing. */
export function textIn(tree: Input | undefined, name: string): string | undefined {
  const value = tree?.[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts in a list. The list is an array, or an object with the array in the field `name`. */
export function listedTexts(value: unknown, name: string): readonly string[] {
  const list: unknown = isTree(value) ? value[name] : value
  const all: readonly unknown[] = Array.isArray(list) ? list : [list]
  return all.filter((each) => typeof each === 'string' || typeof each === 'number').map(String)
}
