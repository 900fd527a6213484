import type { FastifyReply } from 'fastify'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { ApiResponse } from '../../engine/core/request/request.js'
import type { Random } from '../../platform/random.js'
import { hasCardNumber } from '../../schema/card-data.js'
import type { Json } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { jsonOfFields } from '../api/parse-form.js'
import { postedForm } from '../pages/form-tokens.js'
import { sendPage } from '../pages/send-page.js'
import { formKey, isFormKey } from '../payer/posted-payment.js'
import { type AccountSection, accountSections } from './account-fields.js'
import { accountDonePage, accountPage } from './account-html.js'
import { hostedBy } from './hosted-page.js'
import type { HostedDependencies, HostedPage, HostedVisit } from './hosted-visit.js'

type Values = ReadonlyMap<string, string>

const LOST = 'The answer was lost. Send it again in a minute: only one account is made.'
const TOO_OLD = 'Nothing was saved: this page was open for too long. Send it again.'
const SENT_BEFORE =
  'This was sent before with other values. Ask whether your account is there; if not, send it again.'

/** Maximum number of names in the path of an attribute. */
const MAX_DEPTH = 6

/** The page inside of `Payload.ProcessingAccount`: a business sets up its processing account. */
export function accountSetUp({ app, random, rates }: HostedDependencies): HostedPage {
  return {
    name: 'account',
    isFramed: false,
    lostText: () => LOST,
    async show(visit) {
      expectOpen(visit)
      return sendForm(random, visit, { values: new Map(), errors: new Map(), status: 200 })
    },
    async take(visit) {
      expectOpen(visit)
      const { request, reply, principal, environment, host } = visit
      rates.admitSigning('sign-up', request, reply)
      const values = postedForm(request)
      const key = values.get('key')
      if (!isFormKey(key)) return sendForm(random, visit, { values, status: 403, problem: TOO_OLD })
      const sections = sectionsOf(visit)
      const missing = missingFields(sections, values)
      if (missing.size > 0) return sendForm(random, visit, { values, status: 400, errors: missing, key })
      const { core } = await app.environment(environment)
      const answer = await core.handle({
        method: 'POST',
        path: '/processing_accounts',
        body: bodyOf(sections, values),
        principal,
        through: 'page',
        requestId: request.id,
        // A form that is sent twice has the same key, so only one account is made.
        idempotencyKey: key,
      })
      if (answer.status !== 200) return refuse(random, visit, { values, key, answer })
      const { id, name, status } = answer.body
      const event = { event: 'account_created', payload: { account: { id: String(id) } } } as const
      return sendPage(reply, 200, accountDonePage(String(name), status === 'pending', hostedBy(host, event)))
    },
  }
}

/** Throws `Forbidden` if the client key may set up no account, or not for the legal entity that the page names. */
function expectOpen({ principal: { grants, intent }, parameter }: HostedVisit): void {
  if (grants?.processing_accounts === undefined)
    throw new ApiError(
      'Forbidden',
      'The client key sets up no processing account: its intent must be processing_account_form',
    )
  const requested = parameter('legal_entity_id')
  if (requested !== undefined && requested !== intent?.legal_entity_id)
    throw new ApiError(
      'Forbidden',
      'The client key is not for this legal entity: its intent must name it as processing_account_form.legal_entity_id',
    )
}

function sectionsOf({ principal: { intent } }: HostedVisit): readonly AccountSection[] {
  return accountSections(intent?.legal_entity_id !== undefined)
}

function missingFields(sections: readonly AccountSection[], values: Values): Map<string, string> {
  const fields = sections.flatMap((section) => section.fields)
  return new Map(
    fields
      .filter(({ name }) => !values.get(name))
      .map(({ name, options }) => [name, options ? 'Choose one' : 'Fill this in']),
  )
}

/** The request for the account, from the filled fields, whose names are paths of attributes. */
function bodyOf(sections: readonly AccountSection[], values: Values): Json {
  const filled = sections.flatMap(({ fields }) =>
    fields.flatMap(({ name }): [string, string][] => {
      const value = values.get(name)
      const [first = '', ...rest] = name.split('.')
      return value ? [[`${first}${rest.map((part) => `[${part}]`).join('')}`, value]] : []
    }),
  )
  return jsonOfFields([...filled, ['payment_methods[0][type]', 'bank_account']], MAX_DEPTH)
}

interface Refused {
  readonly values: Values
  readonly key: string | undefined
  readonly answer: ApiResponse
}

function refuse(random: Random, visit: HostedVisit, { values, key, answer }: Refused): FastifyReply {
  const { status, headers, body } = answer
  visit.reply.headers(headers)
  // A conflict says that the first request still runs.
  if (status >= 500 || body.error_type === 'Conflict')
    return sendForm(random, visit, { values, status: 503, problem: LOST, key })
  if (body.error_type === 'IdempotencyMismatch')
    return sendForm(random, visit, { values, status: 409, problem: SENT_BEFORE })
  const known = new Set(sectionsOf(visit).flatMap(({ fields }) => fields.map(({ name }) => name)))
  const leaves =
    body.error_type === 'InvalidAttributes' && isTree(body.details) ? leavesOf(body.details, '') : []
  const errors = new Map(leaves.filter(([path]) => known.has(path)))
  const others = leaves.filter(([path]) => !known.has(path)).map(([path, text]) => `${path}: ${text}`)
  const problem =
    errors.size > 0 && others.length === 0 ? undefined : others.join('. ') || String(body.error_description)
  return sendForm(random, visit, { values, status, errors, problem })
}

function leavesOf(value: Json, path: string): (readonly [path: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  )
}

interface Filled {
  readonly values: Values
  readonly status: number
  readonly errors?: ReadonlyMap<string, string>
  readonly problem?: string | undefined
  /** The idempotency key of the sent form; kept if sending the form again must not make another account. */
  readonly key?: string | undefined
}

function sendForm(random: Random, visit: HostedVisit, filled: Filled): FastifyReply {
  const { values, status, errors = new Map(), problem, key } = filled
  const { reply, host, environment, address } = visit
  const form = {
    action: address('account'),
    environment,
    sections: sectionsOf(visit),
    // Never a card number that was typed into another field.
    values: new Map([...values].filter(([, value]) => !hasCardNumber(value))),
    errors,
    problem,
    key: key ?? formKey(random),
  }
  return sendPage(reply, status, accountPage(form, hostedBy(host)))
}
