import type { Model } from '../../../model/model.js'
import { answeredText } from '../../../schema/answer-values.js'
import type { Role } from '../../../schema/role.js'
import { fieldLabel } from '../elements/value.js'
import type { ConsoleWrite } from '../write/console-write.js'

/** The least role that may send a notification again, as its operation is declared. */
export function resendRole({ operations }: Model): Role {
  return operations.find(({ name }) => name === 'replay_events')?.least ?? 'owner'
}

/** Sends the notification of an earlier attempt to the same webhook again. */
export const resendWrite: ConsoleWrite = {
  at: ['transactions', ':transaction', 'resend', ':id'],
  least: resendRole,
  open: async (request, id) => {
    const answer = await request.ask('GET', `/webhook_logs/${encodeURIComponent(id)}`)
    if (answer.status !== 200) return { kind: 'refused', answer }
    const { body: log } = answer
    const url = answeredText(log, 'url')
    const transaction = request.path[1] ?? ''
    return {
      heading: 'Send the notification again',
      summary: 'The receiver gets the same id and the same body, freshly signed. It may know it already.',
      label: 'Send again',
      back: { label: 'Back to the payment', path: ['transactions', transaction] },
      facts: [
        ['Event', fieldLabel(answeredText(log, 'trigger') ?? '')],
        ['To', url],
        ['Last answer', answeredText(log, 'problem') ?? answeredText(log, 'http_status')],
      ],
      fields: [],
      state: '',
      send: () => ({ method: 'POST', path: '/admin/webhooks/replay', body: { log_id: id } }),
      preview: (replayed) => ({
        facts: [
          ['Sent again', `${answeredText(replayed, 'deliveries')} notification`],
          ['To', url],
        ],
      }),
    }
  },
}
