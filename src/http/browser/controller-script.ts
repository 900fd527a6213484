/**
 * The script of the hidden frame of a form: reads the fields beside it, sends the request, and reports the outcome to the
 * page. The page receives ids, states and errors, and no number.
 */
import { isObject, valueAt } from '../../schema/json.js'
import { forgetToken, tokenOf } from './controller/accept-token.js'
import { type AttemptHost, attempt } from './controller/attempts.js'
import { accept, closed, key, rail, texts } from './controller/controller-data.js'
import type {
  ActionOutcome,
  Answer,
  Details,
  FormPath,
  FromController,
  Posted,
  Refusal,
  Submission,
  ToController,
} from './frames/frame-message.js'
import { group, type SecureField } from './frames/secure-frame.js'

let origin: string | undefined

function post(message: FromController): void {
  if (origin !== undefined) parent.postMessage({ payctl: group, ...message }, origin)
}

/** The fields of this form: siblings of the same origin with the same key and group. */
function fieldsBeside(): SecureField[] {
  const found: SecureField[] = []
  for (let index = 0; index < parent.length; index++) {
    try {
      const field = parent[index]?.payctlField
      if (field?.key === key && field.group === group) found.push(field)
    } catch {
      // A frame of another origin.
    }
  }
  return found
}

/** Paths that client keys may post to. */
const PATHS: readonly string[] = ['transactions', 'payment_methods']

type MethodType = 'card' | 'bank_account'

const typeOf = ({ name = '' }: SecureField): MethodType =>
  ['account_number', 'routing_number'].includes(name) ? 'bank_account' : 'card'

/** The type of method that was filled in, unless the page names one. A form may have fields of both. */
function chosenType(fields: readonly SecureField[], named: unknown): MethodType {
  if (named === 'card' || named === 'bank_account') return named
  const field = fields.find((each) => !each.isEmpty()) ?? fields[0]
  return field ? typeOf(field) : 'card'
}

/** The refusal of the fields themselves, before anything is sent. */
function refusal(path: readonly string[], problems: Details): Refusal {
  const details = path.reduceRight<Details>((inner, name) => ({ [name]: inner }), problems)
  return { error_type: 'InvalidAttributes', error_description: texts.incomplete, details }
}

/** The text of a request with a method. */
function requestWith(method: Details, path: FormPath, body: Details): string {
  return JSON.stringify(
    path === 'transactions' ? { type: 'payment', ...body, payment_method: method } : method,
  )
}

/** The method in the input that the page has sent. */
function methodIn({ path, body }: Submission): Details {
  const method = path === 'transactions' ? body['payment_method'] : body
  return isObject(method) ? method : {}
}

/** Sends the input with a method, under the idempotency key of this attempt. */
async function sendWith(method: Details, { path, body, attempt: kept }: Submission): Promise<Answer> {
  return await attempt(host, path, requestWith(method, path, body), kept)
}

async function submit(submission: Submission): Promise<Answer> {
  const { names, token } = submission
  const method = methodIn(submission)
  if (rail && typeof token === 'string')
    return await sendWith({ ...method, type: 'card', gateway_token: { ...rail.place, token } }, submission)
  const fields = fieldsBeside()
  const isMissing = names.some((name) => !fields.some((field) => field.name === name))
  if (isMissing || fields.length === 0)
    return { error: { error_type: 'BadRequest', error_description: texts.notLoaded } }
  return await submitFields(fields, method, submission)
}

async function submitFields(
  fields: readonly SecureField[],
  method: Details,
  submission: Submission,
): Promise<Answer> {
  const type = chosenType(fields, method['type'])
  const used = fields.filter((field) => typeOf(field) === type)
  const place = submission.path === 'transactions' ? ['payment_method', type] : [type]
  const { values, problems } = readAll(used)
  if (problems) return { error: refusal(place, problems) }
  if (!accept || type !== 'card') {
    const typed = method[type]
    const numbers = { ...(isObject(typed) && typed), ...values }
    const answer = await sendWith({ ...method, type, [type]: numbers }, submission)
    const details = answer.error?.details
    showRefused(used, isObject(details) && valueAt(details, place))
    return answer
  }
  const made = await tokenOf(values, accept)
  if (made.problems) {
    showRefused(used, made.problems)
    return { error: refusal(place, made.problems) }
  }
  if (made.error) return { error: made.error }
  const gateway_token = { ...accept.place, token: made.token }
  const answer = await sendWith({ ...method, type, card: undefined, gateway_token }, submission)
  if (answer.isRefused) forgetToken()
  return answer
}

/** Shows problems that were found after the fields had none, by name. */
function showRefused(fields: readonly SecureField[], problems: unknown): void {
  if (isObject(problems)) for (const field of fields) field.refuse(problems)
}

/** The values of fields by name, or their problems; the first field with a problem gets the focus. */
function readAll(fields: readonly SecureField[]) {
  const read = fields.map((field) => ({ field, ...field.read() }))
  const wrong = read.filter(({ problems }) => Object.keys(problems).length > 0)
  wrong[0]?.field.focus()
  const merged = (all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> =>
    Object.assign({}, ...all)
  return {
    values: merged(read.map(({ values }) => values)),
    problems: wrong.length === 0 ? undefined : merged(wrong.map(({ problems }) => problems)),
  }
}

let whenKept: (() => void) | undefined
let whenActed: ((outcome: ActionOutcome) => void) | undefined

const host: AttemptHost = {
  keep(id) {
    post({ type: 'sending', attempt: id })
    return new Promise((resolve) => {
      whenKept = resolve
    })
  },
  act(action) {
    post({ type: 'action', action })
    return new Promise((resolve) => {
      whenActed = resolve
    })
  },
}

/** The previous submission; the next one starts after its end. */
let before = Promise.resolve()

addEventListener('message', ({ source, origin: from, data }: MessageEvent<Posted<ToController> | null>) => {
  if (source !== parent || source === window || data?.payctl !== group) return
  origin ??= from
  if (from !== origin) return
  switch (data.type) {
    case 'kept':
      whenKept?.()
      break
    case 'acted':
      whenActed?.(data.outcome)
      break
    case 'submit':
      if (PATHS.includes(data.path))
        before = before
          .then(async () => post({ type: 'answer', id: data.id, ...(await submit(data)) }))
          .catch(reportError)
      break
    default:
      data satisfies never
  }
})

parent.postMessage({ payctl: group, type: 'ready', rail, closed }, '*')
