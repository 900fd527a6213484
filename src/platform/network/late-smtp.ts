import type { Timers } from '../clock.js'
import type { Reach } from './reach.js'
import type { SmtpServer, SmtpSession } from './smtp.js'

/** Opens connections to a mail server. */
export type OpenSmtp = (server: SmtpServer) => Promise<SmtpSession>

/** Loads the code that sends mail with the first message, because most processes never send mail. */
export function lateSmtp(options: { readonly reach: Reach; readonly timers: Timers }): OpenSmtp {
  return async (server) => {
    const { smtpOpener } = await import('./smtp.js')
    return smtpOpener(options)(server)
  }
}
