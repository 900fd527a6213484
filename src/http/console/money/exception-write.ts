import { answeredText, answeredTexts, minorIn, objectIn, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ConsoleRequest } from '../console-page.js'
import type { ShownFact } from '../elements/facts.js'
import { valueContextOf } from '../lists/value-context.js'
import type { ConsoleWrite } from '../write/console-write.js'
import type { WriteField } from '../write/write-fields.js'
import { exceptionFacts, stakeText } from './exception-html.js'
import { booksText, exceptionHeading, givesBack, resolutionWords } from './exception-words.js'
import { headingOf } from './transaction-html.js'

/** Maximum number of payments that are offered for linking an exception. */
const MAX_CANDIDATES = '10'

/** Resolves an exception by one of its resolutions. */
export const resolveWrite: ConsoleWrite = {
  at: ['exceptions', ':id', 'resolve'],
  least: (model) => model.get('exception').least,
  confirms: 'live',
  open: async (request, id) => {
    const path = `/admin/exceptions/${encodeURIComponent(id)}`
    const answer = await request.ask('GET', path)
    if (answer.status === 404) return { kind: 'missing' }
    if (answer.status !== 200) return { kind: 'refused', answer }
    const { body: exception } = answer
    const status = answeredText(exception, 'status') ?? ''
    const linked = await linkedPayment(request)
    return {
      heading: exceptionHeading(answeredText(exception, 'kind')),
      summary: answeredText(exception, 'explanation') ?? '',
      label: 'Decide',
      back: { label: 'Back to the exception', path: ['exceptions', id] },
      facts: exceptionFacts(exception, valueContextOf(request.visitor)),
      fields: await fieldsOf(request, exception),
      state: [status, answeredText(exception, 'pending_operation')].filter(Boolean).join(', '),
      closed: status === 'open' ? undefined : 'It is resolved already.',
      seen: path,
      send: (values) => {
        const transaction = chosenPayment(values)
        const resolution = values.get('resolution') ?? ''
        return {
          method: 'POST',
          path: `${path}/resolve`,
          body: {
            resolution,
            reason: values.get('reason') ?? '',
            ...(transaction !== undefined && resolution === 'link' && { transaction_id: transaction }),
          },
        }
      },
      outgoing: (values) => (givesBack(values.get('resolution')) ? minorIn(exception, 'amount') : undefined),
      preview: (resolved, values) => {
        const resolution = values.get('resolution') ?? ''
        const words = resolutionWords(resolution)
        return {
          facts: [
            ['Decision', words?.label],
            ['Then', words?.does],
            ['Books', booksText(exception, resolution)],
            ['Amount', resolution === 'ignore' ? undefined : stakeText(exception)],
            ...(resolution === 'link' ? linked : []),
            [
              'Status afterwards',
              answeredText(resolved, 'status') === 'open' ? 'open, until the gateway answers' : 'resolved',
            ],
            ['Reason', values.get('reason')],
          ],
          ...(words && { label: words.label }),
        }
      },
    }
  },
}

async function fieldsOf(request: ConsoleRequest, exception: JsonObject): Promise<readonly WriteField[]> {
  const resolutions = answeredTexts(exception, 'resolutions')
  const options = resolutions.flatMap((value) => {
    const words = resolutionWords(value)
    const hint = [words?.does, booksText(exception, value)].filter(Boolean).join(' ')
    return words ? [{ value, label: words.label, hint }] : []
  })
  return [
    {
      kind: 'choice',
      name: 'resolution',
      label: 'Decision',
      options,
      value: options.length === 1 ? options[0]?.value : undefined,
      required: true,
    },
    ...(resolutions.includes('link') ? await paymentFields(request, exception) : []),
    reasonField,
  ]
}

/** The field for the reason of a decision. */
export const reasonField: WriteField = {
  kind: 'text',
  name: 'reason',
  label: 'Reason',
  hint: 'It stays with the exception.',
  required: true,
  maxlength: 500,
  autocomplete: 'off',
}

/** Payments of the same gateway and amount to choose from, and a field for the id of another payment. */
async function paymentFields(request: ConsoleRequest, exception: JsonObject): Promise<readonly WriteField[]> {
  const options = (await candidates(request, exception)).map((payment) => ({
    value: answeredText(payment, 'id') ?? '',
    label: headingOf(payment),
    hint: [
      answeredText(objectIn(payment, 'payment_method'), 'description'),
      answeredText(payment, 'created_at'),
      answeredText(payment, 'order_number'),
      answeredText(payment, 'id'),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  const label = 'Payment, if it is to be booked on one'
  return [
    ...(options.length > 0 ? [{ kind: 'choice', name: 'transaction_id', label, options } as const] : []),
    {
      kind: 'text',
      name: OTHER,
      label: options.length > 0 ? 'Or another payment' : label,
      hint: 'Its id, copied from its page. The preview shows the payment.',
      autocomplete: 'off',
    },
  ]
}

/** Name of the field for a payment that is not among those offered. */
const OTHER = 'other_id'

function chosenPayment(values: ReadonlyMap<string, string> | undefined): string | undefined {
  return values?.get(OTHER) || values?.get('transaction_id') || undefined
}

/** Payments of the same gateway and amount, the newest first. */
async function candidates(request: ConsoleRequest, exception: JsonObject): Promise<readonly JsonObject[]> {
  const amount = answeredText(exception, 'amount')
  const gateway = answeredText(exception, 'gateway')
  // Only amounts have an index, so payments are not searched without an amount.
  if (amount === undefined) return []
  const { body } = await request.ask('GET', '/transactions', {
    query: [
      ['type', 'payment'],
      ['amount', amount],
      ...(gateway === undefined ? [] : [['gateway', gateway] as const]),
      ['fields', 'id,type,amount,created_at,order_number,payment_method[description]'],
      ['order_by', 'desc(created_at)'],
      ['limit', MAX_CANDIDATES],
    ],
  })
  return objectsIn(body)
}

/** The payment that was chosen for a link, so that the preview shows more than an id. */
async function linkedPayment(request: ConsoleRequest): Promise<readonly ShownFact[]> {
  const id = chosenPayment(request.form)
  if (id === undefined) return []
  const { status, body } = await request.ask('GET', `/transactions/${encodeURIComponent(id)}`, {
    query: [['fields', '*,customer[name]']],
  })
  if (status !== 200) return [['Payment', id]]
  return [
    ['Payment', `${headingOf(body)}, ${answeredText(body, 'id')}`],
    ['Of', answeredText(objectIn(body, 'customer'), 'name')],
    ['By', answeredText(objectIn(body, 'payment_method'), 'description')],
    ['Taken', answeredText(body, 'created_at')],
  ]
}
