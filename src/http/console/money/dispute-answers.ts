import { answeredText, answeredTexts, minorIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import type { ConsoleRequest } from '../console-page.js'
import type { ShownFact } from '../elements/facts.js'
import { bdiHtml, fieldLabel, idHtml, momentHtml, type ValueContext } from '../elements/value.js'
import { valueContextOf } from '../lists/value-context.js'
import type { ConsoleWrite, OpenedWrite } from '../write/console-write.js'
import { FILE_FIELD, type WriteField } from '../write/write-fields.js'

/** Accepts a dispute, which is then lost. */
export const acceptWrite: ConsoleWrite = {
  at: ['disputes', ':id', 'accept'],
  least: (model) => model.get('dispute').least,
  confirms: 'live',
  open: async (request, id) =>
    await openAnswer(request, id, {
      heading: 'Accept the dispute',
      summary: 'The dispute is given up: it is lost, and the bank takes no evidence any more.',
      label: 'Accept',
      fields: [],
      verb: 'accept',
    }),
}

/** Submits a statement against a dispute. */
export const contestWrite: ConsoleWrite = {
  at: ['disputes', ':id', 'contest'],
  least: (model) => model.get('dispute').least,
  confirms: 'live',
  open: async (request, id) =>
    await openAnswer(request, id, {
      heading: 'Contest the dispute',
      summary:
        'Evidence is submitted once, and cannot be changed afterwards. Files are chosen at the last step.',
      label: 'Submit',
      fields: [
        {
          kind: 'area',
          name: 'text',
          label: 'Statement',
          hint: 'What was sold, when and how it was delivered, and what the payer has agreed to.',
          required: true,
        },
      ],
      attached: evidenceFields(),
      verb: 'contest',
    }),
}

/** Number of evidence files that the form can send. */
const FILES = 4

function evidenceFields(): readonly WriteField[] {
  return Array.from({ length: FILES }, (_, index): readonly WriteField[] => [
    {
      kind: 'file',
      name: `${FILE_FIELD}${index}`,
      label: `File ${index + 1}`,
      hint: 'A PDF, JPEG or PNG; may be left out.',
      accept: 'application/pdf,image/jpeg,image/png',
    },
    {
      kind: 'text',
      name: `as.${index}`,
      label: `Kind of file ${index + 1}`,
      hint: 'Needed for several files at Stripe, as receipt or customer_communication.',
      autocomplete: 'off',
    },
  ]).flat()
}

/** The statement and the files that were chosen. */
function evidenceOf(request: ConsoleRequest, text = ''): JsonObject {
  return { text, files: filesOf(request) }
}

/** The files that were chosen, as the attribute `files` of the API. */
function filesOf({ form, files = new Map() }: ConsoleRequest): JsonObject[] {
  return [...files].map(([name, content]) => {
    const kind = form?.get(name.replace(FILE_FIELD, 'as.')) ?? ''
    return { content, ...(kind !== '' && { as: kind }) }
  })
}

interface Answering extends Pick<OpenedWrite, 'heading' | 'summary' | 'label' | 'fields' | 'attached'> {
  readonly verb: 'accept' | 'contest'
}

async function openAnswer(request: ConsoleRequest, id: string, { verb, ...shown }: Answering) {
  const path = `/disputes/${encodeURIComponent(id)}`
  const answer = await request.ask('GET', path)
  if (answer.status === 404) return { kind: 'missing' } as const
  if (answer.status !== 200) return { kind: 'refused', answer } as const
  const { body: dispute } = answer
  const write: OpenedWrite = {
    ...shown,
    back: { label: 'Back to the dispute', path: ['disputes', id] },
    facts: disputeFacts(dispute, valueContextOf(request.visitor)),
    state: [answeredText(dispute, 'stage'), answeredText(dispute, 'pending_operation')]
      .filter(Boolean)
      .join(', '),
    closed: takesAnswer(dispute) ? undefined : 'It takes no answer now.',
    seen: path,
    send: (values) => ({
      method: 'POST',
      path: `${path}/${verb}`,
      body: verb === 'accept' ? {} : evidenceOf(request, values.get('text')),
    }),
    preview: (_, values) => ({
      facts: [
        ['Answer', shown.label],
        ['Statement', values.get('text')],
      ],
    }),
  }
  return write
}

/** Whether the page offers to answer a dispute; the core checks the request again. */
export function takesAnswer(dispute: JsonObject): boolean {
  const stage = answeredText(dispute, 'stage')
  const isOpen = stage === 'inquiry' || stage === 'needs_response'
  return isOpen && answeredText(dispute, 'pending_operation') === undefined
}

/** Facts of a dispute, also above the forms that answer it. */
export function disputeFacts(dispute: JsonObject, { zone, addressOf }: ValueContext): readonly ShownFact[] {
  const amountOf = (name: string) => {
    const minor = minorIn(dispute, name)
    return minor === undefined ? undefined : moneyWithCurrency(minor)
  }
  const momentOf = (name: string) => {
    const moment = answeredText(dispute, name)
    return moment && momentHtml(moment, zone)
  }
  const linkOf = (name: string) => {
    const id = answeredText(dispute, name)
    return id && idHtml(id, addressOf('transaction', id))
  }
  const textOf = (name: string) => bdiHtml(answeredText(dispute, name))
  const answer = answeredText(dispute, 'answer')
  const evidence = answeredTexts(dispute, 'evidence')
  return [
    ['Amount', amountOf('amount')],
    ['Fee of the processor', amountOf('fee')],
    ['Reason', textOf('reason')],
    ['Evidence until', momentOf('due_by')],
    ['Answered', answer && `${fieldLabel(answer)}`],
    ['Answered at', momentOf('answered_at')],
    ['Evidence', bdiHtml(evidence.join(', '))],
    ['Payment', linkOf('transaction_id')],
    ['Chargeback', linkOf('chargeback_id')],
    ['Won back', linkOf('reversal_id')],
    ['Gateway', textOf('gateway')],
    ['Id at the gateway', textOf('reference')],
  ]
}
