import { ApiError } from '../../engine/core/request/api-error.js'
import type { Rule } from '../../engine/core/write/work.js'
import { resources } from '../../resources/resource-table.js'
import { noteMail } from '../mail-outbox/note-mail.js'

/** Rule of messages. Clients neither create nor change them; one that was not sent may be tried again. */
export const mailMessageRule: Rule<typeof resources.mail_message> = {
  actions: {
    retry: {
      async perform(work, row) {
        if (row.status !== 'failed' && row.status !== 'dropped')
          throw new ApiError('Conflict', `A message that is ${row.status} is not sent again`)
        await noteMail(work, row, { status: 'queued', problem: null })
        return await work.change(resources.mail_message, row.id, {
          status: 'queued',
          attempts: 0,
          problem: null,
          due_at: work.realMilliseconds,
        })
      },
    },
  },
}
