import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { MailServerRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { InputFor } from '../../schema/types.js'
import { currentServer, MAIL_SERVER } from '../mail-outbox/current-server.js'
import { queueMail } from '../mail-outbox/queue-mail.js'
import { openPassword, sealPassword } from './mail-password.js'
import { beginProgress } from './mail-progress.js'
import type { SendOne } from './send-mail.js'

type ServerInput = InputFor<typeof resources.mail_server>

const PORTS = { starttls: 587, tls: 465, none: 25 } as const
const REMINDER_DAYS = 3
/** Host names and IP addresses, without blanks, slashes or a port. */
const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.|$))+$|^[0-9a-f:]+$/i

/**
 * Rule of the mail server of an environment. Without a server, mail is off. A new server replaces the old one. Events
 * before the first server was set are not mailed. `sendOne` sends one message now.
 */
export function mailServerRule(sendOne: SendOne): Rule<typeof resources.mail_server> {
  return {
    restates: true,

    async create(work, { password, ...input }) {
      await waitForName(work.tx, MAIL_SERVER)
      const replaced = await currentServer(work)
      if (replaced) await remove(work, replaced)
      else await beginProgress(work)
      const security = input.security ?? 'starttls'
      const row = await work.createPlainly(resources.mail_server, {
        ...input,
        security,
        port: input.port ?? PORTS[security],
        reminder_days: input.reminder_days ?? REMINDER_DAYS,
      })
      refuseIncomplete(work, row)
      return await withPassword(work, row, password ?? null)
    },

    async update(work, row, { password, ...input }) {
      const problem = await work.sealProblem('admin_mail_servers', row.id, row)
      const known = problem === undefined ? openPassword(work.vault, row) : undefined
      const security = input.security ?? row.security ?? 'starttls'
      const isMoved = security !== row.security && input.port === undefined
      const changed = await work.updatePlainly(resources.mail_server, row, {
        ...input,
        ...(isMoved && { port: PORTS[security] }),
      })
      refuseIncomplete(work, changed)
      if (problem !== undefined) refuseUnstated(row, input)
      return await withPassword(work, changed, password ?? keptPassword(row, changed, known))
    },

    delete: remove,

    actions: {
      test: {
        async perform(work, row, { to }) {
          const problem = await work.sealProblem('admin_mail_servers', row.id, row)
          if (problem !== undefined) throw new ApiError('Conflict', problem)
          const occasion = work.newId('')
          const message = await queueMail(work, {
            kind: 'test',
            to: String(to),
            aboutId: row.id,
            processingId: null,
            occasion,
          })
          if (!message) return row
          work.afterCommit({
            async perform() {
              const refusal = await sendOne(message.id)
              return async () => (refusal === undefined ? undefined : invalidAttributes({ to: refusal }))
            },
          })
          return row
        },
      },
    },
  }
}

async function remove(work: Work, row: MailServerRow): Promise<void> {
  const emptied = await work.change(resources.mail_server, row.id, { sealed_password: null, has_password: 0 })
  await work.deletePlainly(resources.mail_server, emptied)
}

/** Seals a password beside its server; null removes it. */
async function withPassword(work: Work, row: MailServerRow, password: string | null): Promise<MailServerRow> {
  return await work.change(resources.mail_server, row.id, {
    sealed_password: password === null ? null : sealPassword(work.vault, row, password),
    has_password: password === null ? 0 : 1,
  })
}

/**
 * The stored password, if server and username stay the same: it must never be sent to another server. Throws
 * `InvalidAttributes`.
 */
function keptPassword(
  row: MailServerRow,
  changed: MailServerRow,
  known: string | null | undefined,
): string | null {
  if (row.sealed_password === null || changed.username === null) return null
  const isSame = (['host', 'port', 'security', 'username'] as const).every(
    (name) => row[name] === changed[name],
  )
  if (known === undefined) throw invalidAttributes({ password: CHANGED })
  if (!isSame) throw invalidAttributes({ password: 'Required, as the server or the username changes' })
  return known
}

const CHANGED = 'Required, as the mail server was changed by something other than payctl'

/** Requires all values in the input, so that stored values which payctl did not write are not kept. */
function refuseUnstated(row: MailServerRow, input: ServerInput): void {
  for (const name of ['host', 'port', 'security', 'username', 'from_address', 'reply_to'] as const)
    if (row[name] !== null && input[name] === undefined) throw invalidAttributes({ [name]: CHANGED })
}

/** A host is optional in test, where mail is not sent. */
function refuseIncomplete({ environment }: Work, { host, username }: MailServerRow): void {
  if (host === null && (environment === 'live' || username !== null))
    throw invalidAttributes({ host: 'Required' })
  if (host !== null && !HOST.test(host))
    throw invalidAttributes({ host: 'Must be the name of a host, as in smtp.example.com' })
}
