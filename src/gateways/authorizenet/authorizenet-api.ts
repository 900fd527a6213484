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

/** Reply of the endpoint: its answer, or a result without any effect there. */
export type AuthorizeNetReply =
  | { readonly result: 'answered'; readonly body: Input }
  | DeclinedOutcome
  | NotSentOutcome
  | MisconfiguredOutcome

/** The endpoint: one address, one object a request, named after the operation. */
export interface AuthorizeNetApi {
  /** Executes a request. Throws `UnknownOutcome` where it may have had an effect. The order of the fields counts. */
  call(name: string, fields: Input, credentials: Credentials): Promise<AuthorizeNetReply>
  /** Answers a query. Throws `UnknownOutcome` without an answer, and `RefusedReading`. */
  ask(name: string, fields: Input, credentials: Credentials): Promise<Input>
}

const PATH = '/xml/v1/request.api'
/** Milliseconds for an answer. The endpoint waits for a processor, which may take longer than others. */
const MILLISECONDS = 45_000

/** Codes of refusals before any work, by their reach or kind; other errors leave the outcome open. */
const REFUSALS: ReadonlyMap<string, 'gateway' | 'merchant' | 'not_sent' | 'declined'> = new Map(
  Object.entries({
    // The credentials: missing, wrong, inactive, of an account in test mode.
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
    // Too busy, and in maintenance.
    E00053: 'not_sent',
    E00104: 'not_sent',
    // The request: its type, form, method, or a field that is wrong, missing, too long, of another type; an unknown record.
    E00002: 'declined',
    E00003: 'declined',
    E00004: 'declined',
    E00013: 'declined',
    E00014: 'declined',
    E00015: 'declined',
    E00016: 'declined',
    E00029: 'declined',
    E00040: 'declined',
    // A nonce of the hosted form: its data, unknown or used, older than 15 minutes, of another account.
    E00113: 'declined',
    E00114: 'declined',
    E00115: 'declined',
    E00116: 'declined',
  } as const),
)

/** The JSON endpoint of Authorize.Net over the guarded client. */
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
    // The credentials reach one account.
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

/** A refusal of the whole request; undefined if the endpoint has processed it. */
function refusalIn(
  name: string,
  body: Input,
): Exclude<AuthorizeNetReply, { result: 'answered' }> | undefined {
  const messages = isTree(body.messages) ? body.messages : {}
  const { transactionResponse } = body
  // A decline may come with `Ok` and with `Error`.
  if (isTree(transactionResponse) && transactionResponse.responseCode !== undefined) return undefined
  if (messages.resultCode === 'Ok') return undefined
  const [first] = treesIn(messages.message, 'message')
  const code = textIn(first, 'code')
  const problem = `${code ?? 'No code'}: ${textIn(first, 'text') ?? 'no reason is given'}`
  // A card that its bank does not validate is not stored.
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

/** The objects of a list, which is an array, or an object with the array under a name. */
export function treesIn(value: unknown, name: string): readonly Input[] {
  const list = isTree(value) ? value[name] : value
  if (Array.isArray(list)) return list.filter(isTree)
  return isTree(list) ? [list] : []
}

/** A text or a number of an answer as a text; undefined where it is empty. */
export function textIn(tree: Input | undefined, name: string): string | undefined {
  const value = tree?.[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of a list, which is an array, or an object with the array under a name. */
export function listedTexts(value: unknown, name: string): readonly string[] {
  const list: unknown = isTree(value) ? value[name] : value
  const all: readonly unknown[] = Array.isArray(list) ? list : [list]
  return all.filter((each) => typeof each === 'string' || typeof each === 'number').map(String)
}
